import { operation, query, type RowOf } from '../engine/operation.ts'

export const accountColumns = {
  id: 'text',
  name: 'text',
  plan: 'text',
  status: 'text',
  created_at: 'int',
  updated_at: 'int',
  revision: 'int',
} as const

export type AccountRow = RowOf<typeof accountColumns>

export const insertAccount = operation({
  name: 'accounts.insert',
  input: accountColumns,
  key: ['id'],
  sql: `insert into accounts (id, name, plan, status, created_at, updated_at, revision)
        select id, name, plan, status, created_at, updated_at, revision from rows`,
})

/** Changes an account only if nobody else has since it was read. */
export const updateAccount = operation({
  name: 'accounts.update',
  input: { id: 'text', name: 'text', plan: 'text', status: 'text', now: 'int', revision: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update accounts set name = rows.name, plan = rows.plan, status = rows.status, updated_at = rows.now,
          revision = accounts.revision + 1
        from rows where accounts.id = rows.id and accounts.revision = rows.revision
        returning accounts.id`,
})

export const findAccount = query({
  name: 'accounts.find',
  params: { id: 'text' },
  returns: accountColumns,
  sql: 'select id, name, plan, status, created_at, updated_at, revision from accounts where id = :id',
})

export const listAccounts = query({
  name: 'accounts.list',
  params: { after: 'text', count: 'int' },
  returns: accountColumns,
  lane: 'list',
  sql: `select id, name, plan, status, created_at, updated_at, revision from accounts
        where id > :after order by id limit :count`,
})
