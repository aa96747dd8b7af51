import type { ReplyButton } from '../../../contract/messages/interactive-content.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { checkCount, checkDifferent, checkGiven, checkId, checkWords } from './check-parts.ts'
import type { ListRequest, ListSection, QuickRepliesRequest } from './interactive-request.ts'
import { buttonsMax } from './quick-replies.ts'

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
