import type { Check } from '@postern/server/http/health.ts'

/** The checks of one process; null when it gave no answer. */
export type ProcessChecks = { readonly number: number; readonly checks: readonly Check[] | null }

const severity = { ok: 0, warning: 1, failing: 2 } as const

/** One list for all processes: a check is failing when it fails in any of them, or when a process is missing. */
export function joinChecks(answers: readonly ProcessChecks[], count: number): Check[] {
  const answered = answers.filter(({ checks }) => checks !== null).length
  const joined = new Map<string, Check>([
    [
      'processes',
      answered === count
        ? { name: 'processes', status: 'ok', duration_ms: 0 }
        : {
            name: 'processes',
            status: 'failing',
            duration_ms: 0,
            detail: `${answered} of ${count} processes are running.`,
          },
    ],
  ])
  for (const { number, checks } of answers) {
    for (const check of checks ?? []) {
      const known = joined.get(check.name)
      const duration_ms = Math.max(check.duration_ms, known?.duration_ms ?? 0)
      const worse = known === undefined || severity[check.status] > severity[known.status] ? check : known
      const detail = worse === check && check.detail ? { detail: `Process ${number}: ${check.detail}` } : {}
      joined.set(check.name, { ...worse, duration_ms, ...detail })
    }
  }
  return [...joined.values()]
}
