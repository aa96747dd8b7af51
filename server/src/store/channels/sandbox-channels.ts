import { operation, query } from '../engine/operation.ts'
import { channelColumns } from './channels.ts'

export const listSandboxChannels = query({
  name: 'channels.sandbox',
  params: {},
  returns: channelColumns,
  lane: 'list',
  sql: `select ${Object.keys(channelColumns).join(', ')} from channels
        where kind = 'sandbox' and status <> 'disconnected' order by id`,
})

/** Which of the accounts have a channel, and never had one of the real platform: a channel that was left keeps its row. */
export const accountsInSandbox = query({
  name: 'channels.accounts_in_sandbox',
  params: { account_ids: 'text[]' },
  returns: { account_id: 'text' },
  sql: `select account_id from channels where account_id in {list:account_ids}
        group by account_id having min(kind) = 'sandbox' and max(kind) = 'sandbox'`,
})

/** Every number the accounts have or had, and whether it is one of the sandbox. */
export const numberKinds = query({
  name: 'numbers.kinds',
  params: { account_ids: 'text[]' },
  returns: { account_id: 'text', id: 'text', phone_number: 'text', kind: 'text' },
  sql: `select n.account_id, n.id, n.phone_number, c.kind from numbers n join channels c on c.id = n.channel_id
        where n.account_id in {list:account_ids}`,
})

/** The platform of this channel is reached somewhere else now; the revision tells every node. */
export const moveChannel = operation({
  name: 'channels.move',
  input: { id: 'text', base_url: 'text', now: 'int' },
  key: ['id'],
  sql: `update channels set base_url = rows.base_url, updated_at = rows.now, revision = channels.revision + 1
        from rows where channels.id = rows.id`,
})

/** Winds the last message of a simulated customer back, so that the window is closed. Real customers are never wound. */
export const closeWindow = operation({
  name: 'contacts.close_window',
  input: { account_id: 'text', number_id: 'text', customer_id: 'text', last_inbound_at: 'int' },
  key: ['number_id', 'customer_id'],
  wakes: 'messages',
  sql: `update contacts set last_inbound_at = rows.last_inbound_at from rows
        where contacts.account_id = rows.account_id and contacts.number_id = rows.number_id
          and contacts.customer_id = rows.customer_id
          and exists (select 1 from numbers n join channels c on c.id = n.channel_id
            where n.id = rows.number_id and c.kind = 'sandbox')`,
})
