import type { AddressValues, ReplyButton } from '../../../contract/messages/interactive-content.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { parseRecipient } from '../../../lib/phone.ts'
import { checkCount, checkDifferent, checkGiven, checkId, checkWords } from './check-parts.ts'
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
