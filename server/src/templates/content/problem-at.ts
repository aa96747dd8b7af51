import type { FieldCode, FieldProblem } from '../../contract/field-codes.ts'

/** One thing wrong in the body of a request. */
export function problemAt(field: string, code: FieldCode, message: string): FieldProblem {
  return { field, location: 'body', code, message }
}
