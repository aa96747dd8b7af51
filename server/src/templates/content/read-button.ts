import { isRecord } from '../../lib/is-record.ts'
import { numberPlaceholders } from '../../lib/text/placeholders.ts'
import { type Context, fail, isGiven, listOf, lower, type Raw, readText, refuseOthers } from './raw-component.ts'
import type { OtpButton, TemplateButton, UrlButton } from './template-types.ts'

/** One button as a caller wrote it; undefined, with the reason in `problems`, when it cannot be read. */
export function readButton(raw: unknown, context: Context): TemplateButton | undefined {
  const { place, problems, category } = context
  if (!isRecord(raw)) return fail(problems, place, 'invalid_type', 'Give an object with `type` and `text`.')
  const type = lower(raw.type)
  const isCode = type === 'otp' && category === 'authentication'
  if (!isCode && type !== 'quick_reply' && type !== 'url' && type !== 'phone_number') {
    return fail(problems, `${place}.type`, 'invalid_value', 'Use quick_reply, url or phone_number.')
  }
  refuseOthers(raw, { own: fields[type], known, what: `A button of type ${type}` }, context)
  if (type === 'otp') return readOtp(raw, context)
  const text = readText(raw, 'text', context)
  if (text === undefined) return undefined
  if (type === 'quick_reply') return { type, text }
  if (type === 'url') return readUrl(raw, text, context)
  const phone_number = readText(raw, 'phone_number', context)
  return phone_number === undefined ? undefined : { type, text, phone_number }
}

const fields = {
  quick_reply: ['type', 'text'],
  url: ['type', 'text', 'url', 'example', 'optional'],
  phone_number: ['type', 'text', 'phone_number'],
  otp: ['type', 'text', 'otp_type'],
} as const
const known = [...new Set(Object.values(fields).flat())]

/** The other kinds fill the code in for an app, which would have to be named with its signature. */
function readOtp(raw: Raw, { place, problems }: Context): OtpButton | undefined {
  if (isGiven(raw.otp_type) && lower(raw.otp_type) !== 'copy_code') {
    const message = 'Only copy_code is supported: one_tap and zero_tap belong to an app, which cannot be named here.'
    return fail(problems, `${place}.otp_type`, 'invalid_value', message)
  }
  return { type: 'otp', otp_type: 'copy_code', text: typeof raw.text === 'string' ? raw.text : 'Copy code' }
}

function readUrl(raw: Raw, text: string, context: Context): UrlButton | undefined {
  const url = readText(raw, 'url', context)
  if (url === undefined) return undefined
  const [example, ...more] = listOf(raw.example)
  if (more.length > 0 || (example !== undefined && typeof example !== 'string')) {
    return fail(context.problems, `${context.place}.example`, 'invalid_type', 'Give one example, as a string.')
  }
  return {
    type: 'url',
    text,
    url: numberPlaceholders(url).text,
    ...(example === undefined ? {} : { example }),
    ...(raw.optional === true ? { optional: true as const } : {}),
  }
}
