import type { FieldCode, FieldProblem } from '../../contract/field-codes.ts'
import { problemAt } from '../content/problem-at.ts'
import type { MediaKind } from '../content/template-types.ts'
import type { MediaSource } from './read-send-components.ts'

export type SendParameter =
  | { type: 'text'; parameter_name?: string; text: string }
  | {
      type: 'currency'
      parameter_name?: string
      currency: { fallback_value: string; code: string; amount_1000: number }
    }
  | { type: 'date_time'; parameter_name?: string; date_time: { fallback_value: string } }
  | { type: MediaKind; media: MediaSource }
  | { type: 'payload'; payload: string }

/** What the platform is to be told, in its order. Media still names our own upload or a link. */
export type SendComponent =
  | { type: 'header' | 'body'; parameters: SendParameter[] }
  | { type: 'button'; sub_type: 'url' | 'quick_reply'; index: number; parameters: SendParameter[] }

/** The values of one component that fit, or why they do not. */
export type Matched = { parameters: SendParameter[]; problems: FieldProblem[] }

export function mismatch(field: string, code: FieldCode, message: string): Matched {
  return { parameters: [], problems: [problemAt(field, code, message)] }
}
