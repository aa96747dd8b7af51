import type { Schemas } from '../../api.ts'

export type TemplateRecord = Schemas['Template']
export type TemplateInput = Schemas['TemplateDraft']
type ComponentInput = Schemas['TemplateComponentDraft']
export type Category = TemplateRecord['category']
export const headerKinds = ['none', 'text', 'image', 'video', 'document', 'location', 'product'] as const
export type HeaderKind = (typeof headerKinds)[number]
export const buttonKinds = [
  'quick_reply',
  'url',
  'phone_number',
  'copy_code',
  'flow',
  'catalog',
  'mpm',
  'spm',
  'request_contact_info',
] as const
export type ButtonKind = (typeof buttonKinds)[number]
/** Meta writes the label of these. */
export const unlabelled: readonly ButtonKind[] = ['copy_code', 'request_contact_info']
export type TextPart = 'header' | 'body'
export const cardHeaders = ['image', 'video', 'product'] as const
export const cardButtonKinds: readonly ButtonKind[] = ['quick_reply', 'url', 'phone_number', 'spm']

export type DraftButton = {
  /** Stays with the button when others come, go or change places. */
  key: string
  type: ButtonKind
  text: string
  url: string
  phoneNumber: string
  example: string
  flowId: string
  /** The first screen of a Flow; empty where your endpoint chooses it. */
  screen: string
  optional: boolean
}

/** What is said by a card and by a template without cards. */
type Parts = {
  header: HeaderKind
  headerText: string
  /** The file a reviewer sees. */
  headerSample: unknown
  headerOptional: boolean
  body: string
  /** By part and placeholder. */
  samples: Readonly<Record<TextPart, Readonly<Record<string, string>>>>
  buttons: readonly DraftButton[]
}
export type DraftCard = Parts & { key: string }

/** A template as the form holds it. Texts keep names in their placeholders, because people read names. */
export type Draft = Parts & {
  name: string
  language: string
  category: Category
  footer: string
  securityAdvice: boolean
  expiryMinutes: string
  /** How long Meta tries to deliver; set with the API, and kept here. */
  ttlSeconds: number | null
  /** With cards to scroll through instead of header, footer and buttons. */
  isCarousel: boolean
  cards: readonly DraftCard[]
}

const emptyParts: Parts = {
  header: 'none',
  headerText: '',
  headerSample: null,
  headerOptional: false,
  body: '',
  samples: { header: {}, body: {} },
  buttons: [],
}

export const emptyDraft: Draft = {
  ...emptyParts,
  name: '',
  language: 'en_US',
  category: 'utility',
  footer: '',
  securityAdvice: true,
  expiryMinutes: '',
  ttlSeconds: null,
  isCarousel: false,
  cards: [],
}

/** Cards are built alike: one more has the parts of the last, without what it says. */
export function nextCard(cards: readonly DraftCard[], key: string): DraftCard {
  const last = cards.at(-1)
  const buttons = (last?.buttons ?? []).map((button) => ({ ...button, url: '', phoneNumber: '', example: '' }))
  return { ...emptyParts, key, header: last?.header ?? 'image', buttons }
}

/** What stands between double braces, each once, in order. */
export function placeholdersOf(text: string): string[] {
  const tokens = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, token = '']) => token.trim())
  return [...new Set(tokens)].filter((token) => token !== '')
}

/** A name for the next placeholder: numbers go on counting, names do not mix with them. */
export function nextPlaceholder(text: string): string {
  const tokens = placeholdersOf(text)
  if (tokens.length === 0) return '{{name}}'
  if (tokens.every((token) => /^\d+$/.test(token))) return `{{${Math.max(...tokens.map(Number)) + 1}}}`
  const free = Array.from({ length: tokens.length + 1 }, (_, index) => `value_${index + 1}`)
  return `{{${free.find((name) => !tokens.includes(name))}}}`
}

/** What the API takes. The name and language of a template that exists cannot change. */
export function toInput(draft: Draft): TemplateInput & { components: ComponentInput[] } {
  const isCode = draft.category === 'authentication'
  const components = isCode
    ? codeComponents(draft)
    : draft.isCarousel
      ? [bodyOf(draft), carouselOf(draft)]
      : [...headerOf(draft), bodyOf(draft), ...footerOf(draft), ...buttonsOf(draft)]
  const ttl = draft.ttlSeconds === null ? {} : { message_send_ttl_seconds: draft.ttlSeconds }
  return { name: draft.name.trim(), language: draft.language, category: draft.category, components, ...ttl }
}

function codeComponents({ securityAdvice, expiryMinutes }: Draft): ComponentInput[] {
  const minutes = Number(expiryMinutes)
  return [
    { type: 'body', add_security_recommendation: securityAdvice },
    ...(Number.isInteger(minutes) && minutes > 0 ? [{ type: 'footer', code_expiration_minutes: minutes }] : []),
  ]
}

/** A card of a product has no words. */
function carouselOf({ cards }: Draft): ComponentInput {
  const inputs = cards.map((card) => ({
    components: [
      ...headerOf(card),
      ...(card.header === 'product' || card.body.trim() === '' ? [] : [bodyOf(card)]),
      ...buttonsOf(card),
    ],
  }))
  return { type: 'carousel', cards: inputs }
}

function headerOf({ header, headerText, headerSample, headerOptional, samples }: Parts): ComponentInput[] {
  if (header === 'none') return []
  if (header === 'location' || header === 'product') return [{ type: 'header', format: header }]
  if (header === 'text') {
    return [{ type: 'header', format: 'text', text: headerText, ...variablesOf(headerText, samples.header) }]
  }
  const sample = headerSample === null ? {} : { example: headerSample }
  return [{ type: 'header', format: header, ...sample, ...(headerOptional ? { optional: true } : {}) }]
}

function bodyOf({ body, samples }: Parts): ComponentInput {
  return { type: 'body', text: body, ...variablesOf(body, samples.body) }
}

function footerOf({ footer }: Draft): ComponentInput[] {
  return footer.trim() === '' ? [] : [{ type: 'footer', text: footer }]
}

function buttonsOf({ buttons }: Parts): ComponentInput[] {
  if (buttons.length === 0) return []
  const inputs = buttons.map(({ type, text, url, phoneNumber, example, flowId, screen, optional }) => {
    const sample = example.trim() === '' ? {} : { example }
    if (type === 'phone_number') return { type, text, phone_number: phoneNumber }
    if (type === 'copy_code') return { type, ...sample }
    if (type === 'request_contact_info') return { type }
    if (type === 'flow') {
      const opening = screen.trim() === '' ? { flow_action: 'data_exchange' } : { navigate_screen: screen.trim() }
      return { type, text, flow_id: flowId.trim(), ...opening }
    }
    if (type === 'quick_reply') return { type, text }
    if (type !== 'url') return { type, ...(text.trim() === '' ? {} : { text }) }
    return { type, text, url, ...sample, ...(optional ? { optional: true } : {}) }
  })
  return [{ type: 'buttons', buttons: inputs }]
}

function variablesOf(text: string, samples: Readonly<Record<string, string>>): Pick<ComponentInput, 'variables'> {
  const variables = placeholdersOf(text).map((token) => {
    const name = /^\d+$/.test(token) ? {} : { name: token }
    const example = samples[token]?.trim() ? { example: samples[token] } : {}
    return { ...name, ...example }
  })
  return variables.length > 0 ? { variables } : {}
}

/** Problems by the part of the form they are about: `name`, `body.text`, `carousel.cards[1].buttons.buttons[0].url`. */
export function problemsByPart(
  input: { components: readonly ComponentInput[] },
  problems: readonly { field: string; message: string }[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { field, message } of problems) {
    const part = partOf(input.components, field)
    if (!found.has(part)) found.set(part, message)
  }
  return found
}

function partOf(components: readonly ComponentInput[], field: string): string {
  const [, index, rest = ''] = /^components\[(\d+)\](.*)$/.exec(field) ?? []
  if (index === undefined) return field
  const component = components[Number(index)]
  const [, card, inside] = /^\.cards\[(\d+)\]\.(components.*)$/.exec(rest) ?? []
  if (card === undefined || inside === undefined) return `${component?.type}${rest}`
  const own = component?.cards?.[Number(card)]?.components as readonly ComponentInput[] | undefined
  return `carousel.cards[${card}].${partOf(own ?? [], inside)}`
}
