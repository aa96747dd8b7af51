import { operation } from '../engine/operation.ts'
import { firstColumnList, firstColumns } from './messages.ts'

/**
 * What a customer wrote: the platform repeats itself, and the unique index lets each message in once. One whose customer
 * was erased is known by `erased_id`.
 */
export const insertInbound = operation({
  name: 'messages.insert_inbound',
  input: { ...firstColumns, erased_id: 'text' },
  key: ['account_id', 'channel_message_id'],
  returns: { account_id: 'text', channel_message_id: 'text?' },
  required: true,
  wakes: 'messages',
  sql: `insert into messages (${firstColumnList}) select ${firstColumnList} from rows
        where not exists (select 1 from messages m
          where m.account_id = rows.account_id and m.channel_message_id = rows.erased_id)
        on conflict (account_id, channel_message_id) where channel_message_id is not null do nothing
        returning account_id, channel_message_id`,
})
