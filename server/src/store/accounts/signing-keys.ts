import { operation, query } from '../engine/operation.ts'

const columns = { kid: 'text', sealed: 'text', status: 'text', created_at: 'int', retired_at: 'int?' } as const

/** Only one key is active: a second insert at the same moment finds the first and does nothing. */
export const insertFirstSigningKey = operation({
  name: 'signing_keys.insert_first',
  input: { kid: 'text', sealed: 'text', created_at: 'int' },
  alone: true,
  sql: `insert into signing_keys (kid, sealed, status, created_at)
        select kid, sealed, 'active', created_at from rows
        where not exists (select 1 from signing_keys where status = 'active')`,
})

export const retireSigningKeys = operation({
  name: 'signing_keys.retire',
  input: { now: 'int' },
  alone: true,
  sql: `update signing_keys set status = 'retired', retired_at = (select now from rows) where status = 'active'`,
})

export const deleteRetiredSigningKeys = operation({
  name: 'signing_keys.delete_retired',
  input: { before: 'int' },
  alone: true,
  sql: `delete from signing_keys where status = 'retired' and retired_at < (select before from rows)`,
})

export const listSigningKeys = query({
  name: 'signing_keys.list',
  params: {},
  returns: columns,
  sql: 'select kid, sealed, status, created_at, retired_at from signing_keys order by created_at desc',
})
