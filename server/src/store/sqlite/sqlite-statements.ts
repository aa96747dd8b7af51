import { sqliteOperation } from '../engine/dialect.ts'
import type { UnitOutcome } from '../engine/group-commit.ts'
import { createRowMaker, type Operation, type Value } from '../engine/operation.ts'
import { ConditionFailed } from '../engine/store-error.ts'
import type { Call, InputRow } from '../engine/unit.ts'
import {
  toStoreError,
  type WireFailure,
  type WireStatement,
  type WireValue,
  type WriterResults,
} from './sqlite-failure.ts'

type Units = readonly (readonly Call[])[]
type Placed = { place: number; parameters: readonly string[] }
type Result = { columns: number; toRow: ReturnType<typeof createRowMaker> }

/** Which statements the writer has, one that it does not know yet goes with the request that needs it; and how its answers are read. */
export function createKnownStatements() {
  const places = new Map<Operation, Placed>()
  const operations: Operation[] = []
  const results = new Map<Operation, Result>()
  return {
    clear() {
      places.clear()
      operations.length = 0
    },
    toWire(units: Units, learn: WireStatement[]): WireValue[] {
      const values: WireValue[] = []
      for (const calls of units) {
        const lengthAt = values.push(0) - 1
        for (const call of calls) addCall(values, call, placeOf(call.operation, learn))
        values[lengthAt] = values.length - lengthAt - 1
      }
      return values
    },
    fromWire(units: Units, reply: WriterResults): UnitOutcome[] {
      const outcomes: UnitOutcome[] = []
      const idle = new Set(reply.idle.flatMap((place) => operations[place] ?? []))
      let at = 0
      for (const calls of units) {
        const rowsByCall: InputRow[][] = []
        for (const _ of calls) rowsByCall.push([])
        outcomes.push({ rowsByCall, idle })
        for (let rows = Number(reply.results[at++]); rows > 0; rows--) {
          const call = Number(reply.results[at++])
          const { columns, toRow } = resultOf(calls[call]?.operation)
          rowsByCall[call]?.push(toRow(reply.results.slice(at, at + columns)))
          at += columns
        }
      }
      for (const failure of reply.failures) outcomes[failure.unit] = { error: toError(failure) }
      return outcomes
    },
  }

  function placeOf(operation: Operation, learn: WireStatement[]): Placed {
    const known = places.get(operation)
    if (known) return known
    const { text, parameters, columns } = sqliteOperation(operation)
    const placed = { place: places.size, parameters }
    places.set(operation, placed)
    operations.push(operation)
    const { name, required, onlyChecks } = operation
    const wakes = operation.wakes !== null
    learn.push({ name, text, parameters: parameters.length, columns: columns.length, required, onlyChecks, wakes })
    return placed
  }

  function resultOf(operation: Operation | undefined): Result {
    if (!operation) throw new Error('The writer gave a row that nothing asked for.')
    const known = results.get(operation)
    if (known) return known
    const columns = Object.keys(operation.returns)
    const result = { columns: columns.length, toRow: createRowMaker(columns) }
    results.set(operation, result)
    return result
  }
}

function addCall(values: WireValue[], { rows }: Call, { place, parameters }: Placed): void {
  values.push(place, rows.length)
  for (const row of rows) {
    for (const name of parameters) values.push(wireValue(row[name]))
  }
}

function toError(failure: WireFailure): Error {
  return 'unmet' in failure ? new ConditionFailed(failure.unmet) : toStoreError(failure.error)
}

export function wireValue(value: Value | undefined): WireValue {
  if (value === undefined) return null
  return Array.isArray(value) ? JSON.stringify(value) : (value as WireValue)
}
