import type { Check, Readiness } from './http/health.ts'
import type { Runtime } from './runtime.ts'

const cachedMs = 2_000
const probeMs = 2_000

/** Ready: a write reaches the disk and we are not on our way out. Asked often, so the answer is kept for 2 s. */
export function createReadiness(rt: Runtime): Readiness & { drain(): void } {
  let draining = false
  let last: { at: number; check: Promise<Check> } | null = null

  return {
    drain() {
      draining = true
    },
    async check() {
      const now = rt.clock.now()
      if (!last || now - last.at > cachedMs) last = { at: now, check: probeDatabase(rt) }
      const drain: Check = { name: 'accepting', status: draining ? 'failing' : 'ok', duration_ms: 0 }
      return [drain, await last.check]
    },
  }
}

async function probeDatabase(rt: Runtime): Promise<Check> {
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  try {
    await answered(rt.store.probe())
    return { name: 'database', status: 'ok', duration_ms: took() }
  } catch (error) {
    rt.log.error({ err: error }, 'database.probe_failed')
    return { name: 'database', status: 'failing', duration_ms: took(), detail: 'A write did not reach the disk.' }
  }
}

/** Whoever asks for health has a short clock of its own; no answer in time is the answer. */
async function answered(probe: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database gave no answer within ${probeMs} ms.`)), probeMs)
  })
  try {
    await Promise.race([probe, late])
  } finally {
    clearTimeout(timer)
    probe.catch(() => {})
  }
}
