import { createHash } from 'node:crypto'
import { maskPhone, maskText } from '../lib/text/mask.ts'

export type LogFields = Readonly<Record<string, unknown>>

/**
 * Fields as they may be written: denied keys are gone at any depth, headers are cut to an allow list, phone numbers are
 * masked. Bodies and messages of customers therefore cannot reach a log even when a whole request is passed.
 */
export function redactFields(fields: LogFields): Record<string, unknown> {
  return redactObject(fields, 0)
}

/** The same as text: members of a JSON object, with a comma in front of each. */
export function redactedMembers(fields: LogFields): string {
  let members = ''
  for (const key of Object.keys(fields)) {
    const { rule, member } = knownKey(key)
    if (rule === 'drop') continue
    const json = redactedJson(rule, fields[key])
    if (json !== undefined) members += member + json
  }
  return members
}

/** Undefined for what JSON has no value for. Nearly all fields are single values, and need no object of their own. */
function redactedJson(rule: Rule, value: unknown): string | undefined {
  if (rule === 'headers') return JSON.stringify(redactHeaders(value))
  if (typeof value === 'string') return JSON.stringify(redactString(value, rule))
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  return value === null ? 'null' : JSON.stringify(redactValue(rule, value, 1))
}

/** Whether a field of this name, in whatever spelling, holds a secret. */
export function namesSecret(name: string): boolean {
  return /(?:secret|password|token)$/i.test(name)
}

/** A URL without the secrets of its query: tools put their tokens there. */
export function redactQuery(url: string): string {
  return url.replace(/([?&])([^=&]+)=[^&]+/g, (pair, sign: string, name: string) =>
    namesSecret(name) ? `${sign}${name}=[secret]` : pair,
  )
}

const denied = new Set([
  'apikey',
  'authorization',
  'body',
  'caption',
  'challenge',
  'components',
  'connectionstring',
  'cookie',
  'databaseurl',
  'masterkey',
  'message',
  'privatekey',
  'proxyauthorization',
  'rawbody',
  'setcookie',
  'text',
])
const phoneKeys = new Set(['customer', 'from', 'phone', 'phonenumber', 'recipient', 'to', 'waid'])
const headersAllowed = new Set(['contenttype', 'useragent', 'xclientrequestid'])

const errorFields = new Set([
  'address',
  'code',
  'constraint',
  'errno',
  'kind',
  'operation',
  'outcome',
  'path',
  'port',
  'reason',
  'severity',
  'status',
  'statusCode',
  'syscall',
  'table',
  'upstream',
])

// Deep or long values are mistakes of the caller; the limits keep one of them from filling a disk.
const depthMax = 6
const entriesMax = 100
const charactersMax = 8192

function redactObject(source: object, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(source)) {
    const { rule } = knownKey(key)
    if (rule === 'drop' || typeof value === 'function') continue
    result[key] = rule === 'headers' ? redactHeaders(value) : redactValue(rule, value, depth + 1)
  }
  return result
}

type Rule = 'drop' | 'headers' | 'phone' | 'keep'

/** `member` is how the key stands in a line. */
type KnownKey = { readonly rule: Rule; readonly member: string }

// Nearly all keys are literals of our own code; the limit is for objects whose keys come from outside.
const knownKeys = new Map<string, KnownKey>()
const knownKeysMax = 2000

function knownKey(key: string): KnownKey {
  const known = knownKeys.get(key)
  if (known !== undefined) return known
  const rule = decideRule(key.toLowerCase().replaceAll(/[-_]/g, ''))
  const fresh = { rule, member: `,${JSON.stringify(key)}:` }
  if (knownKeys.size < knownKeysMax) knownKeys.set(key, fresh)
  return fresh
}

function decideRule(plainKey: string): Rule {
  if (denied.has(plainKey) || namesSecret(plainKey)) return 'drop'
  if (plainKey === 'headers') return 'headers'
  return phoneKeys.has(plainKey) ? 'phone' : 'keep'
}

function redactValue(rule: Rule, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactString(value, rule)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > depthMax) return '[too deep]'
  if (value instanceof Error) return describeError(value, depth)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.slice(0, entriesMax).map((entry) => redactValue(rule, entry, depth + 1))
  return redactObject(value, depth)
}

function redactString(value: string, rule: Rule = 'keep'): string {
  const text = value.length > charactersMax ? `${value.slice(0, charactersMax)}…` : value
  // The platform writes numbers without '+'.
  return rule === 'phone' && /^\d{7,15}$/.test(text) ? maskPhone(`+${text}`) : maskText(text)
}

/**
 * `reason`, because a field called `message` is customers' text and never written. Of an error's own fields only those
 * that name things: a database quotes the whole row it refused in `detail` and `where`.
 */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const own = Object.entries(error).filter(([key]) => errorFields.has(key))
  return {
    type: error.constructor.name,
    reason: redactString(error.message),
    ...redactObject(Object.fromEntries(own), depth),
    ...(error.cause === undefined ? {} : { cause: redactValue('keep', error.cause, depth + 1) }),
    stack: redactString(error.stack ?? ''),
  }
}

function redactHeaders(headers: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(headers ?? {})) {
    const plainName = name.toLowerCase().replaceAll('-', '')
    if (headersAllowed.has(plainName)) result[name] = redactValue('keep', value, depthMax)
    else if (plainName === 'idempotencykey') result[name] = fingerprint(String(value))
  }
  return result
}

/** Enough to see that two requests carried the same key; the key itself may be an order or a customer number. */
function fingerprint(value: string): string {
  return `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 12)}`
}
