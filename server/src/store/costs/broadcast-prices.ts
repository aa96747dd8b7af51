import { folded, foldInput, isFolded } from '../analytics/analytics.ts'
import { operation, query } from '../engine/operation.ts'

const key = 'broadcast_id, day, country, price_key'

/** The same that price_days counts, of each broadcast. */
export const foldBroadcastPrices = operation({
  name: 'broadcast_prices.fold',
  input: foldInput,
  alone: true,
  ctes: folded,
  sql: `insert into broadcast_prices (${key}, n)
        select broadcast_id, price_day, country, pricing, sum(amount) from analytics_steps
        where ${isFolded} and broadcast_id <> '' and pricing is not null and price_day is not null
        group by 1, 2, 3, 4
        on conflict (${key}) do update set n = broadcast_prices.n + excluded.n`,
})

export const readBroadcastPrices = query({
  name: 'broadcast_prices.read',
  params: { broadcast_id: 'text' },
  returns: { day: 'int', country: 'text', price_key: 'text', n: 'int' },
  sql: 'select day, country, price_key, n from broadcast_prices where broadcast_id = :broadcast_id',
})

export const deleteBroadcastPrices = operation({
  name: 'broadcast_prices.delete',
  input: { broadcast_id: 'text' },
  key: ['broadcast_id'],
  sql: 'delete from broadcast_prices where broadcast_id in (select broadcast_id from rows)',
})
