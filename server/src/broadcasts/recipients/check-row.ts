import { isRecord } from '../../lib/is-record.ts'
import { addressKey, parseRecipient } from '../../lib/phone.ts'
import type { TemplateContent } from '../../templates/content/template-types.ts'
import { matchParameters } from '../../templates/values/match-parameters.ts'
import type { UploadedRow } from './read-rows.ts'

/** Why a line was not taken. */
export type LineProblem = { line: number; column: string | null; code: string; message: string }
type CheckedRow = { address: string; key: string } | LineProblem

const referenceCharsMax = 128

/** Checks rows against the pattern and the template, with rules that are worked out once. */
export function createRowCheck(template: TemplateContent, pattern: Pattern, columns: readonly string[]) {
  const zones = new Map<string, boolean>()
  const isPlainEnough = plainRule(template, pattern)

  return (row: UploadedRow): CheckedRow => {
    const { line } = row
    const refuse = (column: string | null, code: string, message: string) => ({ line, column, code, message })
    if (row.unreadable !== undefined) return refuse(null, 'invalid_format', row.unreadable)
    const to = row.to.trim()
    if (to === '') return refuse('to', 'required', 'Give a phone number.')
    const parsed = parseRecipient(to)
    if (!parsed.ok) return refuse('to', parsed.code, parsed.message)
    if (row.reference.length > referenceCharsMax) {
      return refuse('client_reference', 'too_long', `At most ${referenceCharsMax} characters.`)
    }
    if (row.zone.trim() !== '' && !isZone(row.zone.trim(), zones)) {
      return refuse('time_zone', 'invalid_value', 'Write a time zone as Europe/Lisbon.')
    }
    const cellOf = (column: string) => row.cells[columns.indexOf(column)]
    for (const { name, optional } of pattern.columns) {
      if (!optional && (cellOf(name) ?? '').trim() === '') return refuse(name, 'required', 'This cell is empty.')
    }
    if (!isPlainEnough(cellOf)) {
      const matched = matchParameters(template, pattern.fill(cellOf))
      const [first] = matched.ok ? [] : matched.problems
      if (first) return refuse(columnIn(pattern, cellOf), first.code, first.message)
    }
    return { address: parsed.value, key: addressKey(parsed.value) }
  }
}

/** A value this short, in plain characters, is right wherever a text of the same form is. */
const plainCharsMax = 40
const plain = /^[\p{L}\p{N}][\p{L}\p{N} .,:;!?'()€$%&/+-]*$/u

/**
 * Matching each of a million lines with the template takes most of an upload. Where all cells go into texts, and the
 * template takes the longest plain values, shorter ones need no look.
 */
function plainRule(
  template: TemplateContent,
  pattern: Pattern,
): (cellOf: (name: string) => string | undefined) => boolean {
  const longest = pattern.fill(() => 'x'.repeat(plainCharsMax))
  const isText = isInTextsOnly(longest) && matchParameters(template, longest).ok
  if (!isText) return () => false
  return (cellOf) => pattern.columns.every((column) => isPlain(column, cellOf))
}

type Column = Pattern['columns'][number]
type CellOf = (name: string) => string | undefined

function isPlain({ name, optional }: Column, cellOf: CellOf): boolean {
  const cell = cellOf(name) ?? ''
  return (optional && cell === '') || (cell.length <= plainCharsMax && plain.test(cell) && !cell.includes('  '))
}

/** Whether the values stand in texts of header and body alone. */
function isInTextsOnly(components: unknown): boolean {
  if (!Array.isArray(components)) return false
  return components.every((component: { type?: unknown; parameters?: unknown }) => {
    const kind = String(component.type).toLowerCase()
    const parameters = Array.isArray(component.parameters) ? component.parameters : []
    return (
      ['body', 'header'].includes(kind) &&
      parameters.every(({ type }: { type?: unknown }) => String(type).toLowerCase() === 'text')
    )
  })
}

/** The column whose cell cannot be right; null where that is not certain. */
function columnIn({ columns }: Pattern, cellOf: CellOf): string | null {
  const odd = columns.length === 1 ? columns : columns.filter((column) => !isPlain(column, cellOf))
  return odd.length === 1 ? (odd[0]?.name ?? null) : null
}

function isZone(zone: string, known: Map<string, boolean>): boolean {
  const seen = known.get(zone)
  if (seen !== undefined) return seen
  if (known.size > 1_000) known.clear()
  known.set(zone, isTimeZone(zone))
  return known.get(zone) ?? false
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Components of a send with `{{column}}` or `{{column|instead}}` in any text, link or payload. */
export type Pattern = {
  /** The columns it names, in their order; `instead` is true where each use says what stands there when a cell is empty. */
  columns: readonly { name: string; optional: boolean }[]
  /** The components for one recipient; an empty cell takes what stands behind its `|`. */
  fill(cellOf: (column: string) => string | undefined): unknown
}

const placeholder = /\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g

export function compilePattern(components: unknown): Pattern {
  const columns = new Map<string, { name: string; optional: boolean }>()
  const note = (text: string) => {
    for (const [, column = '', instead] of text.matchAll(placeholder)) {
      const name = column.trim()
      const optional = (columns.get(name)?.optional ?? true) && Boolean(instead)
      columns.set(name, { name, optional })
    }
  }
  const fillOf = compile(components, note)
  return { columns: [...columns.values()], fill: fillOf }
}

type Fill = (cellOf: (column: string) => string | undefined) => unknown

function compile(part: unknown, note: (text: string) => void): Fill {
  if (typeof part === 'string') return compileText(part, note)
  if (Array.isArray(part)) {
    const fills = part.map((one) => compile(one, note))
    return (cellOf) => fills.map((fill) => fill(cellOf))
  }
  if (!isRecord(part)) return () => part
  const fills = Object.entries(part).map(([name, value]) => [name, compile(value, note)] as const)
  return (cellOf) => Object.fromEntries(fills.map(([name, fill]) => [name, fill(cellOf)]))
}

function compileText(text: string, note: (text: string) => void): Fill {
  if (!text.includes('{{')) return () => text
  note(text)
  return (cellOf) =>
    text.replace(placeholder, (_, column: string, instead: string | undefined) => {
      const cell = cellOf(column.trim())
      return cell === undefined || cell.trim() === '' ? (instead ?? '') : cell
    })
}
