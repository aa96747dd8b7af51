import type { Operation } from './operation.ts'
import type { Call, InputRow } from './unit.ts'

type Units = readonly (readonly Call[])[]

/** The input row, its call and its unit. */
export type Origin = { readonly unit: number; readonly call: number; readonly row: number }
/** `origins` of each row, where it gives a result; several where they are put together. */
export type MergedStatement = {
  readonly operation: Operation
  readonly rows: readonly InputRow[]
  readonly origins: (readonly Origin[])[]
}

/**
 * Turns many units into few statements. Each unit keeps the order of its calls; calls of one operation that stand at the
 * head of their units at the same moment become one statement. Two rows with one key never meet in a statement, because
 * a statement cannot see its own changes: they are put together where the operation says how, otherwise the second waits
 * for the next one. Rows are sorted by key, so that two batches
 * on two connections lock in the same order.
 */
export function mergeCalls(units: Units): MergedStatement[] {
  const heads = units.map(() => 0)
  const statements: MergedStatement[] = []
  for (let first = nextUnfinished(units, heads, 0); first < units.length; first = nextUnfinished(units, heads, first)) {
    const operation = units[first]?.[heads[first] ?? 0]?.operation
    if (!operation) break
    statements.push(gather(units, heads, first, operation))
  }
  return statements
}

function nextUnfinished(units: Units, heads: number[], from: number): number {
  let index = from
  while (index < units.length && (heads[index] ?? 0) >= (units[index]?.length ?? 0)) index++
  return index
}

function gather(units: Units, heads: number[], from: number, operation: Operation): MergedStatement {
  if (operation.alone) return takeOne(units, heads, from, operation)
  return operation.key.length > 0
    ? gatherByKey(units, heads, from, operation)
    : gatherAll(units, heads, from, operation)
}

/** All of its results belong to its first row. */
function takeOne(units: Units, heads: number[], unit: number, operation: Operation): MergedStatement {
  const call = heads[unit] ?? 0
  heads[unit] = call + 1
  return { operation, rows: units[unit]?.[call]?.rows ?? [], origins: [[{ unit, call, row: 0 }]] }
}

/** Without a key there are no results, and nobody asks where a row came from. */
function gatherAll(units: Units, heads: number[], from: number, operation: Operation): MergedStatement {
  const rows: InputRow[] = []
  for (let unit = from; unit < units.length; unit++) {
    const call = heads[unit] ?? 0
    const candidate = units[unit]?.[call]
    if (candidate?.operation !== operation) continue
    for (const row of candidate.rows) rows.push(row)
    heads[unit] = call + 1
  }
  return { operation, rows, origins: [] }
}

function gatherByKey(units: Units, heads: number[], from: number, operation: Operation): MergedStatement {
  const entries: Entry[] = []
  const byKey = new Map<string, Entry>()
  for (let unit = from; unit < units.length; unit++) {
    const call = heads[unit] ?? 0
    const candidate = units[unit]?.[call]
    if (candidate?.operation !== operation) continue
    const keys = candidate.rows.map((row) => keyOf(operation, row))
    if (!operation.together && keys.some((key) => byKey.has(key))) continue
    for (const [row, values] of candidate.rows.entries()) {
      const key = keys[row] ?? ''
      const origin = { unit, call, row }
      const known = operation.together && byKey.get(key)
      if (known) {
        known.row = operation.together.add(known.row, values)
        known.origins.push(origin)
      } else {
        const entry = { key, row: values, origins: [origin] }
        byKey.set(key, entry)
        entries.push(entry)
      }
    }
    heads[unit] = call + 1
  }
  entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return { operation, rows: entries.map(({ row }) => row), origins: entries.map(({ origins }) => origins) }
}

type Entry = { readonly key: string; row: InputRow; readonly origins: Origin[] }

function keyOf(operation: Operation, row: InputRow): string {
  if (operation.key.length === 1) return String(row[operation.key[0] ?? ''])
  return operation.key.map((column) => String(row[column])).join('\u0000')
}
