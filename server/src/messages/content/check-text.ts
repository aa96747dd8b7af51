import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'

/** Problems of a text message; an empty list means it goes out exactly as given, untrimmed. */
export function checkText(message: string, field = 'message'): FieldProblem[] {
  const problem = textProblem(message, { field, charactersMax: textCharactersMax })
  return problem ? [problem] : []
}

export type TextRule = { field: string; charactersMax: number }

/** What is wrong with one text that must not be blank; null when nothing is. */
export function textProblem(text: string, { field, charactersMax }: TextRule): FieldProblem | null {
  const problem = (code: FieldProblem['code'], message: string): FieldProblem => bodyProblem(field, code, message)
  if (text.trim() === '') return problem('too_short', 'Give at least one character that is not white space.')
  const characters = countCharacters(text)
  if (characters > charactersMax) {
    return problem('too_long', `Use at most ${charactersMax} characters, this has ${characters}.`)
  }
  if (text.includes('\0') || !text.isWellFormed()) {
    return problem('invalid_format', 'Remove U+0000 and unpaired surrogates: they are not text.')
  }
  return null
}

const textCharactersMax = 4096

/** Unicode code points, as the platform counts: an emoji is one where `length` says two. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
