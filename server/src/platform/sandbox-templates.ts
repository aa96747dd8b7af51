import type { TemplateButton, TemplateComponent, TemplateContent } from '../contract/template-content.ts'
import { listOf, objectOf, parseObject, textOf } from './cloud/lenient-json.ts'
import { callSandbox } from './sandbox-control.ts'

/** A template in the platform's own form; a header or button may carry `optional: true`. */
export type SandboxTemplate = {
  name: string
  language: string
  category: string
  components: Record<string, unknown>[]
}
export type AddedTemplate = { templateId: string; name: string; language: string }

/** `POST /_sandbox/templates` of a sandbox on this machine: approved at once, and instead of one of the same name. */
export async function postSandboxTemplates(
  sandboxUrl: string,
  wabaId: string,
  templates: readonly SandboxTemplate[],
): Promise<AddedTemplate[]> {
  const content = { waba_id: wabaId, status: 'APPROVED', templates }
  const answer = await callSandbox(sandboxUrl, 'POST', '/templates', content)
  const added = listOf(parseObject(answer.text)?.data).flatMap((value) => {
    const item = objectOf(value)
    const [templateId, name, language] = [textOf(item?.id), textOf(item?.name), textOf(item?.language)]
    return templateId === null || name === null || language === null ? [] : [{ templateId, name, language }]
  })
  if (added.length !== templates.length) throw new Error(`The sandbox refused templates (status ${answer.status}).`)
  return added
}

/** The same for templates of the catalog, with what a send may leave out marked as such. */
export function addSandboxTemplates(
  sandboxUrl: string,
  wabaId: string,
  templates: readonly TemplateContent[],
): Promise<AddedTemplate[]> {
  return postSandboxTemplates(sandboxUrl, wabaId, templates.map(toSandboxForm))
}

function toSandboxForm({ name, language, category, components }: TemplateContent): SandboxTemplate {
  return { name, language, category: category.toUpperCase(), components: components.map(componentOf) }
}

function componentOf(component: TemplateComponent): Record<string, unknown> {
  const type = component.type.toUpperCase()
  if (component.type === 'buttons') return { type, buttons: component.buttons.map(buttonOf) }
  if (component.type !== 'header' || component.format === 'text') return { ...component, type }
  const format = component.format.toUpperCase()
  return { type, format, ...('optional' in component ? { optional: true } : {}) }
}

function buttonOf(button: TemplateButton): Record<string, unknown> {
  return { ...button, type: button.type.toUpperCase() }
}
