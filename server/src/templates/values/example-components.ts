import { placeholdersIn } from '../../lib/text/placeholders.ts'
import { sampleMedia } from '../content/normalise-template.ts'
import type { HeaderComponent, TemplateButton, TemplateContent } from '../content/template-types.ts'
import { findComponent, variablesOf } from '../content/template-types.ts'

/** A complete, correct `components` for a send: what must be filled, with the examples of the template. */
export function exampleComponents(template: TemplateContent): unknown[] {
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  return [
    ...headerExample(template, findComponent(template, 'header')),
    ...textsExample(template, 'body'),
    ...buttons.flatMap(buttonExample),
  ]
}

function headerExample(template: TemplateContent, header: HeaderComponent | undefined): unknown[] {
  if (!header) return []
  if (header.format === 'other') return header.platform_format === 'location' ? [placeExample] : []
  if (header.format === 'text') return textsExample(template, 'header')
  if (header.optional) return []
  const { format, example } = header
  // A handle belongs to the review and cannot be sent.
  const media = example && !('handle' in example) ? example : sampleMedia(format)
  return [{ type: 'header', parameters: [{ type: format, [format]: media }] }]
}

const placeExample = {
  type: 'header',
  parameters: [
    {
      type: 'location',
      location: { latitude: 38.7071, longitude: -9.1355, name: 'Our shop', address: 'Praça do Comércio, Lisbon' },
    },
  ],
}

function textsExample(template: TemplateContent, component: 'header' | 'body'): unknown[] {
  const parameters = variablesOf(template, component).map(({ position, example }) => ({
    type: 'text',
    text: example ?? `Sample ${position}`,
  }))
  return parameters.length > 0 ? [{ type: component, parameters }] : []
}

function buttonExample(button: TemplateButton, index: number): unknown[] {
  if (button.type === 'other' && button.platform_type === 'copy_code') {
    const parameters = [{ type: 'coupon_code', coupon_code: button.example ?? 'SAMPLE25' }]
    return [{ type: 'button', sub_type: 'copy_code', index, parameters }]
  }
  if (button.type !== 'url' || button.optional || placeholdersIn(button.url).length === 0) return []
  const parameters = [{ type: 'text', text: button.example ?? 'sample-1' }]
  return [{ type: 'button', sub_type: 'url', index, parameters }]
}
