import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

/** What was sent to whom, without what it says: the text waits sealed in its job. */
export const insertMail = operation({
  name: 'mails.insert',
  input: { id: 'text', account_id: 'text', user_id: 'text', kind: 'text', created_at: 'int' },
  key: ['id'],
  sql: `insert into mails (id, account_id, user_id, kind, status, error, created_at, updated_at)
        select id, account_id, user_id, kind, 'waiting', null, created_at, created_at from rows`,
})

export const settleMail = operation({
  name: 'mails.settle',
  input: { id: 'text', status: 'text', error: 'text?', now: 'int' },
  key: ['id'],
  sql: `update mails set status = rows.status, error = rows.error, updated_at = rows.now
        from rows where mails.id = rows.id`,
})

export const listLastMails = query({
  name: 'mails.last_of_account',
  params: { account_id: 'text', kind: 'text' },
  returns: { user_id: 'text', status: 'text', error: 'text?', updated_at: 'int' },
  lane: 'list',
  sql: `select user_id, status, error, updated_at from mails m where account_id = :account_id and kind = :kind
          and not exists (select 1 from mails newer where newer.user_id = m.user_id and newer.account_id = m.account_id
            and newer.kind = m.kind and newer.id > m.id)
        order by user_id limit 1000`,
})

export const countFailedMails = query({
  name: 'mails.failed_since',
  params: { since: 'int' },
  returns: { count: 'int', since: 'int?' },
  sql: `select count(*) as count, min(updated_at) as since from mails where status = 'failed' and updated_at >= :since`,
})

export const expireMails = expireBefore({ table: 'mails', key: ['id'], time: 'created_at' })
