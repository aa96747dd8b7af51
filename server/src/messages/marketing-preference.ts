import { AppError } from '../contract/app-error.ts'
import { bodyProblem } from '../contract/field-codes.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { findPreferences } from '../store/messages/contacts.ts'
import { customerAddresses } from './linked-addresses.ts'

/** What a customer told the platform about marketing messages of one number; `unknown`: nothing. */
export type MarketingPreference = { state: 'opted_out' | 'opted_in' | 'unknown'; at: number | null }

type Place = { id: string; accountId: string }

/** The newest word counts, under whichever address of the customer it came. */
export async function marketingPreference(
  rt: Runtime,
  { id, accountId }: Place,
  address: string,
): Promise<MarketingPreference> {
  const addresses = await customerAddresses(rt, accountId, address)
  const rows = await rt.store.read(findPreferences, { number_id: id, addresses })
  const [newest] = rows.sort((a, b) => (b.preference_at ?? 0) - (a.preference_at ?? 0))
  if (!newest) return { state: 'unknown', at: null }
  return { state: newest.opted_out_at === null ? 'opted_in' : 'opted_out', at: newest.preference_at }
}

/** A customer who stopped marketing messages gets none, unless the operator leaves that to the platform. */
export async function requireMarketingAllowed(
  rt: Runtime,
  number: Place & { phoneNumber: string },
  address: string,
): Promise<void> {
  if (rt.config.marketingOptOut === 'platform') return
  const { state, at } = await marketingPreference(rt, number, address)
  if (state !== 'opted_out') return
  const sentence = `The customer opted out of marketing messages from ${number.phoneNumber}. Nothing was sent.`
  const message = `Opted out: ${formatInstant(at)}. Other categories and free-form messages can still be sent.`
  throw new AppError('recipient_opted_out', sentence, {
    details: [bodyProblem('to', 'invalid_value', message)],
  })
}
