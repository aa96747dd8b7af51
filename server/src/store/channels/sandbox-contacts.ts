import { operation } from '../engine/operation.ts'

/** Winds the last message of a simulated customer back, so that the window is closed. Real customers are never wound. */
export const closeWindow = operation({
  name: 'contacts.close_window',
  input: { account_id: 'text', number_id: 'text', phone: 'text', last_inbound_at: 'int' },
  key: ['number_id', 'phone'],
  wakes: 'messages',
  sql: `update contacts set last_inbound_at = rows.last_inbound_at from rows
        where contacts.account_id = rows.account_id and contacts.number_id = rows.number_id
          and (contacts.address = rows.phone or contacts.phone = rows.phone)
          and exists (select 1 from numbers n join channels c on c.id = n.channel_id
            where n.id = rows.number_id and c.kind = 'sandbox')`,
})
