import type { TemplateButton, TemplateComponent } from './template-types.ts'
import { contactInfoLabel } from './template-types.ts'

/**
 * Parts that were stored before they had a form here, under Meta's name, in that form. What Meta says of them beside
 * that name comes with the next list.
 */
export function withKnownParts(components: readonly TemplateComponent[]): readonly TemplateComponent[] {
  return components.map((component) => {
    if (component.type === 'header' && component.format === 'other') {
      const format = filledFormats.find((known) => known === component.platform_format)
      return format ? { type: 'header', format } : component
    }
    return component.type === 'buttons' ? { ...component, buttons: component.buttons.map(knownButton) } : component
  })
}

const filledFormats = ['location', 'product'] as const

function knownButton(button: TemplateButton): TemplateButton {
  if (button.type !== 'other') return button
  const { platform_type: type, type: _, ...rest } = button
  if (type === 'copy_code') return { ...rest, type, text: '' }
  if (type === 'request_contact_info') return { type, text: rest.text || contactInfoLabel }
  const isKnown = type === 'flow' || type === 'catalog' || type === 'mpm' || type === 'spm'
  return isKnown ? { ...rest, type } : button
}
