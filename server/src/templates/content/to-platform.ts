import type * as port from '../../platform/platform-template.ts'
import { placeholdersIn } from './placeholders.ts'
import type { TemplateButton, TemplateComponent, TemplateContent, TemplateVariable } from './template-types.ts'
import { variablesOf } from './template-types.ts'

/**
 * What the platform is given to create a template or, taking only `components`, to edit one. A media header needs the
 * handle of a sample that was uploaded for the review; one that the template itself holds is used otherwise.
 */
export function toPlatform(template: TemplateContent, sampleHandle?: string): port.TemplateDraft {
  return {
    name: template.name,
    language: template.language,
    category: template.category,
    components: template.components.flatMap((component) => componentOf(template, component, sampleHandle)),
  }
}

/** What this gateway cannot read it cannot write either; such templates are edited where they were made. */
export function isWritable({ components }: Pick<TemplateContent, 'components'>): boolean {
  return components.every((component) => {
    if (component.type === 'header') return component.format !== 'other'
    if (component.type === 'buttons') return component.buttons.every(isWritableButton)
    return component.type !== 'other'
  })
}

/** A button that fills the code in for an app would come back as one that copies it. */
function isWritableButton(button: TemplateButton): boolean {
  return button.type === 'otp' ? button.otp_type === 'copy_code' : button.type !== 'other'
}

function componentOf(
  template: TemplateContent,
  component: TemplateComponent,
  handle: string | undefined,
): port.TemplateComponent[] {
  switch (component.type) {
    case 'header': {
      if (component.format === 'other') return []
      if (component.format === 'text') {
        return [{ type: 'header', format: 'text', ...textOf(template, 'header', component.text) }]
      }
      const own = component.example && 'handle' in component.example ? component.example.handle : null
      return [{ type: 'header', format: component.format, sample: handle ?? own }]
    }
    case 'body': {
      const { text, add_security_recommendation: advice = false } = component
      if (template.category === 'authentication')
        return [{ type: 'authentication_body', securityRecommendation: advice }]
      return [{ type: 'body', ...textOf(template, 'body', text) }]
    }
    case 'footer': {
      const { text, code_expiration_minutes: minutes } = component
      if (minutes !== undefined) return [{ type: 'authentication_footer', codeExpirationMinutes: minutes }]
      return [{ type: 'footer', text }]
    }
    case 'buttons':
      return [{ type: 'buttons', buttons: component.buttons.flatMap(buttonOf) }]
    case 'other':
      return []
  }
}

function textOf(template: TemplateContent, component: 'header' | 'body', text: string) {
  const variables = variablesOf(template, component)
  const named = template.parameter_format === 'named'
  const nameAt = (position: number) => variables[position - 1]?.name ?? `value_${position}`
  return {
    text: named ? text.replace(/\{\{(\d+)\}\}/g, (_, position: string) => `{{${nameAt(Number(position))}}}`) : text,
    examples: variables.map(({ position, example }: TemplateVariable) => ({
      name: named ? nameAt(position) : null,
      value: example ?? '',
    })),
  }
}

function buttonOf(button: TemplateButton): port.TemplateButton[] {
  switch (button.type) {
    case 'quick_reply':
      return [{ type: 'quick_reply', text: button.text }]
    case 'url': {
      const variable = placeholdersIn(button.url).length > 0
      return [{ type: 'url', text: button.text, url: button.url, example: variable ? (button.example ?? '') : null }]
    }
    case 'phone_number':
      return [{ type: 'phone_number', text: button.text, phoneNumber: button.phone_number }]
    case 'otp':
      return [{ type: 'otp', otpType: 'copy_code', text: button.text }]
    case 'other':
      return []
  }
}
