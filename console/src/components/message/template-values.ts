import type { Schemas } from '../../api.ts'

export type SentTemplate = Pick<Schemas['Template'], 'name' | 'language' | 'components' | 'variables'>

/** One thing to fill in before a template can be sent. */
export type ValueField = {
  key: string
  label: string
  kind: 'text' | 'time' | 'image' | 'video' | 'document'
  example: string
  isOptional?: true
}
export type Values = Readonly<Record<string, string>>

type Button = {
  type?: string
  text?: string
  url?: string
  example?: string
  optional?: boolean
  phone_number?: string
}

/** What must be given, in the order of the message. What Meta lets out is not asked for. */
export function valueFields(template: SentTemplate): ValueField[] {
  const header = part(template, 'header')
  const media = mediaKind(template)
  return [
    ...(media && header?.optional !== true
      ? [{ key: 'header', label: `Header ${media}`, kind: media, example: '' } as const]
      : []),
    ...(hasPlace(template) ? placeFields : []),
    ...template.variables.map(({ component, position, name, example }) => ({
      key: `${component} ${position}`,
      label: labelOf(name, position, component),
      kind: 'text' as const,
      example: example ?? '',
    })),
    ...(part(template, 'limited_time_offer') ? [offerField] : []),
    ...buttonsOf(template).flatMap((button, index) =>
      takesValue(button)
        ? [
            {
              key: `button ${index}`,
              label: isCoupon(button) ? 'Coupon code' : `End of the link “${button.text ?? ''}”`,
              kind: 'text' as const,
              example: button.example ?? '',
            },
          ]
        : [],
    ),
  ]
}

/** Whether this form asks for all that a send needs: it has no fields for cards and products. */
export function canFill(template: SentTemplate): boolean {
  const needsMore = part(template, 'carousel') || part(template, 'header')?.format === 'product'
  return !needsMore && buttonsOf(template).every(({ type }) => type !== 'mpm')
}

/** As the API takes them; a file is given by its id. */
export function sendComponents(template: SentTemplate, values: Values): Record<string, unknown>[] {
  const media = mediaKind(template)
  const file = values.header
  const texts = (component: 'header' | 'body') => {
    const parameters = template.variables
      .filter((variable) => variable.component === component)
      .map(({ position }) => ({ type: 'text', text: values[`${component} ${position}`] ?? '' }))
    return parameters.length > 0 ? [{ type: component, parameters }] : []
  }
  return [
    ...(media && file
      ? [{ type: 'header', parameters: [{ type: media, [media]: { media_id: file } }] }]
      : texts('header')),
    ...(hasPlace(template)
      ? [{ type: 'header', parameters: [{ type: 'location', location: placeFrom(values) }] }]
      : []),
    ...texts('body'),
    ...(part(template, 'limited_time_offer') && values[offerField.key] ? [offerValue(values)] : []),
    ...buttonsOf(template).flatMap((button, index) =>
      takesValue(button)
        ? [
            {
              type: 'button',
              sub_type: isCoupon(button) ? 'copy_code' : 'url',
              index,
              parameters: [buttonValue(button, values[`button ${index}`] ?? '')],
            },
          ]
        : [],
    ),
  ]
}

/** The message as its customer will see it; what is not filled in yet stands there as its example. */
export function filledContent(template: SentTemplate, values: Values): Record<string, unknown> {
  const fill = (component: 'header' | 'body', text: unknown) =>
    template.variables
      .filter((variable) => variable.component === component)
      .reduce(
        (filled, { position, name, example }) =>
          [`{{${position}}}`, `{{${name}}}`].reduce(
            (whole, token) => whole.replaceAll(token, () => values[`${component} ${position}`] || example || token),
            filled,
          ),
        String(text ?? ''),
      )
  const header = part(template, 'header')
  const media = mediaKind(template)
  return {
    header: media
      ? { kind: media, ...(values.header ? { media_id: values.header } : {}), filename: `Header ${media}` }
      : hasPlace(template)
        ? { kind: 'location', latitude: '…', longitude: '…', ...placeFrom(values) }
        : header?.format === 'product'
          ? { kind: 'product', product_retailer_id: 'of your catalog' }
          : header && { kind: 'text', text: fill('header', header.text) },
    text: fill('body', part(template, 'body')?.text),
    footer: part(template, 'footer')?.text ?? null,
    offer: part(template, 'limited_time_offer') && {
      text: part(template, 'limited_time_offer')?.text,
      expires_at: values[offerField.key] ?? null,
    },
    // Cards are not asked for, so they stand there with their examples.
    cards: cardsOf(template).map((card) => filledContent({ ...template, ...card }, {})),
    buttons: buttonsOf(template).map((button, index) =>
      isCoupon(button)
        ? { type: 'copy_code', text: 'Copy code', value: values[`button ${index}`] || button.example || null }
        : { type: button.type, text: button.text, value: button.url ?? button.phone_number ?? null },
    ),
  }
}

function part({ components }: SentTemplate, type: string): Record<string, unknown> | undefined {
  return components.find((component) => component.type === type)
}

function cardsOf(template: SentTemplate): Pick<SentTemplate, 'components' | 'variables'>[] {
  const cards = part(template, 'carousel')?.cards
  return Array.isArray(cards) ? cards : []
}

function mediaKind(template: SentTemplate): 'image' | 'video' | 'document' | null {
  const format = part(template, 'header')?.format
  return format === 'image' || format === 'video' || format === 'document' ? format : null
}

/** Where a map in the header shows; Meta needs no name. */
const placeFields: ValueField[] = [
  { key: 'header latitude', label: 'Latitude', kind: 'text', example: '38.7071' },
  { key: 'header longitude', label: 'Longitude', kind: 'text', example: '-9.1355' },
  { key: 'header name', label: 'Name of the place (optional)', kind: 'text', example: '', isOptional: true },
  { key: 'header address', label: 'Address (optional)', kind: 'text', example: '', isOptional: true },
]

const offerField: ValueField = {
  key: 'offer end',
  label: 'Offer ends, in UTC',
  kind: 'time',
  example: '2030-01-01T12:00',
}

/** What is no time is left to the gateway to refuse. */
function offerValue(values: Values): Record<string, unknown> {
  const ms = Date.parse(`${values[offerField.key]?.trim().replace(/Z$/, '')}Z`)
  const limited_time_offer = { expiration_time_ms: Number.isNaN(ms) ? null : ms }
  return { type: 'limited_time_offer', parameters: [{ type: 'limited_time_offer', limited_time_offer }] }
}

function hasPlace(template: SentTemplate): boolean {
  return part(template, 'header')?.format === 'location'
}

function placeFrom(values: Values): Record<string, string> {
  const parts = ['latitude', 'longitude', 'name', 'address'].map((name) => [name, values[`header ${name}`]?.trim()])
  return Object.fromEntries(parts.filter(([, value]) => value))
}

function isCoupon({ type }: Button): boolean {
  return type === 'copy_code'
}

function buttonValue(button: Button, value: string): Record<string, string> {
  return isCoupon(button) ? { type: 'coupon_code', coupon_code: value } : { type: 'text', text: value }
}

function buttonsOf(template: SentTemplate): Button[] {
  return (part(template, 'buttons')?.buttons as Button[] | undefined) ?? []
}

function takesValue(button: Button): boolean {
  const { type, url, optional } = button
  if (isCoupon(button)) return true
  return type === 'url' && optional !== true && String(url).includes('{{')
}

function labelOf(name: string | null, position: number, component: string): string {
  const words = name?.replaceAll('_', ' ')
  if (words) return words.charAt(0).toUpperCase() + words.slice(1)
  return component === 'header' ? `Header ${position}` : `Value ${position}`
}
