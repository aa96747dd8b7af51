import type { Static } from 'typebox'
import type { Usage } from '../contract/templates.ts'
import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { templateUsage } from '../store/templates/template-days.ts'

/** Of one language: today and the six days before it, in UTC. */
export type TemplateUsage = Static<typeof Usage>

type Used = { name: string; language: string }

export async function usageOf(
  rt: Runtime,
  accountId: string,
  templates: readonly Used[],
): Promise<(template: Used) => TemplateUsage> {
  const since = (Math.floor(rt.clock.now() / dayMs) - 6) * dayMs
  const names = [...new Set(templates.map(({ name }) => name))]
  const rows = names.length > 0 ? await rt.store.read(templateUsage, { account_id: accountId, since, names }) : []
  const known = new Map(rows.map(({ template, language, ...usage }) => [`${template} ${language}`, usage]))
  return ({ name, language }) => known.get(`${name} ${language}`) ?? { sent: 0, delivered: 0, read: 0, failed: 0 }
}
