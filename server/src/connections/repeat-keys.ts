import {
  addRelease,
  addShortened,
  answeredMessage,
  fingerprintOf,
  type IdempotencyKey,
  releaseKey,
} from '../access/idempotency.ts'
import { minuteMs } from '../lib/durations.ts'
import { wireEndpoint } from '../messages/send/send-request.ts'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { findInboundSince, findMessagesById } from '../store/messages/messages.ts'
import type { Connection } from './connection.ts'

/**
 * Clients of Meta's dialect know no key that tells a repeat from a new message. A client repeats because it got no answer, so
 * a body is its own key for as long as its answer may be missing: while it runs, after its client left or its process died
 * (ten minutes), and for a time after an answer, because what was written is not always received: a minute, unless the
 * connection says otherwise. Once the customer has written since an answer, the same words are meant: a bot asks again what
 * was not understood. What was refused was not sent, and a reaction replaces itself: their keys are released at once.
 */
const lostMs = 10 * minuteMs
const slowMs = minuteMs
const quickAnswerMs = 1_000
const gatherMs = 50

export type RepeatKeys = {
  /** Null where the connection wants every request to be a message. */
  keyOf(connection: Connection, given: string | null, request: unknown): IdempotencyKey | null
  /** Waits until what was answered before is released: an equal body is then a new message. */
  ready(key: IdempotencyKey): Promise<void>
  answered(key: IdempotencyKey, messageId: string, keptMs: number): void
  close(): Promise<void>
}

type Answered = { key: IdempotencyKey; messageId: string; keptMs: number }

export function createRepeatKeys(rt: Runtime): RepeatKeys {
  const waiting = new Map<string, Answered>()
  let timer: NodeJS.Timeout | null = null
  let releasing: Promise<void> = Promise.resolve()
  return {
    keyOf({ id, accountId, options }, given, request) {
      const fingerprint = fingerprintOf(request)
      const endpoint = `${wireEndpoint}${id}`
      if (given !== null) return { accountId, endpoint: `${endpoint} key`, key: given, fingerprint }
      if (!options.repeats) return null
      return { accountId, endpoint, key: `auto:${fingerprint}`, fingerprint, keptMs: lostMs }
    },
    async ready(key) {
      if (waiting.has(nameOf(key))) flush()
      await releasing
    },
    answered(key, messageId, keptMs) {
      waiting.set(nameOf(key), { key, messageId, keptMs })
      timer ??= setTimeout(flush, gatherMs)
    },
    async close() {
      flush()
      await releasing
    },
  }

  function flush(): void {
    if (timer) clearTimeout(timer)
    timer = null
    const all = [...waiting.values()]
    waiting.clear()
    if (all.length === 0) return
    const unit = new Unit()
    for (const { key, messageId, keptMs } of all) {
      if (keptMs === 0) addRelease(unit, key, messageId)
      else addShortened(rt, unit, key, messageId, keptMs)
    }
    // What could not be released is a repeat for ten minutes at most.
    const report = (error: unknown) => rt.log.warn({ err: error, keys: all.length }, 'repeats.not_released')
    releasing = Promise.all([releasing, rt.store.write(unit)]).then(() => {}, report)
  }
}

function nameOf({ accountId, endpoint, key }: IdempotencyKey): string {
  return `${accountId} ${endpoint} ${key}`
}

export type LeftAnswer = {
  key: IdempotencyKey
  tookMs: number
  replayed: boolean
  /** Whether a repeat would harm nobody. */
  isHarmless: boolean
}

/** How long an identical body counts as a retry after this response. */
export function keptAfter({ options }: Connection, answer: LeftAnswer): number | null {
  // The client chose this key, and may come back with it for a day.
  if (answer.key.keptMs === undefined) return null
  if (answer.isHarmless) return 0
  const slow = answer.replayed || answer.tookMs > quickAnswerMs
  return Math.max(options.repeat_window * 1_000, slow ? slowMs : 0)
}

/** Lets go of a key whose answer has left if the customer has written since; says whether it did. */
export async function releaseIfAnswered(rt: Runtime, key: IdempotencyKey): Promise<boolean> {
  const messageId = await answeredMessage(rt, key)
  const [row] = messageId === null ? [] : await rt.store.read(findMessagesById, { ids: [messageId] })
  if (!row?.customer_id) return false
  const { account_id, customer_id, sent_at, created_at } = row
  const [written] = await rt.store.read(findInboundSince, { account_id, customer_id, since: sent_at ?? created_at })
  if (!written) return false
  await releaseKey(rt, key, row.id)
  return true
}
