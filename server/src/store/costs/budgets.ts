import { operation, query, type RowOf } from '../engine/operation.ts'

/** With another period, currency or key it is another budget. */
const fixedColumns = {
  id: 'text',
  account_id: 'text',
  key_id: 'text',
  period: 'text',
  currency: 'text',
  created_at: 'int',
} as const
const changingColumns = {
  name: 'text',
  limit_micros: 'int',
  warn_at: 'int',
  stop: 'int',
  exempt: 'text',
  updated_at: 'int',
} as const
const budgetColumns = { ...fixedColumns, ...changingColumns, revision: 'int' } as const
export type BudgetRow = RowOf<typeof budgetColumns>
const names = Object.keys(budgetColumns).join(', ')
const ownNames = Object.keys(budgetColumns)
  .map((name) => `b.${name}`)
  .join(', ')

/** As long as the account has fewer than `most`: every send has to find room in all that concern it. */
export const insertBudget = operation({
  name: 'budgets.insert',
  input: { ...budgetColumns, most: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `insert into budgets (${names}) select ${names} from rows
        where (select count(*) from budgets b where b.account_id = rows.account_id) < rows.most returning id`,
})

/** As it was read. What it counts stays. */
export const updateBudget = operation({
  name: 'budgets.update',
  input: { id: 'text', account_id: 'text', revision: 'int', ...changingColumns },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update budgets set ${Object.keys(changingColumns).map((name) => `${name} = rows.${name}`)},
          revision = budgets.revision + 1
        from rows where budgets.id = rows.id and budgets.account_id = rows.account_id and budgets.revision = rows.revision
        returning budgets.id`,
})

/** Of a limit that is another one now. */
export const forgetWarnings = operation({
  name: 'budget_periods.forget_warnings',
  input: { budget_id: 'text' },
  key: ['budget_id'],
  sql: `update budget_periods set warned_at = null, exceeded_at = null from rows where budget_periods.budget_id = rows.budget_id`,
})

export const deleteBudget = operation({
  name: 'budgets.delete',
  input: { id: 'text', account_id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: 'delete from budgets where (id, account_id) in (select id, account_id from rows) returning id',
})

export const deleteBudgetPeriods = operation({
  name: 'budget_periods.delete',
  input: { budget_id: 'text' },
  key: ['budget_id'],
  sql: 'delete from budget_periods where budget_id in (select budget_id from rows)',
})

/** After a change of budgets: no send that was drafted before it passes its grant. */
export const markBudgets = operation({
  name: 'numbers.mark_budgets',
  input: { account_id: 'text', mark: 'int' },
  key: ['account_id'],
  sql: `update numbers set budget_mark = case when exists (select 1 from budgets b where b.account_id = numbers.account_id)
          then {max}(rows.mark, numbers.budget_mark + 1) else 0 end
        from rows where numbers.account_id = rows.account_id`,
})

/** After a change of rate cards, of one account or, with '', of all. */
export const markRates = operation({
  name: 'numbers.mark_rates',
  input: { account_id: 'text', mark: 'int' },
  key: ['account_id'],
  sql: `update numbers set budget_mark = {max}(rows.mark, numbers.budget_mark + 1) from rows
        where numbers.budget_mark > 0 and (rows.account_id = '' or numbers.account_id = rows.account_id)`,
})

/** They are to be counted anew, at the next opportunity. */
export const outdateBudgets = operation({
  name: 'budgets.outdate',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: `update budgets set counted_at = 0 from rows where rows.account_id = '' or budgets.account_id = rows.account_id`,
})

export const findBudgets = query({
  name: 'budgets.of_account',
  params: { account_id: 'text' },
  returns: { ...budgetColumns, mark: 'int' },
  sql: `select ${ownNames}, coalesce((select max(n.budget_mark) from numbers n where n.account_id = b.account_id), 0) as mark
        from budgets b where b.account_id = :account_id order by b.created_at, b.id`,
})

const asked = (column: string) => `(select asked.${column} from rows asked
    where asked.budget_id = excluded.budget_id and asked.period = excluded.period)`
const place = { budget_id: 'text', period: 'int' } as const

/**
 * Room in a budget for all sends of the batch. A refusal is final, so each of them is tried where there is not enough for
 * all.
 */
export const reserveBudget = operation({
  name: 'budgets.reserve',
  input: { ...place, amount: 'int' },
  key: ['budget_id', 'period'],
  returns: place,
  required: true,
  together: { add: (row, other) => ({ ...row, amount: row.amount + other.amount }), orEach: true },
  sql: `insert into budget_periods (budget_id, period, reserved, spent)
        select rows.budget_id, rows.period, rows.amount, 0 from rows where exists (select 1 from budgets b
          where b.id = rows.budget_id and (b.stop = 0 or rows.amount <= b.limit_micros))
        on conflict (budget_id, period) do update set reserved = budget_periods.reserved + excluded.reserved
        where exists (select 1 from budgets b where b.id = budget_periods.budget_id
          and (b.stop = 0 or budget_periods.reserved + budget_periods.spent + excluded.reserved <= b.limit_micros))
        returning budget_id, period`,
})

/** Releases the reservation and books Meta's charge; nothing for a deleted budget. */
export const settleBudget = operation({
  name: 'budgets.settle',
  input: { ...place, released: 'int', spent: 'int' },
  key: ['budget_id', 'period'],
  together: {
    add: (row, other) => ({ ...row, released: row.released + other.released, spent: row.spent + other.spent }),
  },
  sql: `insert into budget_periods (budget_id, period, reserved, spent)
        select rows.budget_id, rows.period, 0, rows.spent from rows
        where exists (select 1 from budgets b where b.id = rows.budget_id)
        on conflict (budget_id, period) do update set
          reserved = budget_periods.reserved - ${asked('released')}, spent = budget_periods.spent + excluded.spent`,
})

/** A message's budget reservation; null if none. */
export const keepReserved = operation({
  name: 'messages.keep_reserved',
  input: { id: 'text', reserved: 'text?' },
  key: ['id'],
  sql: 'update messages set reserved = rows.reserved from rows where messages.id = rows.id',
})

const periodColumns = {
  ...place,
  reserved: 'int',
  spent: 'int',
  warned_at: 'int?',
  exceeded_at: 'int?',
} as const
export type BudgetPeriodRow = RowOf<typeof periodColumns>
const periodNames = Object.keys(periodColumns)
  .map((name) => `p.${name}`)
  .join(', ')

/** From a day on, so that those of long ago cost nothing. */
export const findBudgetPeriods = query({
  name: 'budget_periods.of_account',
  params: { account_id: 'text', since: 'int' },
  returns: periodColumns,
  sql: `select ${periodNames} from budget_periods p join budgets b on b.id = p.budget_id
        where b.account_id = :account_id and p.period >= :since`,
})

/** Pending budget notifications. */
export const findUntold = query({
  name: 'budget_periods.untold',
  params: { since: 'int', count: 'int' },
  returns: { ...periodColumns, account_id: 'text' },
  sql: `select ${periodNames}, b.account_id from budget_periods p join budgets b on b.id = p.budget_id
        where p.period >= :since and (
          (p.warned_at is null and (p.reserved + p.spent) * 100 >= b.limit_micros * b.warn_at)
          or (p.exceeded_at is null and p.reserved + p.spent >= b.limit_micros))
        limit :count`,
})

/** Only the first who notices tells it. */
const noteOnce = (column: 'warned_at' | 'exceeded_at') =>
  operation({
    name: `budget_periods.note_${column}`,
    input: { ...place, now: 'int' },
    key: ['budget_id', 'period'],
    returns: place,
    required: true,
    sql: `update budget_periods set ${column} = rows.now from rows where budget_periods.budget_id = rows.budget_id
            and budget_periods.period = rows.period and budget_periods.${column} is null
          returning budget_periods.budget_id, budget_periods.period`,
  })
export const noteWarned = noteOnce('warned_at')
export const noteExceeded = noteOnce('exceeded_at')

/** Of the periods that run now, as far as anything was reserved or spent. */
export const countBudgets = query({
  name: 'budgets.count',
  params: { day: 'int', month: 'int' },
  returns: { state: 'text', count: 'int' },
  lane: 'list',
  sql: `select state, count(*) as count from (
          select case when p.reserved + p.spent >= b.limit_micros then 'exceeded'
            when (p.reserved + p.spent) * 100 >= b.limit_micros * b.warn_at then 'warned' else 'open' end as state
          from budget_periods p join budgets b on b.id = p.budget_id
          where p.period >= case when b.period = 'day' then :day else :month end) counted group by state`,
})

export const findUncounted = query({
  name: 'budgets.uncounted',
  params: { before: 'int', count: 'int' },
  returns: { ...budgetColumns, counted: 'int' },
  sql: `select ${names}, counted from budgets where counted_at < :before order by counted_at limit :count`,
})

/** Of two who count a budget anew, one corrects it. */
export const noteCounted = operation({
  name: 'budgets.note_counted',
  input: { id: 'text', counted: 'int', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update budgets set counted = budgets.counted + 1, counted_at = rows.now from rows
        where budgets.id = rows.id and budgets.counted = rows.counted returning budgets.id`,
})

/**
 * What was delivered since a day, and what a budget has as spent, at one moment: a status counts in both with one unit, so
 * their difference is what is wrong. Steps that are not folded yet belong to what was delivered.
 */
export const recountBudget = query({
  name: 'budgets.recount',
  params: { id: 'text', account_id: 'text', key_id: 'text', currency: 'text', since: 'int' },
  returns: { day: 'int', country: 'text', price_key: 'text', n: 'int', spent: 'int' },
  lane: 'list',
  sql: `with own(id) as (select n.id from numbers n join channels c on c.id = n.channel_id
          where n.account_id = :account_id and c.currency = :currency and (c.kind = 'cloud' or not exists (
            select 1 from numbers o join channels d on d.id = o.channel_id
            where o.account_id = :account_id and d.kind = 'cloud')))
        select day, country, price_key, cast(sum(n) as bigint) as n, 0 as spent from (
          select day, country, price_key, n from price_days where account_id = :account_id and day >= :since
            and (:key_id = '' or api_key = :key_id) and phone_number in (select id from own)
          union all
          select price_day, country, pricing, amount from analytics_steps where account_id = :account_id
            and pricing is not null and price_day >= :since and (:key_id = '' or api_key = :key_id)
            and phone_number in (select id from own)) counted
        group by day, country, price_key
        union all
        select period, '', '', 0, spent from budget_periods where budget_id = :id and period >= :since`,
})
