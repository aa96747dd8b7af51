import type { TemplateButton, TemplateContent } from './template-types.ts'

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
  if (button.type === 'flow') return button.flow_id !== undefined
  return button.type === 'otp' ? button.otp_type === 'copy_code' : button.type !== 'other'
}
