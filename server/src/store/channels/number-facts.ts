import { query } from '../engine/operation.ts'

/** All numbers an account ever had, disconnected ones too: old messages still name them. */
export const readNumberFacts = query({
  name: 'numbers.facts',
  params: { account_id: 'text' },
  returns: { id: 'text', phone_number: 'text', connected_at: 'int', kind: 'text' },
  sql: `select n.id, n.phone_number, n.connected_at, c.kind from numbers n join channels c on c.id = n.channel_id
        where n.account_id = :account_id`,
})
