import { AppError } from '../../contract/app-error.ts'
import { type DeliveredType, isRelayType } from '../../contract/connections.ts'
import { enforced } from '../../events/publish-event.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import { hourMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { storedFirstAttempts } from '../../store/accounts/guesses.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import { type RecordRow, recordUnit } from '../../store/webhooks/delivery-units.ts'
import { disableWebhook } from '../disable-webhook.ts'
import { endpointOf } from '../find-webhook.ts'
import type { Attempt } from './deliver-event.ts'
import { reportAttempt } from './report-attempt.ts'
import { nextAttemptAt } from './retry.ts'

/** Decides what an attempt means, writes it down, tells log and metrics, and switches off a receiver that is gone. */
export async function settleAttempt(
  rt: Runtime,
  recorder: Recorder,
  delivery: ClaimedDelivery,
  attempt: Attempt,
): Promise<void> {
  const result = decideResult(rt, delivery, attempt)
  const stored = await recorder.record(result)
  report(rt, result, stored)
  if (attempt.judgement.gone) await switchOff(rt, delivery, attempt)
}

type Result = {
  readonly delivery: ClaimedDelivery
  readonly attempt: Attempt
  readonly status: 'delivered' | 'failed' | 'cancelled' | 'pending'
  /** Only when another attempt will follow. */
  readonly nextAt: number | null
}

/** The effect of an attempt on its delivery. A pause of the webhook also delays the next attempt. */
function decideResult(rt: Runtime, delivery: ClaimedDelivery, attempt: Attempt): Result {
  const { verdict, gone, pauseMs } = attempt.judgement
  if (verdict === 'ok') return { delivery, attempt, status: 'delivered', nextAt: null }
  if (gone) return { delivery, attempt, status: 'cancelled', nextAt: null }
  const now = rt.clock.now()
  const schedule = isRejected(delivery, attempt) ? rejectedScheduleMs : rt.config.webhookRetryScheduleMs
  const at = nextAttemptAt(schedule, delivery.step + 1, { now, chance: Math.random() })
  if (at === null) return { delivery, attempt, status: 'failed', nextAt: null }
  return { delivery, attempt, status: 'pending', nextAt: Math.max(at, now + pauseMs) }
}

/** Three attempts in six hours. */
const rejectedScheduleMs = [0, hourMs, 5 * hourMs]

/** Of a relay: the tool runs and does not want this one callback. Some tools answer so to every failed status. */
function isRejected({ type }: ClaimedDelivery, { judgement }: Attempt): boolean {
  return isRelayType(type) && (judgement.statusCode === 400 || judgement.statusCode === 422)
}

/**
 * The attempt is recorded whatever comes of this: while the database is away, the next 410 tries again. An address that
 * the webhook has left may be gone; that is why it was left.
 */
async function switchOff(rt: Runtime, { account_id, webhook_id }: ClaimedDelivery, { url }: Attempt): Promise<void> {
  try {
    const webhook = await endpointOf(rt, account_id, webhook_id)
    if (webhook.url === url) await disableWebhook(rt, webhook, 'gone')
  } catch (error) {
    if (!(error instanceof AppError)) rt.log.warn({ err: error, webhook_id }, 'webhook.not_disabled')
  }
}

/** `stored` is what the delivery is now; null when the attempt came too late to decide that. */
function report(rt: Runtime, { delivery, attempt, nextAt }: Result, stored: string | null): void {
  const { startedAt, durationMs } = attempt
  if (stored === 'delivered')
    rt.metrics.webhookEndToEnd.observe({}, (startedAt + durationMs - delivery.created_at) / 1_000)
  const result = stored === 'failed' && isRejected(delivery, attempt) ? 'rejected' : endLabels[stored ?? '']
  if (result) rt.metrics.webhookDeliveries.inc({ event: delivery.type as DeliveredType, result })
  reportAttempt(rt, attempt, {
    account_id: delivery.account_id,
    webhook_id: delivery.webhook_id,
    delivery_id: delivery.id,
    event_id: delivery.event_id,
    event: delivery.type,
    attempt: delivery.attempts + 1,
    cause: delivery.cause,
    waited_ms: Math.max(0, startedAt - delivery.due_at),
    result: stored ?? 'late',
    next_attempt_at: nextAt === null ? null : new Date(nextAt),
  })
}

const endLabels: Record<string, 'delivered' | 'exhausted' | 'cancelled'> = {
  delivered: 'delivered',
  failed: 'exhausted',
  cancelled: 'cancelled',
}

type Recorder = {
  /** Resolves when the result is on disk with what the delivery is now; null if another process had taken it over. */
  record(result: Result): Promise<string | null>
  /** Results not on disk yet. */
  waiting(): number
  /** Its result is being written, or has been; not while it waits for the database. */
  isRecording(delivery: ClaimedDelivery): boolean
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
  const recording = new WeakSet<ClaimedDelivery>()
  return { record: batcher.add, waiting: batcher.pending, isRecording: (delivery) => recording.has(delivery) }

  async function writeUntilStored(results: Result[]): Promise<Stored> {
    for (let failures = 0; ; failures++) {
      try {
        const stored = failures > 0 ? await storedBefore(results) : new Map<string, string>()
        const left = results.filter(({ delivery }) => !stored.has(delivery.id))
        if (left.length === 0) return stored
        for (const { delivery } of left) recording.add(delivery)
        const common = { enforce: enforced(rt), now: rt.clock.now() }
        const [unit, read] = recordUnit(
          rt.store,
          left.map((result) => recordRow(result, common)),
        )
        const recorded = read(await rt.store.write(unit))
        return new Map([...stored, ...recorded.map(({ delivery_id, status }) => [delivery_id, status] as const)])
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) return writeSingly(results, error)
        for (const { delivery } of results) recording.delete(delivery)
        rt.log.warn({ err: error, waiting: batcher.pending(), failures }, 'webhook.results_waiting')
        await waitMs(Math.min(retryMs.first * 2 ** failures, retryMs.max))
      }
    }
  }

  /** Attempts that an earlier write stored although its response was lost: written again, they would look late. */
  async function storedBefore(results: readonly Result[]): Promise<Map<string, string>> {
    const webhook_ids = [...new Set(results.map(({ delivery }) => delivery.webhook_id))]
    const ids = results.map(({ delivery }) => delivery.id)
    const startedAt = new Map(results.map(({ delivery, attempt }) => [delivery.id, attempt.startedAt]))
    const rows = await rt.store.read(storedFirstAttempts, { webhook_ids, ids })
    return new Map(
      rows.filter(({ id, started_at }) => startedAt.get(id) === started_at).map(({ id }) => [id, 'delivered']),
    )
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
