import { query } from '../engine/operation.ts'

/** Also one that was disconnected: its messages are still counted. The one in use comes first. */
export const findNumberByPhone = query({
  name: 'numbers.by_phone',
  params: { account_id: 'text', phone_number: 'text' },
  returns: { id: 'text' },
  sql: `select id from numbers where account_id = :account_id and phone_number = :phone_number
        order by case when disconnected_at is null then 0 else 1 end, connected_at desc limit 1`,
})
