import { readFileSync } from 'node:fs'
import { parseInstant } from '@postern/server/tools.ts'
import { type Scope, scopes } from '@postern/server/words.ts'
import type { Flags } from './command.ts'
import { wrongUsage } from './exit-codes.ts'

/** Values of flags and words, read strictly: every refusal is one sentence that says what to write. */
export function textFlag(flags: Flags, name: string): string | null {
  const value = flags[name]
  if (value === undefined) return null
  if (typeof value !== 'string' || value.trim() === '') throw wrongUsage(`--${name} needs a value.`)
  return value.trim()
}

export function requiredFlag(flags: Flags, name: string, example: string): string {
  const value = textFlag(flags, name)
  if (value === null) throw wrongUsage(`Give --${name}, for example --${name} ${example}.`)
  return value
}

export function listFlag(flags: Flags, name: string): string[] | null {
  return (
    textFlag(flags, name)
      ?.split(',')
      .map((entry) => entry.trim()) ?? null
  )
}

export function scopesFlag(flags: Flags): Scope[] | null {
  const given = listFlag(flags, 'scopes')
  const unknown = given?.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw wrongUsage(`Unknown scope '${unknown}'. Scopes are ${scopes.join(', ')}.`)
  return given && [...new Set(given.filter(isScope))]
}

function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text)
}

export function choiceFlag<const Choice extends string>(
  flags: Flags,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = textFlag(flags, name)
  if (value === null) return null
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw wrongUsage(`--${name} is one of ${choices.join(', ')}.`)
  return choice
}

export function countFlag(flags: Flags, name: string, { max }: { max: number }): number | null {
  const value = textFlag(flags, name)
  if (value === null) return null
  const count = /^\d{1,9}$/.test(value) ? Number(value) : 0
  if (count < 1 || count > max) throw wrongUsage(`--${name} is a whole number from 1 to ${max}.`)
  return count
}

/** The one word a command is about. */
export function onlyWord(words: readonly string[], what: string): string {
  const [word, ...rest] = words
  if (word === undefined || rest.length > 0) throw wrongUsage(`Name ${what}, and nothing else.`)
  return word
}

export function noWords(words: readonly string[]): void {
  if (words.length > 0) throw wrongUsage(`'${words[0]}' is not recognized here; see --help.`)
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `90d`, `12h`, `30m`. */
export function durationMs(text: string, flag: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count === undefined) throw wrongUsage(`--${flag} is a duration such as 30m, 12h or 90d.`)
  return Number(count) * unitsMs[unit as keyof typeof unitsMs]
}

/** A date, a date-time, or a duration from now. */
export function futureInstant(text: string, flag: string, now: number): number {
  const at = parseInstant(text) ?? now + durationMs(text, flag)
  if (at <= now) throw wrongUsage(`--${flag} lies in the past.`)
  return at
}

/** The text of a file that a flag names. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const isMissing = (error as { code?: string }).code === 'ENOENT'
    throw wrongUsage(isMissing ? `The file ${file} does not exist.` : `The file ${file} cannot be read.`)
  }
}
