import {
  buttonKinds,
  type Draft,
  type DraftButton,
  type DraftCard,
  emptyDraft,
  type HeaderKind,
  headerKinds,
  type TemplateInput,
  type TemplateRecord,
  unlabelled,
} from './template-draft.ts'

type Component = TemplateRecord['components'][number]
type Variable = TemplateRecord['variables'][number]

/** A template of the API as the form holds it. */
export function readTemplate(record: TemplateRecord): Draft {
  const part = partIn(record)
  const carousel = part('carousel')
  const cards = (carousel?.cards as Card[] | undefined) ?? []
  return {
    ...emptyDraft,
    ...readParts(record),
    name: record.name,
    language: record.language,
    category: record.category,
    footer: String(part('footer')?.text ?? ''),
    securityAdvice: part('body')?.add_security_recommendation === true,
    expiryMinutes: String(part('footer')?.code_expiration_minutes ?? ''),
    ttlSeconds: record.message_send_ttl_seconds,
    isCarousel: carousel !== undefined,
    cards: cards.map((card, index) => ({ ...readParts(card), key: `kept-${index}` })),
  }
}

function readParts(record: Card): Omit<DraftCard, 'key'> {
  const part = partIn(record)
  const header = part('header')
  const named = (component: Variable['component'], text: unknown) =>
    withNames(String(text ?? ''), variablesOf(record, component))
  const [title, body] = [named('header', header?.text), named('body', part('body')?.text)]
  return {
    header: (header?.format as HeaderKind | undefined) ?? 'none',
    headerText: title.text,
    headerSample: header?.example ?? null,
    headerOptional: header?.optional === true,
    body: body.text,
    samples: { header: title.samples, body: body.samples },
    buttons: readButtons(part('buttons')?.buttons),
  }
}

function partIn({ components }: Card) {
  return (type: Component['type']) => components.find((component) => component.type === type)
}

export function isWritable(record: TemplateRecord): boolean {
  return record.parameter_format === 'positional' && fitsForm(record)
}

/** Parts that this form does not know would be lost by an edit or in a copy. */
export function fitsForm({ components, category }: Pick<TemplateRecord, 'components' | 'category'>): boolean {
  const buttons = components.flatMap(
    (component) => (component.buttons as { type: string; otp_type?: string }[] | undefined) ?? [],
  )
  const cards = components.flatMap((component) => (component.cards as Card[] | undefined) ?? [])
  const known: readonly string[] = [...buttonKinds, ...(category === 'authentication' ? ['otp'] : [])]
  return (
    components.every(({ type }) => ['header', 'body', 'footer', 'buttons', 'carousel'].includes(type)) &&
    components.every(({ format: header }) => header === undefined || headerKinds.includes(header as HeaderKind)) &&
    buttons.every(({ type, otp_type: otp }) => known.includes(type) && (otp ?? 'copy_code') === 'copy_code') &&
    cards.every((card) => fitsForm({ ...card, category }))
  )
}

/** The whole of it as the API takes it, parts that the form does not know too; without those the API does not know. */
export function wholeInput(record: TemplateRecord): TemplateInput {
  const { name, language, category } = record
  const isCode = category === 'authentication'
  return { name, language, category, components: wholeParts(record.components, isCode ? [] : record.variables) }
}

type Card = Pick<TemplateRecord, 'components' | 'variables'>

function wholeParts(components: readonly Component[], variables: readonly Variable[]): Component[] {
  return components
    .filter(({ type, format }) => type !== 'other' && format !== 'other')
    .map((component) => {
      const { type, buttons, cards } = component
      const own = variables.filter((variable) => variable.component === type)
      return {
        ...component,
        ...(own.length > 0 ? { variables: own.map(({ name, example }) => ({ name, example })) } : {}),
        ...(Array.isArray(buttons) ? { buttons: buttons.filter((button) => button.type !== 'other') } : {}),
        ...(Array.isArray(cards)
          ? { cards: (cards as Card[]).map((card) => ({ components: wholeParts(card.components, card.variables) })) }
          : {}),
      }
    })
}

/** The call that sends it, with its examples: what must be filled, nothing else. */
export function sendBody(record: TemplateRecord): Record<string, unknown> {
  const components = sampleValues(record)
  const values = components.length > 0 ? { components } : {}
  return { to: '+12025550100', template: record.name, language: record.language, ...values }
}

function sampleValues(record: Card): unknown[] {
  const hasOffer = record.components.some(({ type }) => type === 'limited_time_offer')
  const components = [
    ...headerValues(record),
    ...textValues(record, 'body'),
    ...(hasOffer ? [sampleEnd] : []),
    ...buttonValues(record),
    ...cardValues(record),
  ]
  return components
}

function cardValues({ components }: Card): unknown[] {
  const cards = components.flatMap((component) => (component.cards as Card[] | undefined) ?? [])
  const filled = cards.map((card, card_index) => ({ card_index, components: sampleValues(card) }))
  return filled.length > 0 ? [{ type: 'carousel', cards: filled }] : []
}

function variablesOf({ variables }: Pick<TemplateRecord, 'variables'>, component: Variable['component']): Variable[] {
  return variables.filter((variable) => variable.component === component)
}

/** Positions as names, where every one has a name. */
function withNames(text: string, variables: readonly Variable[]): { text: string; samples: Record<string, string> } {
  const names = variables.map(({ name }) => name)
  const useNames = names.every((name) => name !== null) && new Set(names).size === names.length
  const tokenOf = ({ name, position }: Variable) => (useNames && name !== null ? name : `${position}`)
  const samples = Object.fromEntries(variables.map((variable) => [tokenOf(variable), variable.example ?? '']))
  const named = text.replace(/\{\{(\d+)\}\}/g, (whole, position: string) => {
    const variable = variables.find((one) => one.position === Number(position))
    return variable ? `{{${tokenOf(variable)}}}` : whole
  })
  return { text: named, samples }
}

function readButtons(buttons: unknown): DraftButton[] {
  if (!Array.isArray(buttons)) return []
  return (buttons as Record<string, unknown>[]).flatMap((button, index) => {
    const { type } = button
    const known = buttonKinds.find((kind) => kind === type)
    if (!known) return []
    return [
      {
        key: `kept-${index}`,
        type: known,
        text: unlabelled.includes(known) ? '' : String(button.text ?? ''),
        url: String(button.url ?? ''),
        phoneNumber: String(button.phone_number ?? ''),
        example: String(button.example ?? ''),
        flowId: String(button.flow_id ?? ''),
        screen: String(button.navigate_screen ?? ''),
        optional: button.optional === true,
      },
    ]
  })
}

function headerValues(record: Card): unknown[] {
  const header = record.components.find(({ type }) => type === 'header')
  if (!header || header.optional === true) return []
  if (header.format === 'other') return []
  if (header.format === 'location') return [samplePlace]
  if (header.format === 'product') return [sampleProduct]
  if (header.format === 'text') return textValues(record, 'header')
  const kind = String(header.format)
  const link = (header.example as { link?: string } | null)?.link ?? `https://cdn.example.test/sample-${kind}`
  return [{ type: 'header', parameters: [{ type: kind, [kind]: { link } }] }]
}

const samplePlace = {
  type: 'header',
  parameters: [{ type: 'location', location: { latitude: 38.7071, longitude: -9.1355, name: 'Our shop' } }],
}

const sampleProduct = {
  type: 'header',
  parameters: [{ type: 'product', product: { product_retailer_id: 'sku-1', catalog_id: '194836987003835' } }],
}
const sampleItems = {
  thumbnail_product_retailer_id: 'sku-1',
  sections: [{ title: 'Our favourites', product_items: [{ product_retailer_id: 'sku-1' }] }],
}

const sampleEnd = {
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_893_499_200_000 } }],
}

function textValues(record: Card, component: Variable['component']): unknown[] {
  const parameters = variablesOf(record, component).map(({ example, position }) => ({
    type: 'text',
    text: example ?? `Sample ${position}`,
  }))
  return parameters.length > 0 ? [{ type: component, parameters }] : []
}

function buttonValues({ components }: Card): unknown[] {
  const buttons = components.flatMap((component) => (component.buttons as Record<string, unknown>[] | undefined) ?? [])
  return buttons.flatMap<unknown>(({ type, url, example, optional }, index) => {
    if (type === 'copy_code') {
      const parameters = [{ type: 'coupon_code', coupon_code: String(example ?? 'SAMPLE25') }]
      return [{ type: 'button', sub_type: 'copy_code', index, parameters }]
    }
    if (type === 'mpm') {
      return [{ type: 'button', sub_type: 'mpm', index, parameters: [{ type: 'action', action: sampleItems }] }]
    }
    if (type !== 'url' || optional === true || !String(url).includes('{{')) return []
    const parameters = [{ type: 'text', text: String(example ?? 'sample-1') }]
    return [{ type: 'button', sub_type: 'url', index, parameters }]
  })
}
