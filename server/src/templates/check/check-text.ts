import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'
import type { TemplateComponent } from '../content/template-types.ts'

/** A component, and where it stood in the request. */
export type Placed = { component: TemplateComponent; place: string }

export function checkLength(text: string, field: string, what: string, charactersMax: number): FieldProblem[] {
  if (text.trim() === '') return [bodyProblem(field, 'too_short', `${what} needs text.`)]
  const characters = Array.from(text).length
  if (characters <= charactersMax) return []
  return [bodyProblem(field, 'too_long', `${what} has at most ${charactersMax} characters, this has ${characters}.`)]
}
