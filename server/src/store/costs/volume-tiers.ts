import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

const key = ['account_id', 'channel_id', 'month', 'category', 'region', 'tier'] as const
const columns = {
  account_id: 'text',
  channel_id: 'text',
  month: 'text',
  category: 'text',
  region: 'text',
  tier: 'text',
  since: 'int',
} as const
const names = Object.keys(columns).join(', ')

/** Meta may report a tier twice: the earlier time counts. */
export const saveTier = operation({
  name: 'volume_tiers.save',
  input: columns,
  key: [...key],
  sql: `insert into volume_tiers (${names}) select ${names} from rows where true
        on conflict (${key.join(', ')}) do update set since = excluded.since where excluded.since < volume_tiers.since`,
})

/** The tier that began last, of each month; of a sandbox until the account has a business account of Meta. */
export const readTiers = query({
  name: 'volume_tiers.read',
  params: { account_id: 'text', first: 'text', last: 'text' },
  returns: { waba_id: 'text', month: 'text', category: 'text', region: 'text', tier: 'text', since: 'int' },
  lane: 'list',
  sql: `select c.waba_id, t.month, t.category, t.region, t.tier, t.since
        from volume_tiers t join channels c on c.id = t.channel_id
        where t.account_id = :account_id and t.month >= :first and t.month <= :last and (c.kind = 'cloud' or not exists (
            select 1 from channels d where d.account_id = :account_id and d.kind = 'cloud'))
          and not exists (select 1 from volume_tiers later where later.account_id = t.account_id
            and later.channel_id = t.channel_id and later.month = t.month and later.category = t.category
            and later.region = t.region and (later.since, later.tier) > (t.since, t.tier))
        order by t.month desc, c.waba_id, t.category, t.region`,
})

export const deleteOldTiers = expireBefore({ table: 'volume_tiers', key, time: 'since' })
