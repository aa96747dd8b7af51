import { operation, query } from './operation.ts'

/** Remembers when a customer last wrote; a late callback never moves it back. */
export const noteInbound = operation({
  name: 'contacts.note_inbound',
  input: {
    number_id: 'text',
    address: 'text',
    account_id: 'text',
    phone: 'text?',
    user_id: 'text?',
    name: 'text?',
    last_inbound_at: 'int?',
  },
  key: ['number_id', 'address'],
  sql: `insert into contacts (number_id, address, account_id, phone, user_id, name, last_inbound_at)
        select number_id, address, account_id, phone, user_id, name, last_inbound_at from rows where true
        on conflict (number_id, address) do update set
          phone = coalesce(excluded.phone, contacts.phone), user_id = coalesce(excluded.user_id, contacts.user_id),
          name = coalesce(excluded.name, contacts.name),
          last_inbound_at = {max}(coalesce(excluded.last_inbound_at, 0), coalesce(contacts.last_inbound_at, 0))`,
})

export const findContact = query({
  name: 'contacts.find',
  params: { number_id: 'text', address: 'text' },
  returns: { phone: 'text?', user_id: 'text?', name: 'text?', last_inbound_at: 'int?' },
  sql: 'select phone, user_id, name, last_inbound_at from contacts where number_id = :number_id and address = :address',
})

export const eraseContact = operation({
  name: 'contacts.erase',
  input: { account_id: 'text', address: 'text' },
  returns: { number_id: 'text' },
  alone: true,
  sql: `delete from contacts where account_id = (select account_id from rows)
          and (address = (select address from rows) or phone = (select address from rows)
            or user_id = (select address from rows))
        returning number_id`,
})
