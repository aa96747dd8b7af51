import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  describeSqliteError,
  type WireFailure,
  type WireStatement,
  type WireValue,
  type WriterReply,
  type WriterRequest,
  type WriterResults,
} from './sqlite-failure.ts'

type Learned = WireStatement & { prepared: StatementSync | null }
/** `changes`: of the statements that wake others, by their place. */
type Results = { rows: WireValue[]; checked: Set<string>; changes: Map<number, number> }

/** Commits batches of units, each in one transaction. */
export class SqliteBatches {
  readonly #db: DatabaseSync
  readonly #learned: Learned[] = []
  readonly #prepared: (text: string) => StatementSync

  constructor(db: DatabaseSync, prepared: (text: string) => StatementSync) {
    this.#db = db
    this.#prepared = prepared
  }

  /** All units in one transaction; what fails is undone alone. */
  commit({ id, learn, units }: WriterRequest): WriterReply {
    for (const statement of learn) this.#learned.push({ ...statement, prepared: null })
    try {
      // Nearly always no unit fails, and savepoints are a tenth of the work.
      const results = this.#runTogether(units) ?? this.#runApart(units)
      this.#prepared('commit').run()
      return { id, ...results }
    } catch (error) {
      // A connection that cannot even roll back is of no use: throwing ends this thread, and another takes its place.
      if (this.#db.isTransaction) this.#db.exec('rollback')
      return { id, failed: describeSqliteError(error) }
    }
  }

  /** Null, and nothing done, when a unit failed. */
  #runTogether(units: readonly WireValue[]): WriterResults | null {
    this.#prepared('begin immediate').run()
    const results = noResults()
    try {
      for (let at = 0; at < units.length; at = endOf(units, at)) this.#runUnit(units, at, results)
      return { results: results.rows, failures: [], idle: idleIn(results) }
    } catch {
      if (this.#db.isTransaction) this.#prepared('rollback').run()
      return null
    }
  }

  #runApart(units: readonly WireValue[]): WriterResults {
    this.#prepared('begin immediate').run()
    const results = noResults()
    const { rows } = results
    const failures: WireFailure[] = []
    for (let at = 0, unit = 0; at < units.length; at = endOf(units, at), unit++) {
      const before = rows.length
      this.#prepared('savepoint unit').run()
      try {
        results.checked.clear()
        this.#runUnit(units, at, results)
      } catch (error) {
        // A full disk or a lost file ends the transaction itself; then nothing of the batch is left to save.
        if (!this.#db.isTransaction) throw error
        this.#prepared('rollback to unit').run()
        rows.length = before
        rows.push(0)
        failures.push({
          unit,
          ...(error instanceof Unmet ? { unmet: error.message } : { error: describeSqliteError(error) }),
        })
      }
      this.#prepared('release unit').run()
    }
    return { results: rows, failures, idle: idleIn(results) }
  }

  /**
   * Units of a batch that rely on the same fact need to find out only once: none of them has been answered before the
   * others.
   */
  #runUnit(units: readonly WireValue[], from: number, { rows: results, checked, changes }: Results): void {
    const countAt = results.push(0) - 1
    const end = endOf(units, from)
    let count = 0
    for (let at = from + 1, call = 0; at < end; call++) {
      const place = Number(units[at])
      const statement = this.#statementAt(place)
      const rows = Number(units[at + 1])
      at += 2
      for (let row = 0; row < rows; row++, at += statement.parameters) {
        const values = units.slice(at, at + statement.parameters)
        if (statement.onlyChecks) this.#checkRow(statement, values, checked)
        else if (statement.columns > 0) count += this.#readRow(statement, values, call, results)
        else {
          const changed = Number(this.#preparedOf(statement).run(...values).changes)
          if (statement.wakes) changes.set(place, (changes.get(place) ?? 0) + changed)
        }
      }
    }
    results[countAt] = count
  }

  #statementAt(place: number): Learned {
    const statement = this.#learned[place]
    if (!statement) throw new Error(`Nobody told of statement ${place}.`)
    return statement
  }

  #checkRow(statement: Learned, values: WireValue[], checked: Set<string>): void {
    const fact = `${statement.name}\n${values.join('\n')}`
    if (checked.has(fact)) return
    this.#readRow(statement, values, 0, [])
    checked.add(fact)
  }

  /** Number of rows returned. */
  #readRow(statement: Learned, values: WireValue[], call: number, results: WireValue[]): number {
    const found = this.#preparedOf(statement).all(...values) as unknown as WireValue[][]
    if (statement.required && found.length === 0) throw new Unmet(statement.name)
    for (const row of found) {
      results.push(call)
      for (const value of row) results.push(value)
    }
    return found.length
  }

  #preparedOf(statement: Learned): StatementSync {
    statement.prepared ??= this.#prepared(statement.text)
    return statement.prepared
  }
}

class Unmet extends Error {}

const noResults = (): Results => ({ rows: [], checked: new Set(), changes: new Map() })

function idleIn({ changes }: Results): number[] {
  return [...changes].flatMap(([place, count]) => (count === 0 ? [place] : []))
}

function endOf(units: readonly WireValue[], at: number): number {
  return at + 1 + Number(units[at])
}
