import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'
import { checkFilename } from '../../media/filename.ts'
import { checkLink } from './check-link.ts'
import { textProblem } from './check-text.ts'
import type {
  ButtonsRequest,
  InteractiveHeader,
  InteractiveRequest,
  ListRequest,
  ListSection,
  MediaHeader,
  QuickRepliesRequest,
} from './interactive-content.ts'
import { buttonsMax, rendersAsButtons } from './interactive-content.ts'

/** Every limit of the channel that the request breaks, each with the place of what breaks it. */
export function checkInteractive(request: InteractiveRequest): FieldProblem[] {
  const asList = request.type === 'list' || (request.type === 'quick_replies' && !rendersAsButtons(request.replies))
  return [
    ...checkHeader(request.header ?? null, asList),
    ...text(request.body, 'body', asList ? 4096 : 1024),
    ...optionalText(request.footer, 'footer', 60),
    ...checkChoices(request),
  ]
}

function checkChoices(request: InteractiveRequest): FieldProblem[] {
  if (request.type === 'buttons') return checkButtons(request)
  return request.type === 'list' ? checkList(request) : checkReplies(request)
}

function checkButtons({ buttons }: ButtonsRequest): FieldProblem[] {
  return [
    ...count(buttons.length, 'buttons', buttonsMax, 'buttons'),
    ...buttons.flatMap(({ id, title }, index) => [
      ...checkId(id, `buttons[${index}].id`, 256),
      ...text(title, `buttons[${index}].title`, 20),
    ]),
    ...repeated(buttons.map(({ id }, index) => [id, `buttons[${index}].id`])),
    ...repeated(buttons.map(({ title }, index) => [title, `buttons[${index}].title`])),
  ]
}

function checkList({ button, sections }: ListRequest): FieldProblem[] {
  const rows = sections.flatMap((section, at) =>
    section.rows.map((row, index) => ({ row, place: `sections[${at}].rows[${index}]` })),
  )
  return [
    ...text(button, 'button', 20),
    ...count(sections.length, 'sections', 10, 'sections'),
    ...sections.flatMap((section, index) => checkSection(section, `sections[${index}]`, sections.length)),
    ...(rows.length > rowsMax ? [bodyProblem('sections', 'too_many_items', tooManyRows(rows.length))] : []),
    ...rows.flatMap(({ row, place }) => [
      ...checkId(row.id, `${place}.id`, 200),
      ...text(row.title, `${place}.title`, 24),
      ...optionalText(row.description, `${place}.description`, 72),
    ]),
    ...repeated(rows.map(({ row, place }) => [row.id, `${place}.id`])),
  ]
}

const rowsMax = 10
const tooManyRows = (rows: number) =>
  `A list has at most ${rowsMax} rows in all its sections together, this has ${rows}.`

function checkSection({ title, rows }: ListSection, place: string, sections: number): FieldProblem[] {
  const untitled = title === undefined || title === null
  return [
    ...(untitled && sections > 1
      ? [bodyProblem(`${place}.title`, 'required', 'Give every section a title when there is more than one.')]
      : optionalText(title, `${place}.title`, 24)),
    ...(rows.length === 0 ? [bodyProblem(`${place}.rows`, 'too_short', 'Give the section at least one row.')] : []),
  ]
}

function checkReplies({ replies }: QuickRepliesRequest): FieldProblem[] {
  return [
    ...count(replies.length, 'replies', 10, 'replies'),
    ...replies.flatMap((label, index) => text(label, `replies[${index}]`, 20)),
    ...repeated(replies.map((label, index) => [label, `replies[${index}]`])),
  ]
}

function checkHeader(header: InteractiveHeader | null, asList: boolean): FieldProblem[] {
  if (!header) return []
  if (header.type === 'text') return text(header.text, 'header.text', 60)
  if (asList) return [bodyProblem('header.type', 'invalid_value', 'The header of a list can only be text.')]
  return checkMedia(header)
}

function checkMedia({ type, media_id, link, filename }: MediaHeader): FieldProblem[] {
  if (media_id && link)
    return [bodyProblem('header', 'mutually_exclusive', 'Give either `media_id` or `link`, not both.')]
  if (!media_id && !link) return [bodyProblem('header', 'one_of_required', 'Give `media_id` or `link`.')]
  if (filename && type !== 'document') {
    return [bodyProblem('header.filename', 'invalid_value', 'Only a document has a file name.')]
  }
  return [
    ...(link ? checkLink(link, 'header.link') : []),
    ...(filename ? checkFilename(filename, 'header.filename') : []),
  ]
}

function checkId(id: string, field: string, charactersMax: number): FieldProblem[] {
  if (id.trim() !== id && id.trim() !== '') {
    return [bodyProblem(field, 'invalid_format', 'Remove the spaces at the start and the end of the id.')]
  }
  return text(id, field, charactersMax)
}

function text(value: string, field: string, charactersMax: number): FieldProblem[] {
  const found = textProblem(value, { field, charactersMax })
  return found ? [found] : []
}

function optionalText(value: string | null | undefined, field: string, charactersMax: number): FieldProblem[] {
  return value === undefined || value === null ? [] : text(value, field, charactersMax)
}

function count(items: number, field: string, itemsMax: number, noun: string): FieldProblem[] {
  if (items === 0) return [bodyProblem(field, 'too_short', `Give 1 to ${itemsMax} ${noun}.`)]
  return items > itemsMax
    ? [bodyProblem(field, 'too_many_items', `Give at most ${itemsMax} ${noun}, this has ${items}.`)]
    : []
}

function repeated(entries: readonly (readonly [value: string, field: string])[]): FieldProblem[] {
  const firstField = new Map<string, string>()
  return entries.flatMap(([value, field]) => {
    const key = value.trim()
    const first = firstField.get(key)
    if (first !== undefined) return [bodyProblem(field, 'duplicate', `It is the same as ${first}; each must differ.`)]
    firstField.set(key, field)
    return []
  })
}
