import { kysely } from '../engine/cursor.ts'
import type { Listing } from '../engine/list.ts'
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

/** The end of the chain: the newest line, or the anchor when every line has expired. */
export const lastAudit = query({
  name: 'audit_log.last',
  params: { account_id: 'text' },
  returns: { seq: 'int', hash: 'text' },
  sql: `select seq, hash from (
          select seq, hash from audit_log where account_id = :account_id order by seq desc limit 1) newest
        union all select seq, hash from audit_anchors where account_id = :account_id
        order by seq desc limit 1`,
})

/** The last line that expired. `sealed` proves that this gateway wrote it, see audit/audit.ts. */
export const findAnchor = query({
  name: 'audit_anchors.find',
  params: { account_id: 'text' },
  returns: { seq: 'int', hash: 'text', sealed: 'text' },
  sql: 'select seq, hash, sealed from audit_anchors where account_id = :account_id',
})

/** The number and hash of the newest line, sealed, see audit/audit.ts. */
export const findHead = query({
  name: 'audit_heads.find',
  params: { account_id: 'text' },
  returns: { sealed: 'text' },
  sql: 'select sealed from audit_heads where account_id = :account_id',
})

/** Together with the lines: two writers of one number cannot both have moved it. */
export const moveHead = operation({
  name: 'audit_heads.move',
  input: { account_id: 'text', sealed: 'text' },
  key: ['account_id'],
  sql: `insert into audit_heads (account_id, sealed) select account_id, sealed from rows where true
        on conflict (account_id) do update set sealed = excluded.sealed`,
})

/** Moves the anchor forward, never back. */
export const moveAnchor = operation({
  name: 'audit_anchors.move',
  input: { account_id: 'text', seq: 'int', hash: 'text', sealed: 'text' },
  key: ['account_id'],
  sql: `insert into audit_anchors (account_id, seq, hash, sealed)
        select account_id, seq, hash, sealed from rows where true
        on conflict (account_id) do update set seq = excluded.seq, hash = excluded.hash, sealed = excluded.sealed
          where excluded.seq > audit_anchors.seq`,
})

export const expireAudit = operation({
  name: 'audit_log.expire',
  input: { account_id: 'text', seq: 'int' },
  key: ['account_id'],
  sql: `delete from audit_log where (account_id, seq) in (
          select old.account_id, old.seq from rows join audit_log old
            on old.account_id = rows.account_id and old.seq <= rows.seq)`,
})

export const readAudit = query({
  name: 'audit_log.read',
  params: { account_id: 'text', after: 'int', count: 'int' },
  returns: auditColumns,
  lane: 'list',
  sql: `select ${columns} from audit_log where account_id = :account_id and seq > :after order by seq limit :count`,
})

/** Of the installation and all accounts, newest first: ids begin with their time. */
export const readAuditOfAll = query({
  name: 'audit_log.of_all',
  params: { before: 'text', count: 'int' },
  returns: { id: 'text', account_id: 'text', account_name: 'text', action: 'text', occurred_at: 'int', entry: 'text' },
  lane: 'list',
  sql: `select l.id, l.account_id, coalesce(a.name, '') as account_name, l.action, l.occurred_at, l.entry
        from audit_log l left join accounts a on a.id = l.account_id
        where l.id < :before order by l.id desc limit :count`,
})

type AuditFilters = {
  /** An action, or the noun of several. */
  action: string
  /** A pattern of the actor, as its entry writes it. */
  actorLike: string
  fromAt: number | null
  toAt: number | null
  /** Words somewhere in the entry. */
  words: string
}

/** Newest first. An empty filter lets everything through. */
export function auditListing(
  accountId: string,
  { action, actorLike, fromAt, toAt, words }: AuditFilters,
): Listing<AuditRow> {
  const { sql } = kysely()
  const actions = `${action.replace(/[\\%_]/g, '\\$&')}.%`
  return {
    table: 'audit_log',
    columns: Object.keys(auditColumns)
      .map((column) => `r.${column}`)
      .join(', '),
    key: ['account_id', 'seq'],
    along: ['seq'],
    order: 'desc',
    time: 'occurred_at',
    fixed: { account_id: accountId },
    filters: [
      ...(action === '' ? [] : [sql`(r.action = ${action} or r.action like ${actions} escape '\\')`]),
      ...(actorLike === '' ? [] : [sql`r.entry like ${actorLike} escape '\\'`]),
      ...(fromAt === null ? [] : [sql`r.occurred_at >= ${fromAt}`]),
      ...(toAt === null ? [] : [sql`r.occurred_at < ${toAt}`]),
      ...(words === ''
        ? []
        : [sql`lower(r.entry) like ${`%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`]),
    ],
  }
}
