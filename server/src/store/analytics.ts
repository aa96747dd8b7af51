import { operation, query } from './operation.ts'

/**
 * One step of one message. Appending meets no other row, so the busiest account neither waits for a lock nor can two
 * batches block each other, which counters in place would do on PostgreSQL.
 */
export const insertStep = operation({
  name: 'analytics_steps.insert',
  input: {
    account_id: 'text',
    quarter: 'int',
    direction: 'text',
    type: 'text',
    template: 'text',
    category: 'text',
    country: 'text',
    phone_number: 'text',
    api_key: 'text',
    step: 'text',
    amount: 'int',
    error_code: 'text',
    latency_bucket: 'int?',
    pricing: 'text?',
    recipient: 'text?',
  },
  sql: `insert into analytics_steps (account_id, quarter, direction, type, template, category, country, phone_number,
          api_key, step, amount, error_code, latency_bucket, pricing, recipient)
        select account_id, quarter, direction, type, template, category, country, phone_number, api_key, step, amount,
          error_code, latency_bucket, pricing, recipient from rows`,
})

export const pendingSteps = query({
  name: 'analytics_steps.pending',
  params: {},
  returns: { pending: 'int' },
  sql: 'select count(*) as pending from (select 1 from analytics_steps where fold is null limit 1) one',
})

/** The first operation of a fold: whoever has this row folds, the others wait for its commit. */
export const lockFolds = operation({
  name: 'analytics_folds.lock',
  input: {},
  alone: true,
  sql: 'update analytics_folds set folds = folds + 1 where id = 1',
})

/** Marks what this fold takes: on PostgreSQL new steps may be committed between two of its statements. */
export const claimSteps = operation({
  name: 'analytics_steps.claim',
  input: { fold: 'int', count: 'int' },
  alone: true,
  sql: `update analytics_steps set fold = (select fold from rows) where seq in (
          select seq from analytics_steps where fold is null order by seq limit (select count from rows))`,
})

export const deleteSteps = operation({
  name: 'analytics_steps.delete',
  input: { fold: 'int' },
  alone: true,
  sql: 'delete from analytics_steps where fold = (select fold from rows)',
})

const dimensions = ['type', 'template', 'category', 'country', 'phone_number', 'api_key']
const counters = ['created', 'sent', 'delivered', 'read', 'failed', 'received']

/**
 * Each step is counted for its quarter hour, hour and day, once by every dimension (detail 1) and once with all of them
 * together (detail 0), which is what most questions need.
 */
const spread = `spans(span_ms) as (select 900000 union all select 3600000 union all select 86400000),
  details(detail) as (select 0 union all select 1)`
const place = `s.account_id, d.detail, p.span_ms, (s.quarter / p.span_ms) * p.span_ms, s.direction,
  ${dimensions.map((name) => `case when d.detail = 1 then s.${name} else '' end`).join(', ')}`
const key = `account_id, detail, span_ms, start, direction, ${dimensions.join(', ')}`
const claimed = `from analytics_steps s cross join spans p cross join details d
  where s.fold = (select fold from rows)`

export const foldCounts = operation({
  name: 'message_rollups.fold',
  input: { fold: 'int' },
  alone: true,
  ctes: spread,
  sql: `insert into message_rollups (${key}, error_code, ${counters.join(', ')})
        select ${place}, s.error_code,
          ${counters.map((step) => `sum(case when s.step = '${step}' then s.amount else 0 end)`).join(', ')}
        ${claimed} group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (${key}, error_code) do update set
          ${counters.map((step) => `${step} = message_rollups.${step} + excluded.${step}`).join(', ')}`,
})

export const foldLatencies = foldValues('latency', 'latency_bucket', 'cast(s.latency_bucket as text)')
export const foldPricing = foldValues('pricing', 'pricing', 's.pricing')

function foldValues(kind: string, column: string, value: string) {
  return operation({
    name: `rollup_values.fold_${kind}`,
    input: { fold: 'int' },
    alone: true,
    ctes: spread,
    sql: `insert into rollup_values (${key}, kind, value, n)
          select ${place}, '${kind}', ${value}, sum(s.amount)
          ${claimed} and s.${column} is not null group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
          on conflict (${key}, kind, value) do update set n = rollup_values.n + excluded.n`,
  })
}
