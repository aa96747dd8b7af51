import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'

/** A link to a file: the platform, or we, fetch it by https and nothing else. */
export function checkLink(link: string, field: string): FieldProblem[] {
  if (!URL.canParse(link)) {
    return [bodyProblem(field, 'invalid_url', 'Give a complete https address.')]
  }
  if (new URL(link).protocol === 'https:') return []
  return [bodyProblem(field, 'https_required', 'The link must start with https://.')]
}
