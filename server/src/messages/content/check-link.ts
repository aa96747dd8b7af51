import type { FieldProblem } from '../../contract/field-codes.ts'

/** A link to a file: the platform, or we, fetch it by https and nothing else. */
export function checkLink(link: string, field: string): FieldProblem[] {
  if (!URL.canParse(link)) {
    return [{ field, location: 'body', code: 'invalid_url', message: 'Give a complete https address.' }]
  }
  if (new URL(link).protocol === 'https:') return []
  return [{ field, location: 'body', code: 'https_required', message: 'The link must start with https://.' }]
}
