import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'

/** Problems of a text message; an empty list means it goes out exactly as given, untrimmed. */
export function checkText(message: string, field = 'message'): FieldProblem[] {
  const problem = textProblem(message, { field, charactersMax: textCharactersMax })
  return problem ? [problem] : []
}

type TextRule = { field: string; charactersMax: number }

/** The problem of a required text; null if there is none. */
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

/** A link to a file: the platform, or we, fetch it by https and nothing else. */
export function checkLink(link: string, field: string): FieldProblem[] {
  if (!URL.canParse(link)) {
    return [bodyProblem(field, 'invalid_url', 'Give a complete https address.')]
  }
  if (new URL(link).protocol === 'https:') return []
  return [bodyProblem(field, 'https_required', 'The link must start with https://.')]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Liberal about which: new emoji appear every year, with or without the mark that asks for the coloured form. */
const pictured = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3)/u

/** Whether a text is one emoji: a picture, a flag or a keycap, with skin tones and what it is joined of. */
export function isEmoji(text: string): boolean {
  return pictured.test(text) && [...graphemes.segment(text)].length === 1
}
