import type { Duplex } from 'node:stream'
import type { ClientBase, PoolClient, Submittable } from 'pg'

export type PipelineStatement = {
  /** Prepared once per connection; without a name it is planned for this call alone. */
  readonly name: string | null
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
  /** Asks for the names of the result columns. */
  readonly described: boolean
}
export type PipelineResult = {
  columns: readonly string[]
  rows: (string | null)[][]
  /** Number of rows returned or changed. */
  count: number
}

/** The error of one statement; of the commit, when it stands behind the last one. */
export class PipelineError extends Error {
  readonly at: number
  override readonly cause: Error

  constructor(at: number, cause: Error) {
    super(cause.message, { cause })
    this.at = at
    this.cause = cause
  }
}

/** The part of pg's connection that is used here. */
type Connection = {
  stream: Duplex
  close(message: { type: 'S'; name: string }): void
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly (string | Buffer | null)[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: object): void
  sync(): void
}

const preparedOn = new WeakMap<object, Set<string>>()

/**
 * Statements that are one transaction, in one packet there and one packet back. Nothing says begin or commit: to PostgreSQL
 * everything up to a sync is one transaction, which the first error undoes, and which it answers as a whole. As queries
 * of their own, every statement would be a write to the socket on its side and a wake-up on ours.
 */
export function runPipeline(
  client: PoolClient,
  statements: readonly PipelineStatement[],
): Promise<readonly PipelineResult[]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, resolve, reject) as unknown as Submittable)
  })
}

/** Handed to pg as pg-cursor is: it writes its own messages and is told of every answer. */
class Pipeline {
  readonly #statements: readonly PipelineStatement[]
  readonly #results: PipelineResult[]
  #prepared: Set<string> = new Set()
  #at = 0
  /** pg wraps it, to stop its clock. */
  callback: (error: Error | null) => void

  constructor(
    statements: readonly PipelineStatement[],
    resolve: (results: readonly PipelineResult[]) => void,
    reject: (error: PipelineError) => void,
  ) {
    this.#statements = statements
    this.#results = statements.map(() => ({ columns: [], rows: [], count: 0 }))
    this.callback = (error) => (error ? reject(new PipelineError(this.#at, error)) : resolve(this.#results))
  }

  submit(connection: Connection): Error | null {
    this.#prepared = preparedOn.get(connection) ?? new Set()
    preparedOn.set(connection, this.#prepared)
    connection.stream.cork()
    try {
      for (const { name, text, values, described } of this.#statements) {
        const statement = name ?? ''
        if (!this.#prepared.has(statement)) {
          // An earlier pipeline may have failed right behind its preparation.
          if (name !== null) connection.close({ type: 'S', name })
          connection.parse({ name: statement, text })
        }
        connection.bind({ statement, values })
        if (described) connection.describe({ type: 'P', name: '' })
        connection.execute({})
      }
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string }[] }): void {
    const result = this.#results[this.#at]
    if (result) result.columns = fields.map(({ name }) => name)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#results[this.#at]?.rows.push(fields)
  }

  /** `INSERT 0 3`, `UPDATE 3`, `SELECT 3`. */
  handleCommandComplete({ text }: { text: string }): void {
    const result = this.#results[this.#at]
    if (result) result.count = Number(text.slice(text.lastIndexOf(' ') + 1))
    const name = this.#statements[this.#at]?.name
    if (name) this.#prepared.add(name)
    this.#at++
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  handleError(error: Error): void {
    this.callback(error)
  }
}

/** What the client writes inside `write` leaves in one packet. Left alone, every statement is a write of its own. */
export function inOnePacket<Result>(client: ClientBase, write: () => Result): Result {
  const stream = streamOf(client)
  stream.cork()
  try {
    return write()
  } finally {
    stream.uncork()
  }
}

/** Closes the connection at once: its own goodbye waits for the answers to everything that was sent. */
export function tearDown(client: ClientBase): void {
  streamOf(client).destroy()
}

function streamOf(client: ClientBase): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream
}
