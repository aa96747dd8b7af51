import { operation, query, type RowOf } from '../engine/operation.ts'

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
