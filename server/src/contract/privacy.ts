import type { UpstreamFailure } from './app-error.ts'

/**
 * What a value says about a customer. It decides what readers who see no people get of it, and what is left of it when
 * the customer is erased.
 *
 * - `kept`: nothing.
 * - `personal`: words, a name, a user id, a file.
 * - `address`: a phone number or user id.
 * - `customer`: the id of the customer, which names nobody and goes with them.
 * - `reference`: the caller's own text, which may name the customer.
 * - `sent_message`, `received_message`: the id of this message at Meta, which contains the customer's number.
 * - `other_message`: the id of another message of the customer.
 */
export type Privacy =
  | 'kept'
  | 'personal'
  | 'address'
  | 'customer'
  | 'reference'
  | 'sent_message'
  | 'received_message'
  | 'other_message'

/** A declaration for each field of a record; a record inside it, or its JSON text, has one of its own. */
export type PrivacyOf = { readonly [field: string]: Privacy | PrivacyOf }

export type Treatment = Readonly<Record<Exclude<Privacy, 'kept'>, (value: unknown) => unknown>>

/** A record with each field treated as declared. A field without a declaration counts as personal. */
export function treated(
  record: Readonly<Record<string, unknown>>,
  declared: PrivacyOf,
  treatment: Treatment,
): Record<string, unknown> {
  const entries = Object.entries(record).map(([field, value]) => {
    const privacy = declared[field] ?? 'personal'
    if (value === null || privacy === 'kept') return [field, value]
    if (typeof privacy === 'string') return [field, treatment[privacy](value)]
    const inner: unknown = typeof value === 'string' ? JSON.parse(value) : value
    const changed = typeof inner === 'object' ? treated({ ...inner }, privacy, treatment) : null
    return [field, inner === value ? changed : JSON.stringify(changed)]
  })
  return Object.fromEntries(entries) as Record<string, unknown>
}

/** Meta's own words may quote the customer. */
export const upstreamPrivacy = {
  code: 'kept',
  title: 'personal',
  detail: 'personal',
  trace_id: 'kept',
} as const satisfies Record<keyof UpstreamFailure, Privacy>

export const failurePrivacy = {
  code: 'kept',
  message: 'kept',
  retryable: 'kept',
  upstream: upstreamPrivacy,
} as const satisfies PrivacyOf
