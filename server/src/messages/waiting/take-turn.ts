import type { Release } from '../../limits/concurrency.ts'
import { enterAtOnce, spareConcurrencyOf } from '../../limits/send-limits.ts'
import type { Runtime } from '../../runtime.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import { unitOf } from '../../store/engine/unit.ts'
import { findMessagesById } from '../../store/messages/messages.ts'
import {
  explainWaiting,
  findDue,
  findExpiredWaiting,
  findLaneFacts,
  type WaitingRow,
} from '../../store/messages/waiting.ts'
import { type Call, expireWaiting, prepareDue, putOff } from './send-due.ts'

/** All that waits for one number, in one process. */
export type Lane = { readonly numberId: string; readonly running: Set<Promise<unknown>> }

/** Batch size: messages that are read, checked and started together. */
const turnMax = 64
/** The answers of the calls under way come within a second. */
const busyMs = 50
const explainedMax = 500

/**
 * Takes what is due and what the number has room for now; sends by API find the other half of its burst and of its calls
 * free. Resolves when all that was taken is on disk as under way, or decided, with how long to wait before the next turn: 0 where there
 * may be more, null where nothing is due or nothing may leave.
 */
export async function takeTurn(rt: Runtime, lane: Lane): Promise<number | null> {
  const { numberId, running } = lane
  const now = rt.clock.now()
  const [facts] = await rt.store.read(findLaneFacts, { number_id: numberId })
  const reason = closedBy(facts)
  if (reason) {
    const due = { number_id: numberId, waiting_for: reason, now, count: explainedMax }
    await rt.store.writeApart(unitOf(explainWaiting, due))
    // It is looked at again with all the other numbers; the broadcasts of this one have to be told too.
    return null
  }
  const sendsPerSecond = facts?.sends_per_second ?? 1
  const number = { id: numberId, sendsPerSecond }
  const room = Math.min(turnMax, spareConcurrencyOf(number) - running.size)
  if (room <= 0) {
    await Promise.race(running)
    return 0
  }
  const due = await rt.store.read(findDue, { number_id: numberId, now, count: room })
  if (due.length === 0) return null
  const spare = await rt.sendRate.spare({ numberId, sendsPerSecond }, due.length)
  const releases = await enterFor(rt, number, spare.granted)
  const calls = await Promise.all(due.slice(0, releases.length).map((waiting) => prepared(rt, waiting)))
  for (const [index, call] of calls.entries()) {
    const release = releases[index] ?? (() => {})
    if (!call) {
      release()
      continue
    }
    const done: Promise<unknown> = call(release)
      .catch((error: unknown) => rt.log.error({ err: error, number_id: numberId }, 'waiting.outcome_not_recorded'))
      .finally(() => {
        release()
        running.delete(done)
      })
    running.add(done)
  }
  await spare.giveBack(spare.granted - calls.filter((call) => call !== null).length)
  if (releases.length < spare.granted) return busyMs
  return spare.granted < due.length ? Math.max(1, spare.waitMs) : 0
}

/** Fewer where the other calls of the number leave no room. */
export async function enterFor(
  rt: Runtime,
  number: { id: string; sendsPerSecond: number },
  count: number,
): Promise<Release[]> {
  const releases: Release[] = []
  while (releases.length < count) {
    const release = await enterAtOnce(rt, number)
    if (!release) break
    releases.push(release)
  }
  return releases
}

/** One that cannot be prepared for a reason of ours stays where it is, and stops no other. */
async function prepared(rt: Runtime, waiting: WaitingRow): Promise<Call | null> {
  try {
    return await prepareDue(rt, waiting)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    rt.log.error({ err: error, message_id: waiting.message_id, account_id: waiting.account_id }, 'waiting.not_sent')
    await putOff(rt, waiting)
    return null
  }
}

const closedStatuses = ['auth_failed', 'disconnected']

type Facts = { is_connected: number; channel_status: string; account_status: string }

/** Conditions that hold all messages of a number, without asking Meta. */
export function closedBy(facts: Facts | undefined): 'channel' | 'account' | null {
  if (facts && facts.account_status !== 'active') return 'account'
  return facts?.is_connected === 1 && !closedStatuses.includes(facts.channel_status) ? null : 'channel'
}

const expiredMax = 200

/**
 * What nobody could send in time ends, also where a number or an account is closed. One that cannot be ended for a reason of
 * ours stops no other: this comes before the turns of all numbers.
 */
export async function expireDue(rt: Runtime): Promise<boolean> {
  const rows = await rt.store.read(findExpiredWaiting, { now: rt.clock.now(), count: expiredMax })
  const messages = await rt.store.read(findMessagesById, { ids: rows.map(({ message_id }) => message_id) })
  const ended = await Promise.all(
    messages.map((message) =>
      expireWaiting(rt, message).then(
        () => true,
        (error: unknown) => {
          if (error instanceof StoreUnavailable) throw error
          const { id: message_id, account_id } = message
          rt.log.error({ err: error, message_id, account_id }, 'waiting.not_expired')
          return false
        },
      ),
    ),
  )
  return rows.length === expiredMax && ended.includes(true)
}
