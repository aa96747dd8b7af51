import { createHmac } from 'node:crypto'
import { privacyOf } from '../contract/events.ts'
import { type PrivacyOf, treated } from '../contract/privacy.ts'
import { isRecord } from '../lib/is-record.ts'
import { maskPhone } from '../lib/text/mask.ts'
import type { Runtime } from '../runtime.ts'

/**
 * `delivered`: on its way to a receiver, who matches a status by the id that Meta gave for the send. `ownId` is our id of
 * the message; null where it is not known.
 */
export type MaskedFor = { delivered: boolean; ownId: string | null }

/**
 * An event for a reader who sees no people: no words, numbers with their first and last digits, ids of our own. The same
 * event is always the same bytes, so each attempt can be signed anew.
 */
export function maskedEvent(body: string, { delivered, ownId }: MaskedFor): string {
  const event = JSON.parse(body) as { type?: unknown; data?: unknown }
  const declared = privacyOf(String(event.type))
  const { data } = event
  if (declared === null || !isRecord(data)) return body
  const addresses = addressesIn(data, declared)
  const masked = treated(data, declared, {
    personal: () => null,
    address: (value) => maskPhone(String(value)),
    customer: (value) => value,
    reference: (value) => (namesAny(String(value), addresses) ? null : value),
    sent_message: (value) => (delivered ? value : ownId),
    received_message: () => ownId,
    other_message: () => null,
  })
  return JSON.stringify({ ...event, data: masked })
}

/** The caller's own text about a message, unless it names the customer. */
export function shownReference(reference: string | null, addresses: readonly (string | null)[]): string | null {
  return reference !== null && namesAny(reference, addresses) ? null : reference
}

function addressesIn(data: Readonly<Record<string, unknown>>, declared: PrivacyOf): string[] {
  return Object.entries(data).flatMap(([field, value]) =>
    typeof value === 'string' && (declared[field] === 'address' || field === 'user_id') ? [value] : [],
  )
}

function namesAny(text: string, addresses: readonly (string | null)[]): boolean {
  return addresses.some((address) => address !== null && text.includes(address.replace(/^\+/, '')))
}

const prefix = 'erased_'
const hashChars = 32

/**
 * What is left of an id of Meta's when its customer is erased: the id contains their number, its hash doesn't, and a caller
 * with the id still finds the message. The key comes from the pepper, which stays the same when the master key is rotated.
 * Our own ids, and hashes, remain as they are.
 */
export async function erasedIds(rt: Pick<Runtime, 'pepper'>, accountId: string): Promise<(id: string) => string> {
  const pepper = await rt.pepper()
  return (id) => {
    if (isErasedId(id) || /^(in|out)_/.test(id)) return id
    const hash = createHmac('sha256', pepper).update(`erased message\n${accountId}\n${id}`).digest('base64url')
    return `${prefix}${hash.slice(0, hashChars)}`
  }
}

/** Meta knows no message by such an id. */
export function isErasedId(id: string): boolean {
  return id.startsWith(prefix)
}
