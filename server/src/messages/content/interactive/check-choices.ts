import type {
  AddressValues,
  FileHeader,
  NamedFile,
  ReplyButton,
} from '../../../contract/messages/interactive-content.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { parseRecipient } from '../../../lib/phone.ts'
import { checkFilename } from '../../../media/upload-media.ts'
import { checkLink, textProblem } from '../check-text.ts'
import type { AddressRequest, ListRequest, ListSection, QuickRepliesRequest } from './interactive-request.ts'

export function checkButtons(buttons: readonly ReplyButton[], field = 'buttons'): FieldProblem[] {
  return [
    ...checkCount(buttons.length, field, { most: buttonsMax, noun: 'buttons' }),
    ...buttons.flatMap(({ id, title }, index) => [
      ...checkId(id, `${field}[${index}].id`, 256),
      ...checkWords(title, `${field}[${index}].title`, 20),
    ]),
    ...checkDifferent(buttons.map(({ id }, index) => [id, `${field}[${index}].id`])),
    ...checkDifferent(buttons.map(({ title }, index) => [title, `${field}[${index}].title`])),
  ]
}

export function checkList({ button, sections }: ListRequest): FieldProblem[] {
  const rows = sections.flatMap((section, at) =>
    section.rows.map((row, index) => ({ row, place: `sections[${at}].rows[${index}]` })),
  )
  return [
    ...checkWords(button, 'button', 20),
    ...checkCount(sections.length, 'sections', { most: 10, noun: 'sections' }),
    ...sections.flatMap((section, index) => checkSection(section, `sections[${index}]`, sections.length)),
    ...(rows.length > rowsMax ? [bodyProblem('sections', 'too_many_items', tooManyRows(rows.length))] : []),
    ...rows.flatMap(({ row, place }) => [
      ...checkId(row.id, `${place}.id`, 200),
      ...checkWords(row.title, `${place}.title`, 24),
      ...checkGiven(row.description, `${place}.description`, 72),
    ]),
    ...checkDifferent(rows.map(({ row, place }) => [row.id, `${place}.id`])),
  ]
}

const rowsMax = 10
const tooManyRows = (rows: number) =>
  `A list has at most ${rowsMax} rows in all its sections together, this has ${rows}.`

function checkSection({ title, rows }: ListSection, place: string, sections: number): FieldProblem[] {
  return [
    ...checkSectionTitle(title, `${place}.title`, sections),
    ...(rows.length === 0 ? [bodyProblem(`${place}.rows`, 'too_short', 'Give the section at least one row.')] : []),
  ]
}

export function checkSectionTitle(title: string | null | undefined, field: string, sections: number): FieldProblem[] {
  const untitled = title === undefined || title === null
  return untitled && sections > 1
    ? [bodyProblem(field, 'required', 'Give every section a title when there is more than one.')]
    : checkGiven(title, field, 24)
}

export function checkReplies({ replies }: QuickRepliesRequest): FieldProblem[] {
  return [
    ...checkCount(replies.length, 'replies', { most: 10, noun: 'replies' }),
    ...replies.flatMap((label, index) => checkWords(label, `replies[${index}]`, 20)),
    ...checkDifferent(replies.map((label, index) => [label, `replies[${index}]`])),
  ]
}

const buttonsMax = 3

export function rendersAsButtons(replies: readonly string[]): boolean {
  return replies.length <= buttonsMax
}

/** Ids a receiver can read in its code: `Another day` answers as `another_day`. */
export function repliesOf(labels: readonly string[]): ReplyButton[] {
  const taken = new Set<string>()
  return labels.map((title, index) => {
    const base = slugOf(title) || `reply_${index + 1}`
    let id = base
    for (let copy = 2; taken.has(id); copy++) id = `${base}_${copy}`
    taken.add(id)
    return { id, title }
  })
}

function slugOf(label: string): string {
  // Letters of every script stay; accents come off, so that `Não` and `Nao` read alike in code.
  const plain = label
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
  return plain.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '')
}

export function checkAddress({ to, address }: AddressRequest): FieldProblem[] {
  const { values, saved_addresses, validation_errors } = address
  const saved = saved_addresses ?? []
  return [
    ...checkCountry(to),
    ...checkValues(values ?? {}, 'address.values'),
    ...(saved_addresses ? checkCount(saved.length, 'address.saved_addresses', { most: 20, noun: 'addresses' }) : []),
    ...saved.flatMap(({ id, values: own }, index) => [
      ...checkId(id, `address.saved_addresses[${index}].id`, 256),
      ...checkValues(own, `address.saved_addresses[${index}].values`),
    ]),
    ...checkDifferent(saved.map(({ id }, index) => [id, `address.saved_addresses[${index}].id`])),
    ...Object.entries(validation_errors ?? {}).flatMap(([field, sentence]) =>
      checkGiven(sentence, `address.validation_errors.${field}`, wordsMax),
    ),
  ]
}

const wordsMax = 1024
const pinCodeMax = 6

/** A user id begins with the country of the customer. */
function checkCountry(to: string): FieldProblem[] {
  const recipient = parseRecipient(to)
  if (!recipient.ok || recipient.value.startsWith(recipient.kind === 'phone' ? '+91' : 'IN.')) return []
  return [bodyProblem('to', 'invalid_value', 'WhatsApp shows the address form to customers in India (+91) only.')]
}

function checkValues(values: { [Field in keyof AddressValues]: string | null }, place: string): FieldProblem[] {
  return Object.entries(values).flatMap(([field, value]) =>
    checkGiven(value, `${place}.${field}`, field === 'in_pin_code' ? pinCodeMax : wordsMax),
  )
}

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

function checkDifferent(entries: readonly (readonly [value: string, field: string])[]): FieldProblem[] {
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
