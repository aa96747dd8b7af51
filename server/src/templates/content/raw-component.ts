import { bodyProblem, type FieldCode, type FieldProblem } from '../../contract/schema.ts'
import type { TemplateCategory } from './template-types.ts'

/** A part of a template as a caller wrote it. */
export type Raw = Record<string, unknown>
/** Where it stood, and where to write what is wrong with it. */
export type Context = { place: string; category: TemplateCategory; problems: FieldProblem[] }

export function fail(problems: FieldProblem[], field: string, code: FieldCode, message: string): undefined {
  problems.push(bodyProblem(field, code, message))
}

export function readText(raw: Raw, key: string, { place, problems }: Context): string | undefined {
  const value = raw[key]
  const field = fieldOf(place, key)
  if (!isGiven(value)) return fail(problems, field, 'required', `Give \`${key}\`.`)
  return typeof value === 'string' ? value : fail(problems, field, 'invalid_type', 'Give a string.')
}

/**
 * Refuses every field that `what` does not have, instead of dropping it: it was written for a reason. One that only
 * others have may be null, which is the same as leaving it out.
 */
export function refuseOthers(
  raw: Raw,
  { own, known, what }: { own: readonly string[]; known: readonly string[]; what: string },
  { place, problems }: Context,
): void {
  for (const key of Object.keys(raw)) {
    if (own.includes(key) || (known.includes(key) && !isGiven(raw[key]))) continue
    const message = `${what} has no field \`${key}\`. It has: ${own.join(', ')}.`
    fail(problems, `${place}.${key}`, 'unknown_field', message)
  }
}

/** Place of a body that was given as the top-level string: itself the field, it has no inner `text`. */
export const bodyShorthand = 'body'

export function fieldOf(place: string, key: string): string {
  return place === bodyShorthand ? place : `${place}.${key}`
}

export const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined)
export const isGiven = (value: unknown) => value !== undefined && value !== null
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isGiven(value) ? [value] : []
