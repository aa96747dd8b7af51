import { operation, query, type RowOf } from '../engine/operation.ts'

const newAccountColumns = {
  id: 'text',
  name: 'text',
  plan: 'text',
  status: 'text',
  created_at: 'int',
  updated_at: 'int',
  revision: 'int',
} as const

/** The rest is set by its deletion alone, see deletion.ts. */
export const accountColumns = {
  ...newAccountColumns,
  delete_at: 'int?',
  delete_asked_by: 'text?',
  deleting_at: 'int?',
} as const

const columns = Object.keys(accountColumns).join(', ')
const newColumns = Object.keys(newAccountColumns).join(', ')

export type NewAccountRow = RowOf<typeof newAccountColumns>
export type AccountRow = RowOf<typeof accountColumns>

export const insertAccount = operation({
  name: 'accounts.insert',
  input: newAccountColumns,
  key: ['id'],
  sql: `insert into accounts (${newColumns}) select ${newColumns} from rows`,
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
  sql: `select ${columns} from accounts where id = :id`,
})

export const listAccounts = query({
  name: 'accounts.list',
  params: { after: 'text', count: 'int' },
  returns: accountColumns,
  lane: 'list',
  sql: `select ${columns} from accounts where id > :after order by id limit :count`,
})

export const templateStates = query({
  name: 'templates.states',
  params: { account_id: 'text' },
  returns: {
    id: 'text',
    name: 'text',
    language: 'text',
    channel_kind: 'text',
    status: 'text',
    status_reason: 'text?',
    updated_at: 'int',
    submitted_at: 'int?',
  },
  lane: 'list',
  sql: `select id, name, language, channel_kind, status, status_reason, updated_at, submitted_at from templates
        where account_id = :account_id and status <> 'deleted' order by updated_at desc limit 500`,
})

/** The newest call that was turned away for who made it, unless a key of the account was let in since. */
export const lastTurnedAway = query({
  name: 'request_log.last_turned_away',
  params: { account_id: 'text' },
  returns: { id: 'text', at: 'int', code: 'text' },
  lane: 'list',
  sql: `select r.id, r.at, r.code from request_log r
        where r.account_id = :account_id and r.status in (401, 403) and r.code is not null
          and not exists (select 1 from api_keys k join token_chains c on c.key_id = k.id
            where k.account_id = :account_id and c.created_at >= r.at)
        order by r.at desc, r.id desc limit 1`,
})

export const firstMessages = query({
  name: 'messages.first',
  params: { account_id: 'text' },
  returns: { id: 'text' },
  sql: `select id from messages where account_id = :account_id and direction = 'outbound' limit 1`,
})
