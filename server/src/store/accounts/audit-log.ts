import { operation, query, type RowOf } from '../engine/operation.ts'

export const auditColumns = {
  account_id: 'text',
  seq: 'int',
  id: 'text',
  action: 'text',
  occurred_at: 'int',
  entry: 'text',
  prev_hash: 'text',
  hash: 'text',
} as const

export type AuditRow = RowOf<typeof auditColumns>
const columns = Object.keys(auditColumns).join(', ')

/** Append only; a second entry with the same number fails, and its unit is built again on the new end. */
export const appendAudit = operation({
  name: 'audit_log.append',
  input: auditColumns,
  key: ['account_id', 'seq'],
  wakes: 'audit',
  sql: `insert into audit_log (${columns}) select ${columns} from rows`,
})

export const lastAudit = query({
  name: 'audit_log.last',
  params: { account_id: 'text' },
  returns: { seq: 'int', hash: 'text' },
  sql: 'select seq, hash from audit_log where account_id = :account_id order by seq desc limit 1',
})

export const readAudit = query({
  name: 'audit_log.read',
  params: { account_id: 'text', after: 'int', count: 'int' },
  returns: auditColumns,
  lane: 'list',
  sql: `select ${columns} from audit_log where account_id = :account_id and seq > :after order by seq limit :count`,
})

/** Newest first. An empty filter lets everything through; the patterns come escaped with `\`. */
export const searchAudit = query({
  name: 'audit_log.search',
  params: {
    account_id: 'text',
    before: 'int',
    action: 'text',
    /** The actions of a noun. */
    actions_like: 'text',
    /** The actor as its entry writes it. */
    actor_like: 'text',
    count: 'int',
  },
  returns: auditColumns,
  lane: 'list',
  sql: `select ${columns} from audit_log
        where account_id = :account_id and seq < :before
          and (:action = '' or action = :action or action like :actions_like escape '\\')
          and (:actor_like = '' or entry like :actor_like escape '\\')
        order by seq desc limit :count`,
})
