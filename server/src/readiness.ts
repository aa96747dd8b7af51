import type { Check, Readiness } from './http/health.ts'
import { timedOut, withTimeout } from './lib/async/with-timeout.ts'
import { explainStoreFailure } from './media/blobs/probe-bucket.ts'
import type { Runtime } from './runtime.ts'
import { StoreUnavailable } from './store/engine/store-error.ts'

const cachedMs = 2_000
const answerMs = 2_000
/** Room is looked for this often, unless there was none: what is freed is noticed at once. */
const roomMs = 5_000
/** Days are made a week ahead. */
const daysMs = 60_000
/** SQLite has few threads for lists, and reports may keep them busy for some seconds. */
const busyReaderMs = 15_000

/**
 * Ready: a write reaches the disk, the disk has room for more, lists can be read, tomorrow has partitions, and the process is
 * not stopping. Probes
 * call it often, so the result is cached for 2 s, by a clock that never jumps.
 */
export function createReadiness(rt: Runtime): Readiness & { drain(): void } {
  let draining = false
  let last: { at: number; checks: Promise<Check[]> } | null = null
  const { store } = rt
  const findRoom = seldom(roomMs, () => store.probeRoom())
  const findDays = seldom(daysMs, () => requireDays(rt))
  const writes = createProbe(rt, {
    name: 'database',
    failure: 'A write failed',
    async probe() {
      await store.probeWrite()
      await findRoom()
      await findDays()
    },
    patienceMs: answerMs,
  })
  const reads = createProbe(rt, {
    name: 'database_reads',
    failure: 'A read failed',
    probe: () => store.probeRead(),
    patienceMs: busyReaderMs,
  })

  return {
    drain() {
      draining = true
    },
    async check() {
      const now = performance.now()
      if (!last || now - last.at > cachedMs) last = { at: now, checks: Promise.all([writes(), reads()]) }
      const drain: Check = { name: 'accepting', status: draining ? 'failing' : 'ok', duration_ms: 0 }
      return [drain, ...(await last.checks), ...mediaStoreCheck(rt)]
    },
  }
}

/** The alert comes two days before; a node that is not ready serves nobody, so this one is for the last hours. */
const daysMin = 1

async function requireDays({ store, clock }: Runtime): Promise<void> {
  if ((await store.days.ahead(clock.now())) < daysMin) await store.days.make(clock.now())
}

/**
 * The result of the last request to the bucket. All nodes share it, so its failure takes none out of service: texts need
 * no bucket.
 */
function mediaStoreCheck({ bucket }: Runtime): Check[] {
  if (!bucket) return []
  const failure = bucket.trouble()
  const check = { name: 'media_store', duration_ms: 0 } as const
  return [failure ? { ...check, status: 'warning', detail: explainStoreFailure(failure) } : { ...check, status: 'ok' }]
}

/** A success counts for `ms`. */
function seldom(ms: number, probe: () => Promise<void>): () => Promise<void> {
  let succeededAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - succeededAt < ms) return
    await probe()
    succeededAt = performance.now()
  }
}

type Probe = { name: string; failure: string; probe(): Promise<void>; patienceMs: number }

/**
 * A health check has a short time-out of its own and is answered within 2 s. A probe that is still running is no failure
 * until `patienceMs` have passed; only one runs at a time.
 */
function createProbe(rt: Runtime, { name, failure, probe, patienceMs }: Probe): () => Promise<Check> {
  let underWay: { startedAt: number; outcome: Promise<Error | null> } | null = null

  return async () => {
    underWay ??= { startedAt: performance.now(), outcome: outcomeOf(probe()) }
    const { startedAt, outcome } = underWay
    const answer = await withTimeout(outcome, answerMs)
    const duration_ms = Math.round(performance.now() - startedAt)
    const late = answer === timedOut && duration_ms >= patienceMs
    const error = late ? new Error(`the database did not respond within ${duration_ms} ms`) : answer
    if (answer !== timedOut) underWay = null
    if (!(error instanceof Error)) return { name, status: 'ok', duration_ms }
    rt.log.error({ err: error, check: name }, 'database.probe_failed')
    return { name, status: 'failing', duration_ms, detail: `${failure}: ${reasonOf(error)}.` }
  }
}

/** In the words of the database or the socket: a full disk, a lock and a server that is away need different deeds. */
function reasonOf(error: Error): string {
  const cause = error instanceof StoreUnavailable && error.cause instanceof Error ? error.cause : error
  // Node leaves the message empty where it tried several addresses.
  return (cause.message || (cause as NodeJS.ErrnoException).code) ?? cause.name
}

function outcomeOf(work: Promise<void>): Promise<Error | null> {
  return work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
}
