import type { SandboxTemplate } from '../../platform/sandbox-templates.ts'
import type { TemplateButton, TemplateComponent, TemplateContent } from './template-types.ts'

/** A template of the catalog as the sandbox's control takes it, with what a send may leave out marked as such. */
export function toSandboxForm({ name, language, category, components }: TemplateContent): SandboxTemplate {
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
