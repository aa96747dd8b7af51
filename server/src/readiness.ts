import type { Check, Readiness } from './http/health.ts'
import type { Runtime } from './runtime.ts'

const cachedMs = 2_000
const answerMs = 2_000
/** SQLite has one thread for lists, and a report may keep it busy for some seconds. */
const busyReaderMs = 15_000

/**
 * Ready: a write reaches the disk, lists can be read, and we are not on our way out. Asked often, so the answer is kept
 * for 2 s, by a clock that never jumps.
 */
export function createReadiness(rt: Runtime): Readiness & { drain(): void } {
  let draining = false
  let last: { at: number; checks: Promise<Check[]> } | null = null
  const { store } = rt
  const writes = createProbe(rt, {
    name: 'database',
    detail: 'A write did not reach the disk.',
    probe: () => store.probeWrite(),
    patienceMs: answerMs,
  })
  const reads = createProbe(rt, {
    name: 'database_reads',
    detail: 'The database could not be read.',
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
      return [drain, ...(await last.checks)]
    },
  }
}

type Probe = { name: string; detail: string; probe(): Promise<void>; patienceMs: number }

/**
 * Whoever asks for health has a short clock of its own and is answered within 2 s. A probe without an answer so far is no
 * failure before its patience ends; only one is under way at a time.
 */
function createProbe(rt: Runtime, { name, detail, probe, patienceMs }: Probe): () => Promise<Check> {
  let underWay: { startedAt: number; outcome: Promise<Error | null> } | null = null

  return async () => {
    underWay ??= { startedAt: performance.now(), outcome: outcomeOf(probe()) }
    const { startedAt, outcome } = underWay
    const answer = await within(outcome, answerMs)
    const duration_ms = Math.round(performance.now() - startedAt)
    const late = answer === 'late' && duration_ms >= patienceMs
    const error = late ? new Error(`The database gave no answer within ${duration_ms} ms.`) : answer
    if (answer !== 'late') underWay = null
    if (!(error instanceof Error)) return { name, status: 'ok', duration_ms }
    rt.log.error({ err: error, check: name }, 'database.probe_failed')
    return { name, status: 'failing', duration_ms, detail }
  }
}

function outcomeOf(work: Promise<void>): Promise<Error | null> {
  return work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
}

async function within<Outcome>(work: Promise<Outcome>, ms: number): Promise<Outcome | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
