import type { TemplateButton, TemplateComponent } from './template-types.ts'

/**
 * Parts that were stored before they had a form here, under Meta's name, in that form. What Meta says of them beside
 * that name comes with the next list.
 */
export function withKnownParts(components: readonly TemplateComponent[]): readonly TemplateComponent[] {
  return components.map((component) => {
    if (component.type === 'header' && component.format === 'other' && component.platform_format === 'location') {
      return { type: 'header', format: 'location' }
    }
    return component.type === 'buttons' ? { ...component, buttons: component.buttons.map(knownButton) } : component
  })
}

function knownButton(button: TemplateButton): TemplateButton {
  if (button.type !== 'other') return button
  const { platform_type: type, type: _, ...rest } = button
  if (type === 'copy_code') return { ...rest, type, text: '' }
  return type === 'flow' ? { ...rest, type } : button
}
