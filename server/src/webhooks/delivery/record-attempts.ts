import { enforced } from '../../events/verification-mode.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import type { Runtime } from '../../runtime.ts'
import { insertAttempt } from '../../store/accounts/attempts.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { type ClaimedDelivery, finishDelivery } from '../../store/webhooks/delivery-claims.ts'
import { countAttempts } from '../../store/webhooks/webhook-states.ts'
import type { Attempt } from './deliver-event.ts'
import { nextAttemptAt } from './retry-schedule.ts'

export type Result = {
  readonly delivery: ClaimedDelivery
  readonly attempt: Attempt
  readonly status: 'delivered' | 'failed' | 'cancelled' | 'pending'
  /** Only when another attempt will follow. */
  readonly nextAt: number | null
}

/** What an attempt means for its delivery. A pause of the webhook puts off the next attempt too. */
export function decideResult(rt: Runtime, delivery: ClaimedDelivery, attempt: Attempt): Result {
  const { verdict, gone, pauseMs } = attempt.judgement
  if (verdict === 'ok') return { delivery, attempt, status: 'delivered', nextAt: null }
  if (gone) return { delivery, attempt, status: 'cancelled', nextAt: null }
  const now = rt.clock.now()
  const at = nextAttemptAt(rt.config.webhookRetryScheduleMs, delivery.step + 1, { now, chance: Math.random() })
  if (at === null) return { delivery, attempt, status: 'failed', nextAt: null }
  return { delivery, attempt, status: 'pending', nextAt: Math.max(at, now + pauseMs) }
}

export type Recorder = {
  /** Resolves when the result is on disk with what the delivery is now; null if another process had taken it over. */
  record(result: Result): Promise<string | null>
  /** Results not on disk yet. */
  waiting(): number
}

/** The status of each delivery after its attempt, by id. */
type Stored = ReadonlyMap<string, string>

const batchMax = 200
const retryMs = { first: 200, max: 15_000 }

/**
 * Writes results in batches, without a timer, because a result in memory is a delivery that will be repeated if the
 * process dies now. When the database is away, results wait and are tried again; how many there can be is bounded by
 * what was claimed.
 */
export function createRecorder(rt: Runtime): Recorder {
  const batcher = createBatcher<Result, string | null>(
    async (results) => {
      const stored = await writeUntilStored(results)
      return results.map(({ delivery }) => stored.get(delivery.id) ?? null)
    },
    { itemsMax: batchMax },
  )
  return { record: batcher.add, waiting: batcher.pending }

  async function writeUntilStored(results: Result[]): Promise<Stored> {
    for (let failures = 0; ; failures++) {
      try {
        const { unit, finished } = unitOf(rt, results)
        const rows = (await rt.store.write(unit)).rows(finished)
        return new Map(rows.map(({ id, status }) => [id, status]))
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) return writeSingly(results, error)
        rt.log.warn({ err: error, waiting: batcher.pending(), failures }, 'webhook.results_waiting')
        await waitMs(Math.min(retryMs.first * 2 ** failures, retryMs.max))
      }
    }
  }

  /** One result that the database refuses must not hold up the others; its lease will run out. */
  async function writeSingly(results: Result[], error: unknown): Promise<Stored> {
    const [only] = results
    if (results.length === 1 && only) {
      rt.log.error({ err: error, delivery_id: only.delivery.id }, 'webhook.result_refused')
      return new Map()
    }
    const stored: [string, string][] = []
    for (const result of results) stored.push(...(await writeUntilStored([result])))
    return new Map(stored)
  }
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Log, counters and delivery together. The counters come before the delivery: they read what it was before. */
function unitOf(rt: Runtime, results: Result[]) {
  const unit = new Unit()
  unit.add(insertAttempt, ...results.map(attemptRow))
  unit.add(countAttempts, ...results.map(countRow))
  const common = { enforce: enforced(rt), now: rt.clock.now() }
  const finished = unit.add(finishDelivery, ...results.map((result) => ({ ...finishRow(result), ...common })))
  return { unit, finished }
}

function attemptRow({ delivery, attempt, nextAt }: Result) {
  const { judgement } = attempt
  return {
    id: attempt.id,
    delivery_id: delivery.id,
    webhook_id: delivery.webhook_id,
    number: delivery.attempts + 1,
    cause: delivery.cause,
    url: attempt.url,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    status_code: judgement.statusCode,
    error_code: judgement.errorCode,
    error_message: judgement.errorMessage,
    remote_ip: attempt.remoteIp,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    next_attempt_at: nextAt,
    claim: delivery.claim,
  }
}

function countRow({ delivery, attempt }: Result) {
  const { verdict, pauseMs } = attempt.judgement
  const pause_until = pauseMs > 0 ? attempt.startedAt + attempt.durationMs + pauseMs : 0
  const outcome = verdict === 'ok' ? 'ok' : 'failed'
  const { url, startedAt: started_at } = attempt
  return { delivery_id: delivery.id, claim: delivery.claim, url, outcome, started_at, pause_until }
}

function finishRow({ delivery, attempt, status, nextAt }: Result) {
  const outcome = attempt.judgement.verdict === 'ok' ? 'ok' : 'failed'
  const { id, claim, step, due_at } = delivery
  return {
    id,
    claim,
    url: attempt.url,
    status,
    due_at: nextAt ?? due_at,
    step: step + 1,
    outcome,
    started_at: attempt.startedAt,
  }
}
