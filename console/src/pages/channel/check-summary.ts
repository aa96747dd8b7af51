import type { Schemas } from '../../api.ts'

type Step = Pick<Schemas['ConsoleCheckStep'], 'name' | 'status'>

/** Says no more than was tried: a step with a warning, or one that was skipped, has not passed. */
export function checkSummary(steps: readonly Step[]): string {
  if (steps.some(({ status }) => status === 'failed')) return 'Some checks failed'
  const open = steps.filter(({ status }) => status !== 'ok').length
  if (open === 0) return 'All checks passed'
  return `No check failed; ${open === 1 ? '1 has a warning or was skipped' : `${open} have a warning or were skipped`}`
}

/** A token without a date never expires only if Meta said so; where it could not be asked, the step has a warning. */
export function tokenWithoutDate(steps: readonly Step[]): string {
  const isKnown = steps.find(({ name }) => name === 'token')?.status === 'ok'
  return isKnown ? 'does not expire' : 'expiry not known'
}
