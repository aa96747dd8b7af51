import { query } from './operation.ts'

/** Everything on the disk of the database, indexes and free pages too. */
export const databaseBytes = query({
  name: 'database.bytes',
  params: {},
  returns: { bytes: 'int' },
  lane: 'list',
  sql: 'select {database_bytes} as bytes',
})

/** Of all accounts. An id begins with the time of its message, so this reads a range of the primary key. */
export const countMessagesBetween = query({
  name: 'messages.between_ids',
  params: { from_id: 'text', to_id: 'text' },
  returns: { count: 'int' },
  lane: 'list',
  sql: 'select count(*) as count from messages where id >= :from_id and id < :to_id',
})
