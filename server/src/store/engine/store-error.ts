/** A condition of the unit did not hold: a required operation found no row. Nothing of the unit was stored. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed'
  readonly operation: string

  constructor(operation: string) {
    super(`The condition of ${operation} did not hold.`)
    this.operation = operation
  }
}

/** A unique index refused a row. Nothing of the unit was stored. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  readonly table: string

  constructor(table: string) {
    super(`A row of ${table} exists already.`)
    this.table = table
  }
}

/**
 * The database is away. With `outcome: 'unknown'` the connection was lost while committing: the unit may or may not be
 * stored, and the caller must not repeat it blindly.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly outcome: 'not_stored' | 'unknown'

  constructor(outcome: 'not_stored' | 'unknown', cause: unknown) {
    super('The database is not available.', { cause })
    this.outcome = outcome
  }
}

/** Something the operator must fix before the program can start; the message is the sentence to print. */
export class StoreRefusesToStart extends Error {
  override readonly name: string = 'StoreRefusesToStart'
}

/** The database can be used, and has no table of ours yet. */
export class EmptyDatabase extends StoreRefusesToStart {
  override readonly name = 'EmptyDatabase'
}
