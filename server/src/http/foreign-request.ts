import { isRecord } from '../lib/is-record.ts'

const fromMeta = "This is a request for Meta's Cloud API; /docs/from-meta shows how to write it here."
const fromTwilio = 'This is a request for Twilio; /docs/from-twilio shows how to write it here.'

/** The guide for a caller who sends another API's request; null for all others. */
export function foreignPath(path: string): string | null {
  if (/^\/v\d+\.\d+\//.test(path)) return fromMeta
  return /^\/2010-04-01\//.test(path) ? fromTwilio : null
}

/** A feature of Meta's that this API doesn't support; null for everything else. */
export function leftOutPath(path: string): string | null {
  const [, name = ''] = /^\/v1(?:\/chat)?\/([a-z]+)(?:\/|$)/.exec(path) ?? []
  const [what, call] = leftOut[name] ?? []
  if (what === undefined) return null
  return `${what} not part of this API. A tool with a connection can call Meta for it: ${call} (docs: /docs/tools).`
}

const leftOut: Readonly<Record<string, readonly [what: string, call: string]>> = {
  groups: ['Groups are', 'POST /graph/v26.0/{phone_number_id}/groups'],
  calls: ['Voice calls are', 'POST /graph/v26.0/{phone_number_id}/calls'],
  flows: ['The management of Flows is', 'POST /graph/v26.0/{waba_id}/flows'],
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
