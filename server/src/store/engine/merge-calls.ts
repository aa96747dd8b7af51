import type { Operation } from './operation.ts'
import type { Call, InputRow } from './unit.ts'

/** Which input row of which call of which unit. */
export type Origin = { readonly unit: number; readonly call: number; readonly row: number }
export type MergedStatement = { readonly operation: Operation; readonly rows: InputRow[]; readonly origins: Origin[] }

/**
 * Turns many units into few statements. Each unit keeps the order of its calls; calls of one operation that stand at the
 * head of their units at the same moment become one statement. Two rows with one key never meet in a statement, because
 * a statement cannot see its own changes; the second waits for the next one. Rows are sorted by key, so that two batches
 * on two connections lock in the same order.
 */
export function mergeCalls(units: readonly (readonly Call[])[]): MergedStatement[] {
  const heads = units.map(() => 0)
  const statements: MergedStatement[] = []
  for (let first = nextUnfinished(units, heads, 0); first < units.length; first = nextUnfinished(units, heads, first)) {
    const operation = units[first]?.[heads[first] ?? 0]?.operation
    if (!operation) break
    statements.push(gather(units, heads, first, operation))
  }
  return statements
}

function nextUnfinished(units: readonly (readonly Call[])[], heads: number[], from: number): number {
  let index = from
  while (index < units.length && (heads[index] ?? 0) >= (units[index]?.length ?? 0)) index++
  return index
}

function gather(
  units: readonly (readonly Call[])[],
  heads: number[],
  from: number,
  operation: Operation,
): MergedStatement {
  const taken: { row: InputRow; key: string; origin: Origin }[] = []
  const keys = new Set<string>()
  for (let unit = from; unit < units.length; unit++) {
    const call = heads[unit] ?? 0
    const candidate = units[unit]?.[call]
    if (candidate?.operation !== operation) continue
    const rowKeys = candidate.rows.map((row) => keyOf(operation, row))
    if (operation.key.length > 0 && rowKeys.some((key) => keys.has(key))) continue
    for (const [row, values] of candidate.rows.entries()) {
      const key = rowKeys[row] ?? ''
      keys.add(key)
      taken.push({ row: values, key, origin: { unit, call, row } })
    }
    heads[unit] = call + 1
    if (operation.alone) break
  }
  if (operation.key.length > 0) taken.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return { operation, rows: taken.map((entry) => entry.row), origins: taken.map((entry) => entry.origin) }
}

function keyOf(operation: Operation, row: InputRow): string {
  if (operation.key.length === 1) return String(row[operation.key[0] ?? ''])
  return operation.key.map((column) => String(row[column])).join('\u0000')
}
