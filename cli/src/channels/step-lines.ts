import type { CheckStep } from '@postern/server/channels/check/check-step.ts'

/** The steps of a check for people: what was found, and what to do where it is wrong. */
export function stepLines(steps: readonly CheckStep[]): string {
  return steps
    .map(({ name, status, sentence, fix }) => {
      const line = `${status.padEnd(8)}${name.padEnd(17)}${sentence}\n`
      return fix === null ? line : `${line}${' '.repeat(25)}Fix: ${fix}\n`
    })
    .join('')
}
