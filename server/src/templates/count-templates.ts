import type { Runtime } from '../runtime.ts'
import { countTemplates } from '../store/templates/templates.ts'

const statuses = ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled', 'archived', 'deleted']

/** The gauge of templates by status, read when metrics are scraped. */
export async function showTemplateCounts(rt: Runtime): Promise<void> {
  const rows = await rt.store.read(countTemplates, {})
  for (const status of statuses) {
    rt.metrics.templates.set({ status }, rows.find((row) => row.status === status)?.total ?? 0)
  }
}
