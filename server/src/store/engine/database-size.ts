import { query } from './operation.ts'

/** Everything on the disk of the database, indexes and free pages too. */
export const databaseBytes = query({
  name: 'database.bytes',
  params: {},
  returns: { bytes: 'int' },
  lane: 'list',
  sql: 'select {database_bytes} as bytes',
})

/** The largest first. It reads the whole file on SQLite, so it is asked for by hand. */
export const listTableBytes = query({
  name: 'database.tables',
  params: {},
  returns: { name: 'text', bytes: 'int' },
  lane: 'list',
  sql: 'select name, bytes from {table_bytes} as t order by bytes desc, name limit 200',
})

export const lastArchived = query({
  name: 'database.last_archived',
  params: {},
  returns: { at: 'int?' },
  lane: 'list',
  sql: 'select {last_archived} as at',
})

/** Of all accounts. An id begins with the time of its message, so this reads a range of the primary key. */
export const countMessagesBetween = query({
  name: 'messages.between_ids',
  params: { from_id: 'text', to_id: 'text' },
  returns: { count: 'int' },
  lane: 'list',
  sql: 'select count(*) as count from messages where id >= :from_id and id < :to_id',
})
