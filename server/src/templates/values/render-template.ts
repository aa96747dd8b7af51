import type { Place, Product, ProductSection } from '../../contract/template-values.ts'
import { formatInstant } from '../../lib/instant.ts'
import { fillPlaceholders } from '../../lib/text/placeholders.ts'
import {
  type CarouselCard,
  findComponent,
  type MediaKind,
  type TemplateButton,
  type TemplateContent,
} from '../content/template-types.ts'
import { type ButtonParameter, shownValue } from './match-buttons.ts'

type HeaderMedia = { kind: MediaKind; link?: string; media_id?: string; filename?: string }
/** The header values of a send. */
export type FilledWith = HeaderMedia | ({ kind: 'location' } & Place) | ({ kind: 'product' } & Product)
type TemplateValues = {
  header: readonly string[]
  body: readonly string[]
  /** By index of the button. */
  buttons: ReadonlyMap<number, ButtonParameter>
  media: FilledWith | null
  /** End of a limited-time offer. */
  offerEnd?: number | null
}
type RenderedOffer = { text: string; expires_at: string | null }
/** `type` is Meta's word for buttons that have no form here. */
type RenderedButton = { type: string; text: string; value: string | null; sections?: ProductSection[] }
export type RenderedTemplate = {
  header: { kind: 'text'; text: string } | FilledWith | null
  /** The body, which is the text of the message. */
  text: string
  footer: string | null
  buttons: readonly RenderedButton[]
  offer?: RenderedOffer
  cards?: readonly RenderedCard[]
}
export type RenderedCard = Pick<RenderedTemplate, 'header' | 'buttons'> & { text: string | null }

export function renderedCard(card: CarouselCard, { header, text, buttons }: RenderedTemplate): RenderedCard {
  return { header, text: findComponent(card, 'body') ? text : null, buttons }
}

/** The message as the customer sees it. */
export function renderTemplate(
  template: Pick<TemplateContent, 'components'>,
  values: TemplateValues,
): RenderedTemplate {
  const header = findComponent(template, 'header')
  const offer = findComponent(template, 'limited_time_offer')
  return {
    header:
      header?.format === 'text' ? { kind: 'text', text: fillPlaceholders(header.text, values.header) } : values.media,
    text: fillPlaceholders(findComponent(template, 'body')?.text ?? '', values.body),
    footer: findComponent(template, 'footer')?.text ?? null,
    buttons: (findComponent(template, 'buttons')?.buttons ?? [])
      .map((button, index) => ({ button, given: values.buttons.get(index) }))
      .map(({ button, given }) => ({ button, value: shownValue(given), sections: sectionsOf(given) }))
      .filter(({ button, value }) => value !== null || !(button.type === 'url' && button.optional))
      // Where the app takes the code by itself, there is no button.
      .filter(({ button }) => !(button.type === 'otp' && button.otp_type === 'zero_tap'))
      .map(({ button, value, sections }) => ({ ...renderButton(button, value), ...sections })),
    ...(offer ? { offer: { text: offer.text, expires_at: formatInstant(values.offerEnd ?? null) } } : {}),
  }
}

function sectionsOf(value: ButtonParameter | undefined): { sections?: ProductSection[] } {
  return value?.type === 'action' && value.action.sections ? { sections: value.action.sections } : {}
}

function renderButton(button: TemplateButton, value: string | null): RenderedButton {
  const { type, text } = button
  if (button.type === 'url') return { type, text, value: fillPlaceholders(button.url, value === null ? [] : [value]) }
  if (button.type === 'phone_number') return { type, text, value: button.phone_number }
  if (button.type === 'otp' && button.otp_type === 'one_tap') {
    return { type, text: button.autofill_text ?? 'Autofill', value }
  }
  // Meta labels the button itself, in the language of the customer.
  if (button.type === 'copy_code') return { type, text: 'Copy code', value }
  return { type: button.type === 'other' ? button.platform_type || type : type, text, value }
}
