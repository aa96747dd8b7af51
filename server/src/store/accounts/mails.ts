import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

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

const columns = {
  user_id: 'text',
  account_id: 'text',
  kinds: 'text',
  mail: 'int',
  url: 'text?',
  updated_at: 'int',
} as const
const names = Object.keys(columns).join(', ')

export const saveAlertChoice = operation({
  name: 'alert_choices.save',
  input: columns,
  key: ['user_id'],
  sql: `insert into alert_choices (${names}) select ${names} from rows where true
        on conflict (user_id) do update set kinds = excluded.kinds, mail = excluded.mail, url = excluded.url,
          updated_at = excluded.updated_at, failed_at = null, error = null`,
})

export const noteAlertFailure = operation({
  name: 'alert_choices.note_failure',
  input: { user_id: 'text', error: 'text?', failed_at: 'int?' },
  key: ['user_id'],
  sql: `update alert_choices set error = rows.error, failed_at = rows.failed_at
        from rows where alert_choices.user_id = rows.user_id`,
})

export const findAlertChoice = query({
  name: 'alert_choices.find',
  params: { user_id: 'text' },
  returns: { ...columns, error: 'text?', failed_at: 'int?' },
  sql: `select ${names}, error, failed_at from alert_choices where user_id = :user_id`,
})

const recipientColumns = {
  user_id: 'text',
  kinds: 'text',
  mail: 'int',
  url: 'text?',
  role: 'text',
  email: 'text?',
  account_name: 'text',
} as const
export type AlertRecipient = RowOf<typeof recipientColumns>

/** Members who have joined and chose alerts. */
export const listAlertRecipients = query({
  name: 'alert_choices.recipients',
  params: { account_id: 'text' },
  returns: recipientColumns,
  lane: 'list',
  sql: `select c.user_id, c.kinds, c.mail, c.url, m.role, p.email, a.name as account_name
        from alert_choices c join members m on m.id = c.user_id and m.joined_at is not null
          join people p on p.id = m.person_id join accounts a on a.id = m.account_id
        where c.account_id = :account_id order by c.user_id limit 500`,
})

export const deleteAlertChoice = operation({
  name: 'alert_choices.delete',
  input: { user_id: 'text' },
  key: ['user_id'],
  sql: 'delete from alert_choices where user_id in (select user_id from rows)',
})
