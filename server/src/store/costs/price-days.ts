import type { CompiledQuery } from 'kysely'
import { folded, foldInput, isFolded } from '../analytics/analytics.ts'
import type { Dimension } from '../analytics/rollups.ts'
import { kysely, listCompiler } from '../engine/cursor.ts'
import type { Engine } from '../engine/dialect.ts'
import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

const key = 'account_id, day, type, template, category, country, phone_number, api_key, broadcast, price_key'

/** Messages count on the day on which they arrived, by the midnight of their WABA. */
export const foldPriceDays = operation({
  name: 'price_days.fold',
  input: foldInput,
  alone: true,
  ctes: folded,
  sql: `insert into price_days (${key}, n)
        select account_id, price_day, type, template, category, country, phone_number, api_key, broadcast_id, pricing, sum(amount)
        from analytics_steps where ${isFolded} and pricing is not null and price_day is not null
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        on conflict (${key}) do update set n = price_days.n + excluded.n`,
})

/** All that arrived of a broadcast. */
export const readBroadcastPrices = query({
  name: 'price_days.of_broadcast',
  params: { broadcast_id: 'text' },
  returns: { day: 'int', country: 'text', price_key: 'text', n: 'int' },
  sql: `select day, country, price_key, n from price_days where broadcast = :broadcast_id and broadcast <> ''`,
})

/** The dimensions of priced messages, besides those that decide the price. */
export const priceDimensions = [
  'type',
  'template',
  'category',
  'country',
  'phone_number',
  'api_key',
  'broadcast',
] as const
export type PriceDimension = (typeof priceDimensions)[number]
export type PriceFilter = Dimension | 'broadcast'
/** Empty where messages have no such thing. */
export type PriceRow = { day: number; country: string; phone_number: string; price_key: string; n: number } & Partial<
  Record<PriceDimension, string>
>

export type PriceRequest = {
  accountId: string
  /** Days as they are stored; `to` is exclusive. */
  from: number
  to: number
  groupBy: readonly PriceDimension[]
  filters: readonly (readonly [PriceFilter, string])[]
}

/** Counts by all that decides about a price, and by what is asked for. */
export function priceDaysQuery(
  engine: Engine,
  { accountId, from, to, groupBy, filters }: PriceRequest,
): CompiledQuery<PriceRow> {
  const { sql } = kysely()
  const columns = [...new Set(['day', 'country', 'phone_number', 'price_key', ...groupBy])]
  const names = sql.join(columns.map((name) => sql.ref(name)))
  // Only what was sent has a price.
  const kept = filters.map(([name, value]) =>
    name === 'direction' ? sql` and ${value} = 'outbound'` : sql` and ${sql.ref(name)} = ${value}`,
  )
  return sql`select ${names}, sum(n) as n from price_days
    where account_id = ${accountId} and day >= ${from} and day < ${to}${sql.join(kept, sql``)}
    group by ${names}`.compile(listCompiler(engine)) as CompiledQuery<PriceRow>
}

export const deleteOldPriceDays = expireBefore({
  table: 'price_days',
  key: [
    'account_id',
    'day',
    'type',
    'template',
    'category',
    'country',
    'phone_number',
    'api_key',
    'broadcast',
    'price_key',
  ],
  time: 'day',
})
