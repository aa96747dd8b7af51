import type { Runtime } from '../runtime.ts'
import { nextJobAt } from '../store/jobs/jobs.ts'

/** For the operator's gauge: jobs that are due and that nobody takes. */
export async function measureJobs(rt: Runtime): Promise<void> {
  for (const lane of ['main', 'media'] as const) {
    const [row] = await rt.store.read(nextJobAt[lane], {})
    const at = row?.at ?? null
    rt.metrics.jobOldestAge.set({ lane }, at === null ? 0 : Math.max(0, rt.clock.now() - at) / 1_000)
  }
}
