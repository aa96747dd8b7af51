import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

const key = ['account_id', 'channel_id', 'day', 'country', 'category', 'type', 'tier'] as const
const figures = { volume: 'int', cost_micros: 'int?', fetched_at: 'int' } as const
const columns = {
  account_id: 'text',
  channel_id: 'text',
  day: 'int',
  country: 'text',
  category: 'text',
  type: 'text',
  tier: 'text',
  ...figures,
} as const
const names = Object.keys(columns).join(', ')

/** Meta corrects its figures for days: the newest ones count. */
export const saveReported = operation({
  name: 'reported_days.save',
  input: columns,
  key: [...key],
  sql: `insert into reported_days (${names}) select ${names} from rows where true
        on conflict (${key.join(', ')}) do update set ${Object.keys(figures).map((name) => `${name} = excluded.${name}`)}`,
})

/** Rows that the newest figures of a range no longer contain. */
export const dropUnreported = operation({
  name: 'reported_days.drop',
  input: { account_id: 'text', channel_id: 'text', since: 'int', fetched_at: 'int' },
  key: ['account_id', 'channel_id'],
  sql: `delete from reported_days where (${key.join(', ')}) in (
          select ${key.map((name) => `old.${name}`).join(', ')} from rows join reported_days old
            on old.account_id = rows.account_id and old.channel_id = rows.channel_id and old.day >= rows.since
          where old.fetched_at < rows.fetched_at)`,
})

/** By what costs can be compared by; of a sandbox until the account has a business account of Meta. */
export const readReported = query({
  name: 'reported_days.read',
  params: { account_id: 'text', since: 'int', until: 'int' },
  returns: {
    day: 'int',
    country: 'text',
    category: 'text',
    currency: 'text?',
    volume: 'int',
    cost_micros: 'int?',
    fetched_at: 'int',
  },
  lane: 'list',
  sql: `select r.day, r.country, r.category, c.currency, cast(sum(r.volume) as bigint) as volume,
          cast(sum(r.cost_micros) as bigint) as cost_micros, max(r.fetched_at) as fetched_at
        from reported_days r join channels c on c.id = r.channel_id
        where r.account_id = :account_id and r.day >= :since and r.day < :until and (c.kind = 'cloud' or not exists (
          select 1 from channels d where d.account_id = :account_id and d.kind = 'cloud'))
        group by r.day, r.country, r.category, c.currency`,
})

/** In the order of their ids, from one on. */
export const connectedChannels = query({
  name: 'channels.connected',
  params: { after: 'text', count: 'int' },
  returns: { id: 'text', account_id: 'text', time_zone: 'text?', number_id: 'text?' },
  sql: `select c.id, c.account_id, c.time_zone, (select min(n.id) from numbers n
          where n.channel_id = c.id and n.disconnected_at is null) as number_id
        from channels c where c.id > :after and c.status = 'connected' order by c.id limit :count`,
})

export const deleteOldReported = expireBefore({ table: 'reported_days', key, time: 'day' })
