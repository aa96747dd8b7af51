import { isRecord } from '../../lib/is-record.ts'
import { numberPlaceholders } from '../../lib/text/placeholders.ts'
import {
  type Context,
  contactInfoLabel,
  fail,
  flowActions,
  isGiven,
  listOf,
  lower,
  otpTypes,
  type ProductsButton,
  productLabels,
  type Raw,
  readText,
  refuseOthers,
  type SupportedApp,
  type TemplateButton,
} from './template-types.ts'

/** One button as a caller wrote it; undefined, with the reason in `problems`, when it cannot be read. */
export function readButton(raw: unknown, context: Context): TemplateButton | undefined {
  const { place, problems, category } = context
  if (!isRecord(raw)) return fail(problems, place, 'invalid_type', 'Give an object with `type` and `text`.')
  const type = buttonTypes.find((known) => known === lower(raw.type))
  if (type === undefined || (type === 'otp' && category !== 'authentication')) {
    const others = buttonTypes.filter((known) => known !== 'otp')
    return fail(
      problems,
      `${place}.type`,
      'invalid_value',
      `Use ${others.slice(0, -1).join(', ')} or ${others.at(-1)}.`,
    )
  }
  const { fields, read } = kinds[type]
  refuseOthers(raw, { own: fields, known, what: `A button of type ${type}` }, context)
  return read(raw, context)
}

type Kind = { fields: readonly string[]; read: (raw: Raw, context: Context) => TemplateButton | undefined }
type ButtonType = Exclude<TemplateButton['type'], 'other'>

const kinds: Record<ButtonType, Kind> = {
  quick_reply: {
    fields: ['type', 'text'],
    read: (raw, context) => labelled(raw, context, (text) => ({ type: 'quick_reply', text })),
  },
  url: { fields: ['type', 'text', 'url', 'example', 'optional'], read: readUrl },
  phone_number: { fields: ['type', 'text', 'phone_number'], read: readPhone },
  copy_code: { fields: ['type', 'text', 'example'], read: readCopyCode },
  flow: { fields: ['type', 'text', 'flow_id', 'flow_action', 'navigate_screen'], read: readFlow },
  catalog: { fields: ['type', 'text'], read: (raw, context) => readProducts('catalog', raw, context) },
  mpm: { fields: ['type', 'text'], read: (raw, context) => readProducts('mpm', raw, context) },
  spm: { fields: ['type', 'text'], read: (raw, context) => readProducts('spm', raw, context) },
  request_contact_info: { fields: ['type', 'text'], read: readContactInfo },
  otp: {
    fields: ['type', 'text', 'otp_type', 'autofill_text', 'supported_apps', 'zero_tap_terms_accepted'],
    read: readOtp,
  },
}
const buttonTypes = Object.keys(kinds) as ButtonType[]
const known = [...new Set(Object.values(kinds).flatMap(({ fields }) => fields))]

function labelled<Button>(
  raw: Raw,
  context: Context,
  withText: (text: string) => Button | undefined,
): Button | undefined {
  const text = readText(raw, 'text', context)
  return text === undefined ? undefined : withText(text)
}

function readPhone(raw: Raw, context: Context): TemplateButton | undefined {
  return labelled(raw, context, (text) => {
    const phone_number = readText(raw, 'phone_number', context)
    return phone_number === undefined ? undefined : { type: 'phone_number', text, phone_number }
  })
}

/** `text` is taken where it is empty, as the record shows it. */
function readCopyCode(raw: Raw, context: Context): TemplateButton | undefined {
  if (isGiven(raw.text) && raw.text !== '') {
    const message = 'Leave `text` out: Meta labels the button, in the language of the customer.'
    return fail(context.problems, `${context.place}.text`, 'invalid_value', message)
  }
  const example = readExample(raw, context)
  return example === null ? undefined : { type: 'copy_code', text: '', ...(example ? { example } : {}) }
}

function readFlow(raw: Raw, context: Context): TemplateButton | undefined {
  return labelled(raw, context, (text) => {
    const flow_id = readText(raw, 'flow_id', context)
    if (flow_id === undefined) return undefined
    const action = flowActions.find((one) => one === lower(raw.flow_action))
    const screen = isGiven(raw.navigate_screen) ? readText(raw, 'navigate_screen', context) : undefined
    return {
      type: 'flow',
      text,
      flow_id,
      ...(action ? { flow_action: action } : {}),
      ...(screen === undefined ? {} : { navigate_screen: screen }),
    }
  })
}

/** Meta takes no label, or exactly its own. */
function readContactInfo(raw: Raw, context: Context): TemplateButton | undefined {
  if (isGiven(raw.text) && raw.text !== contactInfoLabel) {
    const message = `Leave \`text\` out: Meta labels the button "${contactInfoLabel}".`
    return fail(context.problems, `${context.place}.text`, 'invalid_value', message)
  }
  return { type: 'request_contact_info', text: contactInfoLabel }
}

function readProducts(type: ProductsButton['type'], raw: Raw, context: Context): TemplateButton | undefined {
  if (!isGiven(raw.text)) return { type, text: productLabels[type] }
  return labelled(raw, context, (text) => ({ type, text }))
}

function readOtp(raw: Raw, { place, problems }: Context): TemplateButton | undefined {
  const otp_type = isGiven(raw.otp_type) ? otpTypes.find((known) => known === lower(raw.otp_type)) : 'copy_code'
  if (!otp_type) return fail(problems, `${place}.otp_type`, 'invalid_value', `Use ${otpTypes.join(', ')}.`)
  const text = typeof raw.text === 'string' ? raw.text : 'Copy code'
  const own = ['autofill_text', 'supported_apps', 'zero_tap_terms_accepted'].filter((key) => isGiven(raw[key]))
  if (otp_type === 'copy_code') {
    for (const key of own)
      fail(problems, `${place}.${key}`, 'unknown_field', `Only one_tap and zero_tap have \`${key}\`.`)
    return { type: 'otp', otp_type, text }
  }
  const apps = raw.supported_apps ?? []
  if (!Array.isArray(apps) || !apps.every(isRecord)) {
    const message = 'Give a list of objects with `package_name` and `signature_hash`.'
    return fail(problems, `${place}.supported_apps`, 'invalid_type', message)
  }
  return {
    type: 'otp',
    otp_type,
    text,
    ...(typeof raw.autofill_text === 'string' ? { autofill_text: raw.autofill_text } : {}),
    ...(apps.length > 0 ? { supported_apps: apps as SupportedApp[] } : {}),
    ...(raw.zero_tap_terms_accepted === true ? { zero_tap_terms_accepted: true as const } : {}),
  }
}

function readUrl(raw: Raw, context: Context): TemplateButton | undefined {
  return labelled(raw, context, (text) => {
    const url = readText(raw, 'url', context)
    const example = readExample(raw, context)
    if (url === undefined || example === null) return undefined
    return {
      type: 'url',
      text,
      url: numberPlaceholders(url).text,
      ...(example === undefined ? {} : { example }),
      ...(raw.optional === true ? { optional: true as const } : {}),
    }
  })
}

/** Undefined where none is given, null where it cannot be read. */
function readExample(raw: Raw, { place, problems }: Context): string | undefined | null {
  const [example, ...more] = listOf(raw.example)
  if (more.length === 0 && (example === undefined || typeof example === 'string')) return example
  fail(problems, `${place}.example`, 'invalid_type', 'Give one example, as a string.')
  return null
}
