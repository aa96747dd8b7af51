import { flowActions, type TemplateButton, type TemplateCategory } from '../../contract/template-content.ts'
import { numberPlaceholders, placeholdersIn } from '../../lib/text/placeholders.ts'
import { type JsonObject, listOf, textOf, wordOf } from './lenient-json.ts'

/** A button as Meta lists it. One of an unknown kind, or without what its kind needs, is kept by its name. */
export function buttonFromWire(wire: JsonObject, category: TemplateCategory): TemplateButton {
  const type = wordOf(wire.type)
  const text = textOf(wire.text)
  return readers.get(type)?.(wire, text, category) ?? { type: 'other', platform_type: type, text: text ?? '' }
}

type Reader = (wire: JsonObject, text: string | null, category: TemplateCategory) => TemplateButton | null

const readers: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    quick_reply: (_wire, text) => (text === null ? null : { type: 'quick_reply', text }),
    phone_number: ({ phone_number }, text) => {
      const number = textOf(phone_number)
      return text === null || number === null ? null : { type: 'phone_number', text, phone_number: number }
    },
    otp: ({ otp_type }, text) => ({ type: 'otp', otp_type: wordOf(otp_type) || 'copy_code', text: text ?? '' }),
    url: urlFromWire,
    // The label belongs to Meta.
    copy_code: (wire) => ({ type: 'copy_code', text: '', ...given({ example: exampleOf(wire) }) }),
    flow: (wire, text) => ({
      type: 'flow',
      text: text ?? '',
      ...given({
        flow_id: textOf(wire.flow_id),
        flow_action: flowActions.find((action) => action === wordOf(wire.flow_action)),
        navigate_screen: textOf(wire.navigate_screen),
      }),
    }),
  }),
)

function urlFromWire(wire: JsonObject, text: string | null, category: TemplateCategory): TemplateButton | null {
  const url = textOf(wire.url)
  if (text === null || url === null) return null
  // Once created, the button that copies a code is listed as a url button that carries the code.
  const otp = category === 'authentication' ? /[?&]otp_type=(\w+)/i.exec(url)?.[1] : undefined
  if (otp) return { type: 'otp', otp_type: otp.toLowerCase(), text }
  return { type: 'url', text, url: numberPlaceholders(url).text, ...given({ example: exampleOf(wire) }) }
}

function exampleOf({ example }: JsonObject): string | null {
  return textOf(listOf(example)[0]) ?? textOf(example)
}

/** A button in the form that creates it; null for one that has none here. */
export function buttonToWire(button: TemplateButton): JsonObject | null {
  const { text } = button
  switch (button.type) {
    case 'quick_reply':
      return { type: 'QUICK_REPLY', text }
    case 'url': {
      const example = placeholdersIn(button.url).length > 0 ? { example: [button.example ?? ''] } : {}
      return { type: 'URL', text, url: button.url, ...example }
    }
    case 'phone_number':
      return { type: 'PHONE_NUMBER', text, phone_number: button.phone_number }
    case 'otp':
      return { type: 'OTP', otp_type: 'COPY_CODE', text }
    case 'copy_code':
      return { type: 'COPY_CODE', example: button.example ?? '' }
    case 'flow': {
      const { flow_id, flow_action, navigate_screen } = button
      return { type: 'FLOW', text, ...given({ flow_id, flow_action, navigate_screen }) }
    }
    case 'other':
      return null
  }
}

/** The entries that have a value. */
function given<Entries extends Record<string, unknown>>(
  entries: Entries,
): { [Key in keyof Entries]?: NonNullable<Entries[Key]> } {
  const filled = Object.entries(entries).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return Object.fromEntries(filled) as { [Key in keyof Entries]?: NonNullable<Entries[Key]> }
}
