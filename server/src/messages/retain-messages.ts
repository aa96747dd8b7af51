import { dayMs, hourMs } from '../lib/durations.ts'
import { firstIdAt, timeOfId } from '../lib/ids.ts'
import type { Runtime } from '../runtime.ts'
import { expireIdempotencyKeys } from '../store/accounts/idempotency.ts'
import { readFact, replaceFact } from '../store/accounts/installation.ts'
import { expireRate, findEmptyRates } from '../store/channels/numbers.ts'
import type { Shape } from '../store/engine/operation.ts'
import { type CallHandle, Unit } from '../store/engine/unit.ts'
import {
  dropSilentAddresses,
  dropSilentContacts,
  dropSilentConversations,
  dropSilentCustomers,
  findSilentCustomers,
  forgetNames,
} from '../store/messages/customers.ts'
import { expireMessages, purgeContent } from '../store/messages/messages.ts'
import { expireThreads, forgetThreadWords } from '../store/messages/threads.ts'

const batch = 1_000

/**
 * Words and names go after 30 days, records and whom they were with after 400, keys when they have expired; a thousand
 * at a time.
 */
export async function retainMessages(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const content = { before: now - rt.config.retentionContentDays * dayMs, count: batch }
  const purged = await purgedUntil(rt, content.before)
  const metadata = { before: now - rt.config.retentionMetadataDays * dayMs, count: batch }
  const unit = new Unit()
  const purges = (['in', 'out'] as const).map((prefix) => {
    const range = { first_id: firstIdAt(prefix, purged), last_id: firstIdAt(prefix, content.before) }
    return unit.add(purgeContent, { ...range, now, count: batch })
  })
  const calls: CallHandle<Shape>[] = [
    ...purges,
    unit.add(expireMessages, metadata),
    unit.add(forgetNames, content),
    unit.add(forgetThreadWords, content),
    unit.add(expireThreads, metadata),
    unit.add(expireIdempotencyKeys, { before: now - dayMs, count: batch }),
  ]
  const result = await rt.store.writeApart(unit)
  await notePurged(
    rt,
    purges.map((call) => endOf(result.rows(call), content.before)),
  )
  await expireRates(rt, now - hourMs)
  const silent = await dropSilent(rt, metadata)
  const full = silent >= batch || calls.some((call) => result.rows(call).length >= batch)
  return full ? { againAt: now } : 'done'
}

/** Messages that are older than this have no content any more. */
const purgedUntilName = 'content_purged_until'

/** Never later than what is to be purged now: the period may be longer than it was, and a clock may have gone back. */
async function purgedUntil(rt: Runtime, before: number): Promise<number> {
  const [fact] = await rt.store.read(readFact, { name: purgedUntilName })
  return Math.min(Number(fact?.value ?? 0), before)
}

async function notePurged(rt: Runtime, ends: readonly number[]): Promise<void> {
  const unit = new Unit()
  unit.add(replaceFact, { name: purgedUntilName, value: String(Math.min(...ends)) })
  await rt.store.writeApart(unit)
}

/** A whole batch ends with its last message, and any other with its range. */
function endOf(rows: readonly { id: string }[], before: number): number {
  return rows.length < batch ? before : Math.max(...rows.map(({ id }) => timeOfId(id)))
}

/** All of them, once around. What is used again while this runs stays. */
async function expireRates(rt: Runtime, before: number): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { slot_key: string }[] = await rt.store.read(findEmptyRates, { after, before, count: batch })
    const unit = new Unit()
    unit.add(expireRate, ...rows.map(({ slot_key }) => ({ slot_key, before })))
    if (rows.length > 0) await rt.store.writeApart(unit)
    after = rows.length < batch ? undefined : rows.at(-1)?.slot_key
  }
}

/** Who is heard of again while this runs stays: each statement looks at the time once more. */
async function dropSilent(rt: Runtime, { before, count }: { before: number; count: number }): Promise<number> {
  const customers = await rt.store.read(findSilentCustomers, { before, count })
  if (customers.length === 0) return 0
  const rows = customers.map(({ id }) => ({ id, before }))
  const unit = new Unit()
  unit.add(dropSilentContacts, ...rows)
  unit.add(dropSilentConversations, ...rows)
  unit.add(dropSilentAddresses, ...rows)
  const call = unit.add(dropSilentCustomers, ...rows)
  return (await rt.store.writeApart(unit)).rows(call).length
}
