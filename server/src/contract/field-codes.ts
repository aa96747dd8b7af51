/** What can be wrong with one field; closed, so a client can translate each into its own words. */
export const fieldCodes = [
  'required',
  'unknown_field',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'too_short',
  'too_long',
  'out_of_range',
  'too_many_items',
  'duplicate',
  'invalid_phone_number',
  'invalid_language',
  'invalid_url',
  'https_required',
  'mutually_exclusive',
  'one_of_required',
  'invalid_secret',
] as const

export type FieldCode = (typeof fieldCodes)[number]
export type FieldLocation = 'body' | 'query' | 'path' | 'header'

/** One thing to fix. `received` only for short values that are no secret; `example` may hold a whole value to copy. */
export type FieldProblem = {
  field: string
  location: FieldLocation
  code: FieldCode
  message: string
  received?: string
  example?: unknown
}

export function bodyProblem(field: string, code: FieldCode, message: string): FieldProblem {
  return { field, location: 'body', code, message }
}
