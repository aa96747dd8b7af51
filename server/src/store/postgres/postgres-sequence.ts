import pg, { type Connection, type PoolClient, type QueryConfig, type QueryResult } from 'pg'

/** What pg's types leave out of its Query and Connection. */
type Wire = Connection & {
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
}
type WireQuery = {
  readonly name?: string
  readonly text: string
  callback: (error: Error | null, results: QueryResult[]) => void
  hasBeenParsed(connection: Wire): unknown
  prepare(connection: Wire): void
  handleCommandComplete(message: unknown, connection: Wire): void
  handleError(error: Error, connection: Wire): void
  handleReadyForQuery(connection: Wire): void
}
const Query = pg.Query as unknown as new (config: QueryConfig & { queryMode?: 'extended' }) => WireQuery

export class SequenceFailed extends Error {
  /** Which of the statements failed; all of them were sent. */
  readonly failedAt: number
  override readonly cause: Error

  constructor(failedAt: number, cause: Error) {
    super(cause.message)
    this.failedAt = failedAt
    this.cause = cause
  }
}

/**
 * Statements that the server runs up to the first that fails, and skips the rest: one Sync stands behind all of them. Had
 * each its own, as pg does it, those behind a `begin` that fails would be committed one by one.
 */
export function runSequence(client: PoolClient, statements: readonly QueryConfig[]): Promise<QueryResult[]> {
  return new Promise((resolve, reject) => {
    const sequence = new Sequence(statements, (error, results) => (error ? reject(error) : resolve(results)))
    client.query(sequence as unknown as pg.Query)
  })
}

class Sequence extends Query {
  readonly #parts: WireQuery[]
  #completed = 0

  constructor(statements: readonly QueryConfig[], callback: WireQuery['callback']) {
    super({ text: '' })
    this.#parts = statements.map((statement) => new Query({ ...statement, queryMode: 'extended' }))
    this.callback = (error, results) =>
      callback(error && new SequenceFailed(this.#completed, error), error ? [] : results)
  }

  submit(connection: Wire): Error | null {
    const withoutSync: Wire = Object.create(connection, { sync: { value: () => {} } })
    let unsent: Error | null = null
    for (const part of this.#parts) {
      part.callback = (error) => {
        unsent ??= error
      }
      // One that was behind a failure is not there, one before it is: closing what is not there is no error.
      if (part.name && !part.hasBeenParsed(connection)) connection.close({ type: 'S', name: part.name }, false)
      part.prepare(withoutSync)
    }
    if (!unsent) connection.sync()
    // What was written is still here: nothing of it may leave.
    else connection.stream.destroy()
    return unsent
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    this.#completed++
    super.handleCommandComplete(message, connection)
  }

  override handleError(error: Error, connection: Wire): void {
    for (const { name } of this.#parts) if (name) delete connection.submittedNamedStatements[name]
    super.handleError(error, connection)
  }

  override handleReadyForQuery(connection: Wire): void {
    for (const { name, text } of this.#parts) {
      if (!name) continue
      connection.parsedStatements[name] = text
      delete connection.submittedNamedStatements[name]
    }
    super.handleReadyForQuery(connection)
  }
}
