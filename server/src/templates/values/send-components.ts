import { bodyProblem, type FieldCode, type FieldProblem } from '../../contract/schema.ts'
import type { ComponentValues, PartValues, TemplateValue } from '../../contract/template-values.ts'
import type { MediaSource } from './read-parameters.ts'

/** Media still names our own upload, or a link. */
export type SendParameter = TemplateValue<MediaSource>
export type SendPart = PartValues<MediaSource>
export type SendComponent = ComponentValues<MediaSource>

/** The values of one component that fit, or why they do not. */
export type Matched = { parameters: SendParameter[]; problems: FieldProblem[] }

export function mismatch(field: string, code: FieldCode, message: string): Matched {
  return { parameters: [], problems: [bodyProblem(field, code, message)] }
}
