import { operation, query, type RowOf } from '../engine/operation.ts'

const changingColumns = { shortcut: 'text', text: 'text', updated_at: 'int' } as const
const savedReplyColumns = { id: 'text', account_id: 'text', ...changingColumns } as const
export type SavedReplyRow = RowOf<typeof savedReplyColumns>
const names = Object.keys(savedReplyColumns).join(', ')

export const listSavedReplyRows = query({
  name: 'saved_replies.list',
  params: { account_id: 'text' },
  returns: savedReplyColumns,
  lane: 'list',
  sql: `select ${names} from saved_replies where account_id = :account_id order by shortcut`,
})

/** As long as the account has fewer than `most`. */
export const insertSavedReply = operation({
  name: 'saved_replies.insert',
  input: { ...savedReplyColumns, most: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `insert into saved_replies (${names}) select ${names} from rows
        where (select count(*) from saved_replies s where s.account_id = rows.account_id) < rows.most returning id`,
})

export const updateSavedReply = operation({
  name: 'saved_replies.update',
  input: savedReplyColumns,
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update saved_replies set ${Object.keys(changingColumns).map((name) => `${name} = rows.${name}`)}
        from rows where saved_replies.id = rows.id and saved_replies.account_id = rows.account_id
        returning saved_replies.id`,
})

export const deleteSavedReply = operation({
  name: 'saved_replies.delete',
  input: { id: 'text', account_id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `delete from saved_replies where (id, account_id) in (select id, account_id from rows) returning id`,
})
