import {
  contactInfoLabel,
  flowActions,
  type OtpButton,
  type ProductsButton,
  productLabels,
  type SupportedApp,
  type TemplateButton,
  type TemplateCategory,
} from '../../contract/template-content.ts'
import { numberPlaceholders, placeholdersIn } from '../../lib/text/placeholders.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from './lenient-json.ts'

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
    otp: (wire, text) => ({
      type: 'otp',
      otp_type: wordOf(wire.otp_type) || 'copy_code',
      text: text ?? '',
      ...given({ autofill_text: textOf(wire.autofill_text), supported_apps: appsFromWire(wire.supported_apps) }),
      ...(wire.zero_tap_terms_accepted === true ? { zero_tap_terms_accepted: true as const } : {}),
    }),
    url: urlFromWire,
    // The label belongs to Meta.
    copy_code: (wire) => ({ type: 'copy_code', text: '', ...given({ example: exampleOf(wire) }) }),
    catalog: (_wire, text) => productsButton('catalog', text),
    mpm: (_wire, text) => productsButton('mpm', text),
    spm: (_wire, text) => productsButton('spm', text),
    request_contact_info: (_wire, text) => ({ type: 'request_contact_info', text: text ?? contactInfoLabel }),
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

function productsButton(type: ProductsButton['type'], text: string | null): ProductsButton {
  return { type, text: text ?? productLabels[type] }
}

function urlFromWire(wire: JsonObject, text: string | null, category: TemplateCategory): TemplateButton | null {
  const url = textOf(wire.url)
  if (text === null || url === null) return null
  const otp = category === 'authentication' ? otpFromQuery(new URLSearchParams(url.split('?')[1]), text) : null
  if (otp) return otp
  return { type: 'url', text, url: numberPlaceholders(url).text, ...given({ example: exampleOf(wire) }) }
}

/**
 * Once created, the button with a code is listed as a url button that carries the code. The apps that may receive it
 * are two lists beside each other; templates for them exist only where the terms were accepted.
 */
function otpFromQuery(query: URLSearchParams, text: string): TemplateButton | null {
  const otp_type = wordOf(query.get('otp_type'))
  if (!otp_type) return null
  // A hash has no spaces: one was a `+` that stood there as itself.
  const hashes = query.get('signature_hash')?.replaceAll(' ', '+').split(',') ?? []
  const apps = (query.get('package_name')?.split(',') ?? []).map((package_name, index) => ({
    package_name,
    signature_hash: hashes[index] ?? '',
  }))
  return {
    type: 'otp',
    otp_type,
    text,
    ...given({ autofill_text: query.get('cta_display_name'), supported_apps: appsFromWire(apps) }),
    ...(otp_type === 'zero_tap' ? { zero_tap_terms_accepted: true as const } : {}),
  }
}

/** Null unless every app is complete: an edit would lose the others. */
function appsFromWire(value: unknown): SupportedApp[] | null {
  const apps = listOf(value).map((app) => {
    const { package_name, signature_hash } = objectOf(app) ?? {}
    return { package_name: textOf(package_name) ?? '', signature_hash: textOf(signature_hash) ?? '' }
  })
  return apps.length > 0 && apps.every((app) => app.package_name && app.signature_hash) ? apps : null
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
      return otpToWire(button)
    case 'copy_code':
      return { type: 'COPY_CODE', example: button.example ?? '' }
    case 'flow': {
      const { flow_id, flow_action, navigate_screen } = button
      return { type: 'FLOW', text, ...given({ flow_id, flow_action, navigate_screen }) }
    }
    case 'catalog':
    case 'mpm':
    case 'spm':
      return { type: button.type.toUpperCase(), text }
    case 'request_contact_info':
      return { type: 'REQUEST_CONTACT_INFO' }
    case 'other':
      return null
  }
}

function otpToWire({ otp_type, text, autofill_text, supported_apps, zero_tap_terms_accepted }: OtpButton): JsonObject {
  const app = given({ autofill_text, supported_apps, zero_tap_terms_accepted })
  return { type: 'OTP', otp_type: otp_type.toUpperCase(), text, ...app }
}

/** The entries that have a value. */
function given<Entries extends Record<string, unknown>>(
  entries: Entries,
): { [Key in keyof Entries]?: NonNullable<Entries[Key]> } {
  const filled = Object.entries(entries).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return Object.fromEntries(filled) as { [Key in keyof Entries]?: NonNullable<Entries[Key]> }
}
