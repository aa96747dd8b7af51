import type { Operation, RowOf, Shape, Value } from './operation.ts'

export type InputRow = Record<string, Value>
export type Call = { readonly operation: Operation; readonly rows: readonly InputRow[] }

/** The calls of a unit that is on disk, and the rows each of them gave. */
export type Committed = {
  readonly calls: readonly Call[]
  readonly rowsByCall: readonly (readonly InputRow[])[]
  /** The result of a call that returned and changed no rows in the whole batch. */
  readonly idle?: ReadonlySet<Operation> | undefined
}

/** The place of a call's result. */
export type CallHandle<Out extends Shape> = { readonly index: number; readonly returns: Out }

/**
 * Writes that happen together or not at all. A unit never reads, waits, then writes: conditions are part of its statements.
 *
 *   const unit = new Unit()
 *   unit.add(insertMessage, row)
 *   publishEvent(unit, event)
 *   await store.write(unit)      // resolves when it is on disk
 */
export class Unit {
  readonly calls: Call[] = []

  add<In extends Shape, Out extends Shape>(operation: Operation<In, Out>, ...rows: RowOf<In>[]): CallHandle<Out> {
    this.calls.push({ operation: operation as unknown as Operation, rows: rows as unknown as InputRow[] })
    return { index: this.calls.length - 1, returns: operation.returns }
  }
}

/** A unit of one call. */
export function unitOf<In extends Shape, Out extends Shape>(operation: Operation<In, Out>, ...rows: RowOf<In>[]): Unit {
  const unit = new Unit()
  unit.add(operation, ...rows)
  return unit
}

/** Result rows of a committed unit, found by call; rows stand in the order of the input rows they came from. */
export class UnitResult {
  readonly #rowsByCall: readonly InputRow[][]

  constructor(rowsByCall: readonly InputRow[][]) {
    this.#rowsByCall = rowsByCall
  }

  rows<Out extends Shape>(call: CallHandle<Out>): RowOf<Out>[] {
    return (this.#rowsByCall[call.index] ?? []) as unknown as RowOf<Out>[]
  }

  first<Out extends Shape>(call: CallHandle<Out>): RowOf<Out> | undefined {
    return this.rows(call)[0]
  }
}
