import { enforced } from '../../events/verification-mode.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import type { Runtime } from '../../runtime.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import { type RecordRow, recordUnit } from '../../store/webhooks/record-unit.ts'
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
        const common = { enforce: enforced(rt), now: rt.clock.now() }
        const [unit, read] = recordUnit(
          rt.store,
          results.map((result) => recordRow(result, common)),
        )
        const recorded = read(await rt.store.write(unit))
        return new Map(recorded.map(({ delivery_id, status }) => [delivery_id, status]))
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

function recordRow({ delivery, attempt, status, nextAt }: Result, common: { enforce: number; now: number }): RecordRow {
  const { judgement, startedAt, durationMs } = attempt
  return {
    id: attempt.id,
    delivery_id: delivery.id,
    webhook_id: delivery.webhook_id,
    number: delivery.attempts + 1,
    cause: delivery.cause,
    url: attempt.url,
    started_at: startedAt,
    duration_ms: durationMs,
    status_code: judgement.statusCode,
    error_code: judgement.errorCode,
    error_message: judgement.errorMessage,
    remote_ip: attempt.remoteIp,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    next_attempt_at: nextAt,
    claim: delivery.claim,
    outcome: judgement.verdict === 'ok' ? 'ok' : 'failed',
    status,
    due_at: nextAt ?? delivery.due_at,
    step: delivery.step + 1,
    pause_until: judgement.pauseMs > 0 ? startedAt + durationMs + judgement.pauseMs : 0,
    now: common.now,
    enforce: common.enforce,
  }
}
