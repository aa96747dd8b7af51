import { operation, query, type RowOf } from '../engine/operation.ts'

const cardColumns = {
  id: 'text',
  /** Empty for a card of all accounts. */
  account_id: 'text',
  kind: 'text',
  currency: 'text',
  from_day: 'text',
  name: 'text',
  content: 'text',
  imported_at: 'int',
  imported_by: 'text',
  removed_at: 'int?',
  replaced_by: 'text?',
} as const

export type RateCardRow = RowOf<typeof cardColumns>
const names = Object.keys(cardColumns).join(', ')

/** Makes room for the card of the same kind, currency and first day that comes with the same unit. */
export const replaceRateCard = operation({
  name: 'rate_cards.replace',
  input: { id: 'text', account_id: 'text', kind: 'text', currency: 'text', from_day: 'text', imported_at: 'int' },
  key: ['account_id', 'kind', 'currency', 'from_day'],
  sql: `update rate_cards set removed_at = rows.imported_at, replaced_by = rows.id
        from rows where rate_cards.account_id = rows.account_id and rate_cards.kind = rows.kind
          and rate_cards.currency = rows.currency and rate_cards.from_day = rows.from_day and rate_cards.removed_at is null`,
})

export const insertRateCard = operation({
  name: 'rate_cards.insert',
  input: cardColumns,
  key: ['id'],
  sql: `insert into rate_cards (${names}) select ${names} from rows`,
})

export const removeRateCard = operation({
  name: 'rate_cards.remove',
  input: { id: 'text', account_id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update rate_cards set removed_at = rows.now
        from rows where rate_cards.id = rows.id and rate_cards.account_id = rows.account_id
          and rate_cards.removed_at is null
        returning rate_cards.id`,
})

/** Those of an account and those of all, the newest first; `history` is 1 for those no longer in use too. */
export const listRateCards = query({
  name: 'rate_cards.list',
  params: { account_id: 'text', history: 'int' },
  returns: cardColumns,
  sql: `select ${names} from rate_cards where account_id in (:account_id, '') and (removed_at is null or :history = 1)
        order by imported_at desc, id desc limit 500`,
})

export const findRateCard = query({
  name: 'rate_cards.find',
  params: { id: 'text' },
  returns: cardColumns,
  sql: `select ${names} from rate_cards where id = :id`,
})
