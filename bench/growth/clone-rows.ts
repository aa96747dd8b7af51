import { timeOfId } from '../../server/src/lib/ids.ts'
import { formatInstant } from '../../server/src/lib/instant.ts'

export type Cell = string | number | Uint8Array | null
export type TableRows = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly Cell[][]
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** That of a delivery goes on with the place of its webhook. */
const anId = /\b([a-z]{2,3})_([0-9a-hjkmnp-tv-z]{10})([0-9a-hjkmnp-tv-z]{16}(?:\d\d)?)\b/g
const metaId = /\bwamid\.[A-Za-z0-9_+/=-]{20,}/g
const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const unixTime = /"(1[6-9]\d{8})"/g
/** Hexadecimal or base64url. */
const hash = /^([0-9a-f]{40,64}|[\w-]{43})$/
const hashBytesMax = 64
const uuid = /\b[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)/g

/** Of a moment of ours, in milliseconds. */
const isMoment = (value: number) => value > 1.6e12 && value < 2.1e12

/**
 * Copies of what real sends left, that differ where two sends differ: ids of ours and of Meta, keys, hashes and times. What is
 * the same for all of them, such as the account, stays. Every value keeps its length, and a reference finds its copy. What
 * differs in a value is looked for once, and then only filled in: a million messages are a thousand copies.
 */
export function createCloner(real: readonly TableRows[]) {
  const own = new Set(
    real.flatMap(({ rows, columns }) => rows.flatMap((row) => row.slice(0, columns.length).flatMap(idsIn))),
  )
  const known = new Map<TableRows, Form[][]>()
  return {
    /** `number` from 1 on. */
    clone(table: TableRows, number: number, shiftMs: number): Cell[][] {
      const forms = known.get(table) ?? table.rows.map((row) => row.map((value) => formOf(value, own)))
      known.set(table, forms)
      return forms.map((row) => row.map((form) => (typeof form === 'function' ? form(number, shiftMs) : form)))
    },
  }
}

/** A value that is the same in every copy, or what makes it. */
type Form = Cell | ((number: number, shiftMs: number) => Cell)

function formOf(value: Cell, own: ReadonlySet<string>): Form {
  if (value === null) return null
  if (typeof value === 'number') return isMoment(value) ? (_, shiftMs) => value + shiftMs : value
  if (typeof value === 'string') return textForm(value, own)
  if (value.length <= hashBytesMax) return (number) => hashOf(value, number)
  const form = textForm(Buffer.from(value).toString('latin1'), own)
  return typeof form === 'string' ? value : (number, shiftMs) => Buffer.from(form(number, shiftMs), 'latin1')
}

function hashOf(value: Uint8Array, number: number): Buffer {
  const copy = Buffer.from(value)
  copy.writeUInt32BE(number)
  return copy
}

/** Numbers that the database gives out: nothing refers to them. */
export function withoutSequences({ table, columns, rows }: TableRows): TableRows {
  const kept = columns.flatMap((column, index) => (column === 'seq' ? [] : [index]))
  if (kept.length === columns.length) return { table, columns, rows }
  const only = <T>(values: readonly T[]) => kept.flatMap((index) => values.slice(index, index + 1))
  return { table, columns: only(columns), rows: rows.map(only) }
}

/** Ids that a row was stored under: those of accounts, webhooks and keys are in tables that are not copied. */
function idsIn(value: Cell): string[] {
  return typeof value === 'string' && value.length < 64 ? [...value.matchAll(anId)].map(([id]) => id) : []
}

const shared = new Set(['acc', 'chn', 'pn', 'key', 'usr', 'whk', 'tok', 'fam', 'con', 'app'])

type Part = string | ((number: number, shiftMs: number) => string)

/** What differs in a text, by how it is found. Null leaves what was found as it is. */
const changes: readonly [RegExp, (found: RegExpExecArray, own: ReadonlySet<string>) => Part | null][] = [
  [
    anId,
    ([id, prefix = '', , chance = ''], own) => {
      if (shared.has(prefix) || !own.has(id)) return null
      const at = timeOfId(id)
      // The end counts up within a millisecond, so it is what tells neighbours apart.
      return (number, shiftMs) => `${prefix}_${encode(at + shiftMs, 10)}${encode(number, 5)}${chance.slice(5)}`
    },
  ],
  [
    metaId,
    ([id]) =>
      (number) =>
        `${id.slice(0, -14)}${encode(number, 6)}${id.slice(-8)}`,
  ],
  [
    isoTime,
    ([time]) => {
      const at = Date.parse(time)
      return (_, shiftMs) => formatInstant(at + shiftMs)
    },
  ],
  [
    unixTime,
    ([, seconds]) =>
      (_, shiftMs) =>
        `"${Number(seconds) + Math.round(shiftMs / 1_000)}"`,
  ],
  [uuid, () => (number) => number.toString(16).padStart(8, '0')],
]

function textForm(text: string, own: ReadonlySet<string>): Part {
  if (hash.test(text)) return (number) => number.toString(16).padStart(8, '0') + text.slice(8)
  let parts: Part[] = [text]
  for (const [pattern, change] of changes) {
    parts = parts.flatMap((part) =>
      typeof part === 'string' ? split(part, pattern, (found) => change(found, own)) : part,
    )
  }
  if (parts.every((part) => typeof part === 'string')) return text
  return (number, shiftMs) => parts.map((part) => (typeof part === 'string' ? part : part(number, shiftMs))).join('')
}

function split(text: string, pattern: RegExp, change: (found: RegExpExecArray) => Part | null): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const found of text.matchAll(pattern)) {
    const part = change(found)
    if (part === null) continue
    parts.push(text.slice(end, found.index), part)
    end = found.index + found[0].length
  }
  return [...parts, text.slice(end)]
}

function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = `${alphabet[rest % 32]}${text}`
  return text
}

export type ColumnFigures = { column: string; nulls: number; distinct: number; bytes: number }

/** What two sets of rows are compared by: which columns are empty how often, how long they are, how much they repeat. */
export function figuresOf({ columns, rows }: TableRows): ColumnFigures[] {
  return columns.map((column, index) => {
    const values = rows.map((row) => row[index] ?? null)
    const written = values.filter((value) => value !== null)
    const bytes = written.reduce(
      (sum: number, value) => sum + (typeof value === 'number' ? 8 : Buffer.from(value).length),
      0,
    )
    const distinct = new Set(
      written.map((value) => (typeof value === 'object' ? Buffer.from(value).toString('latin1') : value)),
    ).size
    return { column, nulls: values.length - written.length, distinct, bytes }
  })
}
