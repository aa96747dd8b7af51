import { createHash } from 'node:crypto'
import type { UnhandledItem, UnhandledReason } from '../../callback-item.ts'
import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../lenient-json.ts'

/** The context of an item in the body: the values it inherits. */
export type Place = {
  wabaId: string | null
  phoneNumberId: string | null
  /** The number itself, where the change names it. */
  ownPhone: string | null
  field: string | null
  /** The entry's own time, as written; part of the identity of events that have no id. */
  entryTime: unknown
  contacts: Contacts
}

/** The people a change mentions, found by number or user id: a batch can hold 1,000 messages of 1,000 people. */
export type Contacts = ReadonlyMap<string, JsonObject>

export function contactsOf(value: unknown): Contacts {
  const contacts = new Map<string, JsonObject>()
  for (const item of listOf(value)) {
    const contact = objectOf(item)
    if (!contact) continue
    for (const key of [phoneOf(contact.wa_id), textOf(contact.user_id)]) if (key !== null) contacts.set(key, contact)
  }
  return contacts
}

/** Seconds below, milliseconds above: 10^11 s is the year 5138, 10^11 ms is 1973. */
const secondsMax = 100_000_000_000
/** The year 10000; later times cannot be written as an ISO date of four digits. */
const timeMsMax = 253_402_300_800_000

/** Milliseconds since 1970 from seconds or milliseconds, as number or text. */
export function timeOf(value: unknown): number | null {
  const number = numberOf(value)
  if (number === null || number <= 0) return null
  const ms = Math.trunc(number < secondsMax ? number * 1_000 : number)
  return ms < timeMsMax ? ms : null
}

/** E.164 with `+` from the platform's bare digits; null for what cannot be a number. */
export function phoneOf(value: unknown): string | null {
  const text = textOf(value)
  if (text === null || !/^[+\d\s().-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '')
  return digits.length >= 5 && digits.length <= 20 ? `+${digits}` : null
}

const keyCharsMax = 300

/** Long parts are hashed: an index refuses long keys, and an id the platform made long must not cost its neighbours. */
export function dedupeKey(...parts: (string | null)[]): string {
  const key = parts.map((part) => part ?? '').join(':')
  return key.length <= keyCharsMax ? key : `${parts[0]}:sha256:${sha256(key)}`
}

/** For events without an id: the same words at the same time are the same event. */
export function eventKey(kind: string, place: Place, value: unknown): string {
  return dedupeKey(kind, place.wabaId, sha256(jsonTextOf([place.field, place.phoneNumberId, place.entryTime, value])))
}

export function unhandled(reason: UnhandledReason, place: Place, value: unknown): UnhandledItem {
  const raw =
    typeof value === 'string' ? JSON.stringify(value.toWellFormed().replaceAll('\u0000', '\ufffd')) : jsonTextOf(value)
  return {
    kind: 'unhandled',
    dedupeKey: dedupeKey('unhandled', reason, place.wabaId, sha256(raw)),
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    reason,
    field: place.field,
    raw,
  }
}

/** A part kept as the platform wrote it, safe to store as JSON. */
export function rawOf(value: unknown): JsonObject | null {
  const object = objectOf(value)
  return object ? objectOf(JSON.parse(jsonTextOf(object))) : null
}

/** JSON.stringify recurses, so a body of a million brackets would overflow it where JSON.parse did not. */
function jsonTextOf(value: unknown): string {
  try {
    return JSON.stringify(value, wellFormed) ?? 'null'
  } catch {
    return '"[nested too deeply to keep]"'
  }
}

/** Half surrogate pairs are legal in JSON text and refused by databases. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
