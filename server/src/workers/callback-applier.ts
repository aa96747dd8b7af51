import { randomUUID } from 'node:crypto'
import { applyCallbacks } from '../channels/callbacks/apply-callbacks.ts'
import type { ItemHandlers } from '../channels/callbacks/callback-items.ts'
import { channelItemHandlers } from '../channels/callbacks/channel-item-handlers.ts'
import { startWakeLoop } from '../lib/async/wake-loop.ts'
import { withTimeout } from '../lib/async/with-timeout.ts'
import { applyStatuses } from '../messages/apply-statuses.ts'
import { receiveCalls, receiveIdentities, receiveMessages } from '../messages/receive-messages.ts'
import { receivePayments } from '../messages/receive-payments.ts'
import { receivePreferences } from '../messages/receive-preferences.ts'
import { receiveEchoes, receiveHandovers } from '../messages/threads/receive-echoes.ts'
import { receivePast, receiveProgress, receiveSavedContacts } from '../messages/threads/receive-past.ts'
import type { Runtime } from '../runtime.ts'
import {
  type ClaimedCallback,
  callbackAccounts,
  claimCallbacks,
  dueCallbackWork,
  leaseCallback,
} from '../store/channels/callbacks.ts'
import { StoreUnavailable } from '../store/engine/store-error.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { templateItemHandlers } from '../templates/sync/template-item-handlers.ts'
import { cutOffUntil, startCallbackRetrier } from './callback-retrier.ts'
import { renewedLeaseMs } from './jobs.ts'

export type CallbackApplier = {
  /** Stops claiming and waits for the current round; what it leaves is claimed again when its lease ends. */
  drain(timeoutMs: number): Promise<void>
}

/** Of one round. Most callbacks report one status, and what a round costs is shared by all of them. */
const callbacksMax = 256
/** Some 3,000 statuses. A body of 1,000 updates has 400 KB. */
const bytesMax = 1_048_576
/** Served in one round, in turn: an account with a million callbacks takes no more than its share. */
const accountsMax = 16
const pollMs = 1_000
const postponeMs = { first: 1_000, max: 600_000 }

/**
 * One loop per process: claims stored callbacks for the length of a lease, applies them, marks them. Several processes
 * share the work on PostgreSQL; a mark counts only with the claim it was made under. What could not be applied at once is
 * left to a loop of its own, in which the platform may be asked.
 */
export function startCallbackApplier(rt: Runtime, handlers: ItemHandlers): CallbackApplier {
  const rounds: Rounds = { after: '', callbacks: [] }
  const retrier = startCallbackRetrier(rt, handlers)
  let stopping = false
  const loop = startWakeLoop({ run: applyDue, gapMs: 0, log: rt.log, failureEvent: 'callbacks.not_applied' })
  const stopListening = rt.store.onCommit('callbacks', loop.wake)

  return {
    async drain(timeoutMs) {
      stopping = true
      stopListening()
      await withTimeout(Promise.all([loop.stop(), retrier.stop()]), timeoutMs)
    },
  }

  async function applyDue(): Promise<number> {
    while (!stopping && (await round(rt, handlers, rounds)));
    return pollMs
  }
}

/** The rest of a round, left to the next. */
type Rounds = {
  /** The account that was served last. */
  after: string
  /** Claimed, and cut off when the database went away. */
  callbacks: readonly ClaimedCallback[]
}

/** True when there was something to do. */
async function round(rt: Runtime, handlers: ItemHandlers, rounds: Rounds): Promise<boolean> {
  await giveBack(rt, rounds)
  const now = rt.clock.now()
  const [due] = await rt.store.read(dueCallbackWork, { now })
  if (!due?.callbacks) return false
  const lease = { now, lease_until: now + renewedLeaseMs(rt), claim: randomUUID() }
  const accounts = await nextAccounts(rt, rounds)
  const share = (most: number) => Math.floor(most / Math.max(1, accounts.length))
  const limits = { count: share(callbacksMax), bytes: share(bytesMax) }
  const unit = new Unit()
  const calls = accounts.map((account_id) => unit.add(claimCallbacks, { ...lease, account_id, ...limits }))
  const result = await rt.store.write(unit)
  rounds.callbacks = calls.flatMap((call) => result.rows(call))
  await applyClaimed(rt, handlers, rounds.callbacks)
  rounds.callbacks = []
  return true
}

/** An interrupted round is repeated as soon as the database accepts a write. */
async function giveBack(rt: Runtime, rounds: Rounds): Promise<void> {
  if (rounds.callbacks.length === 0) return
  const lease = ({ attempts, ...callback }: ClaimedCallback) => ({
    ...keyOf(callback),
    claim_after: null,
    lease_until: cutOffUntil(rt, attempts),
  })
  await rt.store.write(unitOf(leaseCallback, ...rounds.callbacks.map(lease)))
  rounds.callbacks = []
}

async function nextAccounts(rt: Runtime, rounds: Rounds): Promise<string[]> {
  const read = async (after: string) => rt.store.read(callbackAccounts, { after, count: accountsMax })
  const rows = await read(rounds.after)
  const found = rows.length === 0 && rounds.after !== '' ? await read('') : rows
  rounds.after = found.length < accountsMax ? '' : (found.at(-1)?.account_id ?? '')
  return found.map(({ account_id }) => account_id)
}

/** A round that fails for another reason than the database is repeated one by one: a bad body must not hold up others. */
async function applyClaimed(rt: Runtime, handlers: ItemHandlers, callbacks: readonly ClaimedCallback[]): Promise<void> {
  if (callbacks.length === 0) return
  const renewal = setInterval(() => void renew(rt, callbacks).catch(() => {}), renewedLeaseMs(rt) / 3)
  try {
    await applyCallbacks(rt, handlers, callbacks)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    const [only] = callbacks
    if (only && callbacks.length === 1) await postpone(rt, only, error)
    else for (const callback of callbacks) await applyClaimed(rt, handlers, [callback])
  } finally {
    clearInterval(renewal)
  }
}

async function renew(rt: Runtime, callbacks: readonly ClaimedCallback[]): Promise<void> {
  const unit = new Unit()
  const lease_until = rt.clock.now() + renewedLeaseMs(rt)
  unit.add(
    leaseCallback,
    ...callbacks.map((callback) => ({ ...keyOf(callback), claim_after: callback.claim, lease_until })),
  )
  await rt.store.write(unit)
}

async function postpone(rt: Runtime, callback: ClaimedCallback, error: unknown): Promise<void> {
  const { id, attempts } = callback
  const delayMs = Math.min(postponeMs.first * 2 ** (attempts - 1), postponeMs.max)
  rt.log.error({ err: error, callback_id: id, attempts, delay_ms: delayMs }, 'callback.postponed')
  const lease_until = rt.clock.now() + delayMs
  await rt.store.write(unitOf(leaseCallback, { ...keyOf(callback), claim_after: null, lease_until }))
}

function keyOf({ account_id, id, claim }: Pick<ClaimedCallback, 'account_id' | 'id' | 'claim'>) {
  return { account_id, id, claim }
}

/** The handler of each kind of callback item. */
export const callbackHandlers: ItemHandlers = {
  ...channelItemHandlers,
  ...templateItemHandlers,
  message: receiveMessages,
  status: applyStatuses,
  payment: receivePayments,
  call: receiveCalls,
  identity: receiveIdentities,
  user_preference: receivePreferences,
  echo: receiveEchoes,
  handover: receiveHandovers,
  past_message: receivePast,
  saved_contact: receiveSavedContacts,
  history_progress: receiveProgress,
}
