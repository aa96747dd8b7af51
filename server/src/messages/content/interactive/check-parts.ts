import type { FileHeader, NamedFile } from '../../../contract/messages/interactive-content.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { checkFilename } from '../../../media/upload-media.ts'
import { checkLink, textProblem } from '../check-text.ts'

export function checkId(id: string, field: string, charactersMax: number): FieldProblem[] {
  if (id.trim() !== id && id.trim() !== '') {
    return [bodyProblem(field, 'invalid_format', 'Remove the spaces at the start and the end of the id.')]
  }
  return checkWords(id, field, charactersMax)
}

export function checkWords(value: string, field: string, charactersMax: number): FieldProblem[] {
  const found = textProblem(value, { field, charactersMax })
  return found ? [found] : []
}

export function checkGiven(value: string | null | undefined, field: string, charactersMax: number): FieldProblem[] {
  return value === undefined || value === null ? [] : checkWords(value, field, charactersMax)
}

/** A page that a button opens: WhatsApp opens both kinds of address. */
export function checkPage(url: string, field: string): FieldProblem[] {
  if (URL.canParse(url) && /^https?:\/\/\S+$/i.test(url)) return []
  return [bodyProblem(field, 'invalid_url', 'Give a complete address that starts with https:// or http://.')]
}

type Range = { least?: number; most: number; noun: string }

export function checkCount(items: number, field: string, { least = 1, most, noun }: Range): FieldProblem[] {
  if (items < least) return [bodyProblem(field, 'too_short', `Give ${least} to ${most} ${noun}.`)]
  return items > most ? [bodyProblem(field, 'too_many_items', `Give at most ${most} ${noun}, this has ${items}.`)] : []
}

export function checkDifferent(entries: readonly (readonly [value: string, field: string])[]): FieldProblem[] {
  const firstField = new Map<string, string>()
  return entries.flatMap(([value, field]) => {
    const key = value.trim()
    const first = firstField.get(key)
    if (first !== undefined) return [bodyProblem(field, 'duplicate', `It is the same as ${first}; each must differ.`)]
    firstField.set(key, field)
    return []
  })
}

/** The file of a header, and that it is given in one way. */
export function checkFile({ type, media_id, link, filename }: FileHeader<NamedFile>, field: string): FieldProblem[] {
  if (media_id && link) {
    return [bodyProblem(field, 'mutually_exclusive', 'Give either `media_id` or `link`, not both.')]
  }
  if (!media_id && !link) return [bodyProblem(field, 'one_of_required', 'Give `media_id` or `link`.')]
  if (filename && type !== 'document') {
    return [bodyProblem(`${field}.filename`, 'invalid_value', 'Only a document has a file name.')]
  }
  return [
    ...(link ? checkLink(link, `${field}.link`) : []),
    ...(filename ? checkFilename(filename, `${field}.filename`) : []),
  ]
}
