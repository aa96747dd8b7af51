import { sampleMedia } from '../content/normalise-template.ts'
import {
  findComponent,
  type HeaderComponent,
  type TemplateButton,
  type TemplateContent,
  variablesOf,
} from '../content/template-types.ts'
import { demandOf, exampleValue, productExample } from './match-buttons.ts'

/** A complete, correct `components` for a send: what must be filled, with the examples of the template. */
export function exampleComponents(template: TemplateContent): unknown[] {
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  return [
    ...headerExample(template, findComponent(template, 'header')),
    ...textsExample(template, 'body'),
    ...(findComponent(template, 'limited_time_offer') ? [offerExample] : []),
    ...buttons.flatMap(buttonExample),
    ...carouselExample(template),
  ]
}

function carouselExample(template: TemplateContent): unknown[] {
  const cards = findComponent(template, 'carousel')?.cards ?? []
  const filled = cards.map((card, card_index) => ({
    card_index,
    components: exampleComponents({ ...template, ...card }),
  }))
  return filled.length > 0 ? [{ type: 'carousel', cards: filled }] : []
}

function headerExample(template: TemplateContent, header: HeaderComponent | undefined): unknown[] {
  if (!header) return []
  if (header.format === 'other') return []
  if (header.format === 'location') return headerValue('location', placeExample)
  if (header.format === 'product') return headerValue('product', productExample)
  if (header.format === 'text') return textsExample(template, 'header')
  if (header.optional) return []
  const { format, example } = header
  // A handle belongs to the review and cannot be sent.
  const media = example && !('handle' in example) ? example : sampleMedia(format)
  return headerValue(format, media)
}

/** A time far away: what is copied should not have ended. */
export const offerEndExample = Date.UTC(2030, 0, 1)
const offerExample = {
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: offerEndExample } }],
}

function headerValue(type: string, value: object): unknown[] {
  return [{ type: 'header', parameters: [{ type, [type]: value }] }]
}

export const placeExample = {
  latitude: 38.7071,
  longitude: -9.1355,
  name: 'Our shop',
  address: 'Praça do Comércio, Lisbon',
}

function textsExample(template: TemplateContent, component: 'header' | 'body'): unknown[] {
  const parameters = variablesOf(template, component).map(({ position, example }) => ({
    type: 'text',
    text: example ?? `Sample ${position}`,
  }))
  return parameters.length > 0 ? [{ type: component, parameters }] : []
}

function buttonExample(button: TemplateButton, index: number): unknown[] {
  const value = exampleValue(button)
  return value ? [{ type: 'button', sub_type: demandOf(button)?.subType, index, parameters: [value] }] : []
}
