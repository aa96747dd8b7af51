import type { Place } from '../../contract/template-values.ts'
import { fillPlaceholders } from '../../lib/text/placeholders.ts'
import type { MediaKind, TemplateButton, TemplateContent } from '../content/template-types.ts'
import { findComponent } from '../content/template-types.ts'

export type HeaderMedia = { kind: MediaKind; link?: string; media_id?: string; filename?: string }
export type HeaderPlace = { kind: 'location' } & Place
export type TemplateValues = {
  header: readonly string[]
  body: readonly string[]
  /** By index of the button: the end of a url, the payload of a quick reply, or a coupon code. */
  buttons: ReadonlyMap<number, string>
  media: HeaderMedia | HeaderPlace | null
}
/** `type` is Meta's word for buttons that cannot be created here. */
export type RenderedButton = { type: string; text: string; value: string | null }
export type RenderedTemplate = {
  header: { kind: 'text'; text: string } | HeaderMedia | HeaderPlace | null
  /** The body, which is the text of the message. */
  text: string
  footer: string | null
  buttons: readonly RenderedButton[]
}

/** The message as the customer sees it. */
export function renderTemplate(template: TemplateContent, values: TemplateValues): RenderedTemplate {
  const header = findComponent(template, 'header')
  return {
    header:
      header?.format === 'text' ? { kind: 'text', text: fillPlaceholders(header.text, values.header) } : values.media,
    text: fillPlaceholders(findComponent(template, 'body')?.text ?? '', values.body),
    footer: findComponent(template, 'footer')?.text ?? null,
    buttons: (findComponent(template, 'buttons')?.buttons ?? [])
      .map((button, index) => ({ button, value: values.buttons.get(index) ?? null }))
      .filter(({ button, value }) => value !== null || !(button.type === 'url' && button.optional))
      .map(({ button, value }) => renderButton(button, value)),
  }
}

function renderButton(button: TemplateButton, value: string | null): RenderedButton {
  const { type, text } = button
  if (button.type === 'url') return { type, text, value: fillPlaceholders(button.url, value === null ? [] : [value]) }
  if (button.type === 'phone_number') return { type, text, value: button.phone_number }
  if (button.type !== 'other') return { type, text, value }
  const { platform_type } = button
  // Meta labels the button itself, in the language of the customer.
  return { type: platform_type || type, text: platform_type === 'copy_code' ? 'Copy code' : text, value }
}
