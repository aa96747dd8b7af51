import { publishRelays } from '../../events/publish-relay.ts'
import { dayMs } from '../../lib/durations.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { CallbackItem } from '../../platform/callback-item.ts'
import type { Runtime } from '../../runtime.ts'
import {
  type ClaimedCallbackItem,
  dropCallbackItem,
  expireCallbackItems,
  settleCallbackItem,
} from '../../store/channels/callback-items.ts'
import { expireSeenCallbacks, oldestUnappliedCallback } from '../../store/channels/callbacks.ts'
import { expireToldPayments } from '../../store/channels/told-states.ts'
import { expireRelayItems } from '../../store/connections/relays.ts'
import { deleteInBatches } from '../../store/engine/expire-before.ts'
import { Unit } from '../../store/engine/unit.ts'
import {
  countItems,
  type DispatchOutcome,
  dispatchItems,
  type ItemHandlers,
  type ItemInContext,
  isDone,
  isRecorded,
  settle,
} from './callback-items.ts'
import { readRoutes } from './receive-callback.ts'
import { relayLater } from './relay-items.ts'

/** No further question is begun after this: others wait here for their place. What is left comes again at once. */
const askingMs = 2_000

/**
 * Tries again what found no place the last time; what is still alone after ten minutes is recorded as unhandled. Then the
 * platform is asked about what needs it, one after the other.
 */
export async function retryItems(
  rt: Runtime,
  handlers: ItemHandlers,
  rows: readonly ClaimedCallbackItem[],
): Promise<void> {
  const routes = await readRoutes(rt, new Set(rows.map(({ account_id }) => account_id)))
  const inOrder = [...rows].sort((a, b) => (a.callback_id < b.callback_id ? -1 : 1))
  const entries = inOrder.map((row) => {
    const item = JSON.parse(row.item) as CallbackItem
    return { row, item, context: routes(row.account_id, item, row.received_at) }
  })
  const placed = entries.flatMap(({ item, context }): ItemInContext[] => (context ? [{ item, context }] : []))
  const results = (await dispatchItems(rt, handlers, placed, false)).values()
  const outcomes = entries.map(({ context }) => (context ? (results.next().value ?? 'failed') : 'no_place'))
  const endsAt = performance.now() + askingMs
  for (const [index, { item, context }] of entries.entries()) {
    if (outcomes[index] !== 'ask' || !context || performance.now() > endsAt) continue
    outcomes[index] = (await dispatchItems(rt, handlers, [{ item, context }], true))[0] ?? 'failed'
  }
  const now = rt.clock.now()
  const ends = entries.map(({ row, item }, index) => endOf(row, item, outcomes[index] ?? 'failed', now))
  const [placedNow, others] = [ends.filter(({ drop }) => drop), ends.filter(({ drop }) => !drop)]
  const isSettled = (index: number) => ends[index]?.state.state !== 'waiting' && outcomes[index] !== 'erased'
  const toRelay = entries.flatMap(({ item, context }, index) => (isSettled(index) ? relayLater(item, context) : []))
  const addRelays = await publishRelays(rt, toRelay)
  const unit = new Unit()
  addRelays(unit)
  if (placedNow.length > 0) unit.add(dropCallbackItem, ...placedNow.map(({ key }) => key))
  if (others.length > 0) unit.add(settleCallbackItem, ...others.map(({ key, state }) => ({ ...key, ...state, now })))
  await rt.store.write(unit)
  const isOver = (index: number) => ends[index]?.state.state === 'unhandled'
  countItems(
    rt,
    entries,
    outcomes.map((outcome, index) => (isOver(index) ? 'unhandled' : outcome)),
  )
}

/** A message or status that found its place is dropped: its own table knows it from now on. */
function endOf(row: ClaimedCallbackItem, item: CallbackItem, outcome: DispatchOutcome | 'no_place', now: number) {
  const { channel_id, key_hash, claim, attempts, expires_at: expiresAt } = row
  return {
    key: { channel_id, key_hash, claim },
    drop: isDone(outcome) && !isRecorded(item),
    state: settle(item, outcome, { attempts, now, expiresAt }),
  }
}

/** As long as the platform itself repeats; bodies are recognised for a day longer. */
const repeatsMs = 7 * dayMs
const seenMs = repeatsMs + dayMs
/** A payment that nothing was heard of for so long is over. */
const paymentMs = 90 * dayMs

/**
 * Forgets applied callbacks, and deletes settled items and what went on to tools, all of which say what customers wrote; what
 * waits is never touched.
 */
export async function expireOldCallbacks(rt: Runtime): Promise<'done'> {
  const now = rt.clock.now()
  const before = now - Math.min(repeatsMs, rt.config.retentionContentDays * dayMs)
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireSeenCallbacks, { before: now - seenMs, count }))
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireCallbackItems, { before, count }))
  const first_kept = firstIdAt('evt', before)
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireRelayItems, { first_kept, count }))
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireToldPayments, { before: now - paymentMs, count }))
  return 'done'
}

/** For the operator's gauge: seconds when all is well. */
export async function measureCallbacks(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(oldestUnappliedCallback, {})
  const at = row?.at ?? null
  rt.metrics.callbackOldestAge.set({}, at === null ? 0 : Math.max(0, rt.clock.now() - at) / 1_000)
}
