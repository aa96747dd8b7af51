import { bodyProblem, type FieldCode, type FieldProblem } from '../../contract/schema.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isGiven, type Raw } from '../content/template-types.ts'

/** Carries the first problem of one component out of nested readers, so that the others are still looked at. */
export class Unreadable extends Error {
  readonly problem: FieldProblem

  constructor(field: string, code: FieldCode, message: string) {
    super(message)
    this.problem = bodyProblem(field, code, message)
  }
}

/** Meta's pages write its words in lower case or in capital letters. Anything else is no word of Meta's. */
export function wordOf(given: unknown): string {
  if (typeof given !== 'string') return ''
  const lower = given.toLowerCase()
  return given === lower || given === given.toUpperCase() ? lower : ''
}

export function requireObject(given: unknown, place: string, keys: readonly string[] | null): Raw {
  if (!isRecord(given)) throw new Unreadable(place, 'invalid_type', 'Give an object.')
  const unknown = keys && Object.keys(given).find((key) => !keys.includes(key))
  if (typeof unknown === 'string') {
    const message = `There is no field '${unknown.slice(0, 64)}' here. Known: ${keys?.join(', ')}.`
    throw new Unreadable(`${place}.${unknown}`, 'unknown_field', message)
  }
  return given
}

export function requireText(given: unknown, field: string): string {
  if (!isGiven(given)) throw new Unreadable(field, 'required', 'Give a string.')
  if (typeof given !== 'string') throw new Unreadable(field, 'invalid_type', 'Give a string.')
  if (given.trim() === '') throw new Unreadable(field, 'too_short', 'Give at least one character.')
  return given
}
