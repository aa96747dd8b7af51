import type { ItemInContext, ItemOutcome } from '../channels/callbacks/callback-items.ts'
import { AppError } from '../contract/app-error.ts'
import type { EventData } from '../contract/events.ts'
import { bodyProblem } from '../contract/schema.ts'
import { publishEvent } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import { addressKey } from '../lib/phone.ts'
import type { UserPreferenceItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import type { RowOf } from '../store/engine/operation.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { findPreference, notePreference } from '../store/messages/contacts.ts'
import { asCustomer } from './customers/as-customer.ts'

type Entry = ItemInContext<UserPreferenceItem>

const states: ReadonlyMap<string, 'opted_out' | 'opted_in'> = new Map([
  ['stop', 'opted_out'],
  ['resume', 'opted_in'],
])

/**
 * Customers stop marketing messages, or take them again. One after another: two words of one customer may be in a batch.
 */
export async function receivePreferences(rt: Runtime, batch: readonly Entry[]): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = []
  for (const entry of batch) outcomes.push(await receivePreference(rt, entry))
  return outcomes
}

async function receivePreference(rt: Runtime, { item, context }: Entry): Promise<ItemOutcome> {
  const { accountId, number } = context
  const { phone, userId } = item.customer
  const state = states.get(item.value)
  const address = userId ?? phone
  if (!number || !state || item.category !== 'marketing_messages' || address === null) return 'unhandled'
  const at = item.at ?? context.receivedAt
  const identity = { phone, userId, channelId: context.channel.id, at }
  try {
    await asCustomer(rt, accountId, identity, async (unit, customerId) => {
      addPreference(rt, unit, { accountId, number, customerId, phone, userId, state, at, source: 'whatsapp', by: null })
      await rt.store.write(unit)
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.operation === notePreference.name)) throw error
    // Late or repeated: it still tells that number and user id are one.
    await asCustomer(rt, accountId, identity, (unit) => rt.store.write(unit))
  }
  return 'applied'
}

/** The source of a marketing preference. */
export type PreferenceSource = 'whatsapp' | 'keyword' | 'console' | 'api'

type Preference = {
  accountId: string
  number: { id: string; phoneNumber: string }
  customerId: string
  phone: string | null
  userId: string | null
  state: 'opted_out' | 'opted_in'
  at: number
  source: PreferenceSource
  /** The person or key that recorded it; null if the customer said it themselves. */
  by: string | null
}

/**
 * Notes what a customer allows to one number, and tells the services of the account. The unit fails for a late or repeated
 * word.
 */
export function addPreference(rt: Runtime, unit: Unit, preference: Preference): void {
  const { accountId, number, customerId, phone, userId, state, at, source, by } = preference
  unit.add(notePreference, {
    number_id: number.id,
    customer_id: customerId,
    account_id: accountId,
    opted_out_at: state === 'opted_out' ? at : null,
    preference_at: at,
    preference_source: source,
    preference_by: by,
  })
  const data: EventData<'customer.preference_changed'> = {
    customer_id: customerId,
    customer: phone,
    user_id: userId,
    phone_number: number.phoneNumber,
    category: 'marketing',
    preference: state,
    source,
    timestamp: formatInstant(at),
  }
  publishEvent(rt, unit, { accountId, type: 'customer.preference_changed', subject: customerId, sequence: 1, data })
}

/** A customer's marketing preference for one number; `unknown` if they have none. */
export type MarketingPreference = {
  state: 'opted_out' | 'opted_in' | 'unknown'
  at: number | null
  source: string | null
  by: string | null
}

type Place = { id: string; accountId: string }

export async function marketingPreference(
  rt: Runtime,
  { id, accountId }: Place,
  address: string,
): Promise<MarketingPreference> {
  const wanted = { account_id: accountId, number_id: id, address: addressKey(address) }
  const [row] = await rt.store.read(findPreference, wanted)
  return preferenceOf(row)
}

type PreferenceRow = RowOf<(typeof findPreference)['returns']>

export function preferenceOf(row: PreferenceRow | undefined): MarketingPreference {
  if (!row || row.preference_at === null) return { state: 'unknown', at: null, source: null, by: null }
  const { opted_out_at, preference_at: at, preference_source: source, preference_by: by } = row
  return { state: opted_out_at === null ? 'opted_in' : 'opted_out', at, source, by }
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
