import type { ItemInContext, ItemOutcome } from '../channels/callbacks/callback-items.ts'
import { AppError } from '../contract/app-error.ts'
import type { EventData } from '../contract/events.ts'
import { bodyProblem } from '../contract/schema.ts'
import { publishEvent } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import type { UserPreferenceItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import { findPreferences, noteNewPreference, notePreference } from '../store/messages/contacts.ts'
import { customerAddresses } from './linked-addresses.ts'

type Entry = ItemInContext<UserPreferenceItem>

const states: ReadonlyMap<string, 'opted_out' | 'opted_in'> = new Map([
  ['stop', 'opted_out'],
  ['resume', 'opted_in'],
])

/** Customers stop marketing messages, or take them again. One after another: two words of one customer may be in a batch. */
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
  const known = await marketingPreference(rt, { id: number.id, accountId }, address)
  // Late or repeated.
  if (known.at !== null && (known.at > at || (known.at === at && known.state === state))) return 'applied'
  const unit = new Unit()
  // Not required under the other address: where a newer word stands there, this one still links the two.
  const noteFor = (one: string) => (one === address ? noteNewPreference : notePreference)
  addPreference(rt, unit, { accountId, number, phone, userId, state, at }, noteFor)
  try {
    await rt.store.write(unit)
  } catch (error) {
    // Late or repeated by now: another node has noted and told it since it was read.
    if (!(error instanceof ConditionFailed && error.operation === noteNewPreference.name)) throw error
  }
  return 'applied'
}

type Preference = {
  accountId: string
  number: { id: string; phoneNumber: string }
  /** One of the two is known. */
  phone: string | null
  userId: string | null
  state: 'opted_out' | 'opted_in'
  at: number
}

/** Notes what a customer allows to one number, and tells the services of the account. */
export function addPreference(
  rt: Runtime,
  unit: Unit,
  { accountId, number, phone, userId, state, at }: Preference,
  noteFor: (address: string) => typeof notePreference = () => notePreference,
): void {
  const addresses = [phone, userId].filter((address) => address !== null)
  for (const address of addresses) {
    unit.add(noteFor(address), {
      number_id: number.id,
      address,
      account_id: accountId,
      phone,
      user_id: userId,
      opted_out_at: state === 'opted_out' ? at : null,
      preference_at: at,
    })
  }
  const data: EventData<'customer.preference_changed'> = {
    customer: phone,
    user_id: userId,
    phone_number: number.phoneNumber,
    category: 'marketing',
    preference: state,
    timestamp: formatInstant(at),
  }
  const subject = customerSubject(rt, accountId, userId ?? phone ?? '')
  publishEvent(rt, unit, { accountId, type: 'customer.preference_changed', subject, sequence: 1, data })
}

/** What the events of a customer are found by, without naming them. */
export function customerSubject(rt: Pick<Runtime, 'recipients'>, accountId: string, address: string): string {
  return `customer_${rt.recipients.hash(accountId, address)}`
}

/** What a customer told the platform about marketing messages of one number; `unknown`: nothing. */
type MarketingPreference = { state: 'opted_out' | 'opted_in' | 'unknown'; at: number | null }

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
