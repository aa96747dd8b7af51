import type { Runtime } from '../runtime.ts'
import { templateUsage } from '../store/rollups.ts'

/** Of a name, in all its languages together: today and the six days before it, in UTC. */
export type TemplateUsage = { sent: number; delivered: number; read: number; failed: number }

const dayMs = 86_400_000

export async function usageOf(
  rt: Runtime,
  accountId: string,
  names: readonly string[],
): Promise<(name: string) => TemplateUsage> {
  const since = (Math.floor(rt.clock.now() / dayMs) - 6) * dayMs
  const rows = names.length > 0 ? await rt.store.read(templateUsage, { account_id: accountId, since, names }) : []
  const byName = new Map(rows.map(({ template, ...usage }) => [template, usage]))
  return (name) => byName.get(name) ?? { sent: 0, delivered: 0, read: 0, failed: 0 }
}
