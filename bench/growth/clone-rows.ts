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
 * the same for all of them, such as the account, stays. Every value keeps its length, and a reference finds its copy.
 */
export function createCloner(real: readonly TableRows[]) {
  const own = new Set(
    real.flatMap(({ rows, columns }) => rows.flatMap((row) => row.slice(0, columns.length).flatMap(idsIn))),
  )
  return {
    /** `number` from 1 on. */
    clone({ rows }: TableRows, number: number, shiftMs: number): Cell[][] {
      const change = (value: Cell): Cell => {
        if (value === null) return null
        if (typeof value === 'number') return isMoment(value) ? value + shiftMs : value
        if (typeof value !== 'string' && value.length <= hashBytesMax) return hashOf(value, number)
        if (typeof value !== 'string')
          return Buffer.from(changeText(Buffer.from(value).toString('latin1'), number, shiftMs, own), 'latin1')
        return changeText(value, number, shiftMs, own)
      }
      return rows.map((row) => row.map((value) => change(value)))
    },
  }
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

function changeText(text: string, number: number, shiftMs: number, own: ReadonlySet<string>): string {
  if (hash.test(text)) return number.toString(16).padStart(8, '0') + text.slice(8)
  return text
    .replace(anId, (id: string, prefix: string, _time: string, chance: string) => {
      if (shared.has(prefix) || !own.has(id)) return id
      // The end counts up within a millisecond, so it is what tells neighbours apart.
      return `${prefix}_${encode(timeOfId(id) + shiftMs, 10)}${encode(number, 5)}${chance.slice(5)}`
    })
    .replace(metaId, (id) => `${id.slice(0, -14)}${encode(number, 6)}${id.slice(-8)}`)
    .replace(isoTime, (time) => formatInstant(Date.parse(time) + shiftMs))
    .replace(unixTime, (_, seconds: string) => `"${Number(seconds) + Math.round(shiftMs / 1_000)}"`)
    .replace(uuid, () => number.toString(16).padStart(8, '0'))
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
