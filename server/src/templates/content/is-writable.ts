import type { TemplateButton, TemplateContent } from './template-types.ts'

/** What this gateway cannot read it cannot write either; such templates are edited where they were made. */
export function isWritable({ components }: Pick<TemplateContent, 'components'>): boolean {
  return components.every((component) => {
    if (component.type === 'header') return component.format !== 'other'
    if (component.type === 'carousel') return component.cards.every(isWritable)
    if (component.type === 'buttons') return component.buttons.every(isWritableButton)
    return component.type !== 'other'
  })
}

/** A button that hands the code to an app needs to name it. */
function isWritableButton(button: TemplateButton): boolean {
  if (button.type === 'flow') return button.flow_id !== undefined
  return button.type === 'otp'
    ? button.otp_type === 'copy_code' || button.supported_apps !== undefined
    : button.type !== 'other'
}
