import { isRecord } from '../lib/is-record.ts'

const fromMeta = "This is a request for Meta's Cloud API; /docs/from-meta shows how to write it here."
const fromTwilio = 'This is a request for Twilio; /docs/from-twilio shows how to write it here.'

/** Where to read on for a caller who sends what another API takes; null for everybody else. */
export function foreignPath(path: string): string | null {
  if (/^\/v\d+\.\d+\//.test(path)) return fromMeta
  return /^\/2010-04-01\//.test(path) ? fromTwilio : null
}

/** Meta puts the content into a field named after its type, text without one; Twilio writes fields with a capital. */
export function foreignBody(body: unknown): string | null {
  if (!isRecord(body)) return null
  if (hasOwnNode(body) || 'recipient_type' in body) return fromMeta
  return 'To' in body && twilioFields.some((field) => field in body) ? fromTwilio : null
}

function hasOwnNode(body: Record<string, unknown>): boolean {
  const { type = 'text' } = body
  return typeof type === 'string' && cloudTypes.includes(type) && typeof body[type] === 'object' && body[type] !== null
}

/** Twilio takes forms. */
export function foreignForm(bytes: Buffer): string | null {
  const fields = bytes.subarray(0, formBytesMax).toString('latin1').split('&')
  return foreignBody(Object.fromEntries(fields.map((field) => [field.split('=', 1)[0] ?? '', ''])))
}

export function withAdvice(sentence: string, advice: string | null): string {
  return advice === null ? sentence : `${sentence} ${advice}`
}

const cloudTypes = [
  ...['text', 'template', 'interactive', 'reaction', 'location', 'contacts'],
  ...['image', 'video', 'audio', 'document', 'sticker'],
]
const twilioFields = ['From', 'Body', 'ContentSid', 'MediaUrl', 'MessagingServiceSid']
const formBytesMax = 2_000
