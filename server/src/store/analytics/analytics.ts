import { operation, query } from '../engine/operation.ts'
import { countSeries, dimensions, failuresBeside, type Series, valueSeries } from './rollups-series.ts'

const stepColumns = {
  account_id: 'text',
  quarter: 'int',
  direction: 'text',
  type: 'text',
  template: 'text',
  language: 'text',
  category: 'text',
  country: 'text',
  phone_number: 'text',
  api_key: 'text',
  step: 'text',
  amount: 'int',
  created: 'int',
  error_code: 'text',
  latency_bucket: 'int?',
  pricing: 'text?',
  price_day: 'int?',
  recipient: 'text?',
  broadcast_id: 'text',
} as const
const stepNames = Object.keys(stepColumns).join(', ')

/**
 * One step of one message. Appending meets no other row, so the busiest account neither waits for a lock nor can two
 * batches block each other, which counters in place would do on PostgreSQL.
 */
export const insertStep = operation({
  name: 'analytics_steps.insert',
  input: stepColumns,
  sql: `insert into analytics_steps (${stepNames}) select ${stepNames} from rows`,
})

/** The youngest step; 0 when all are folded. */
export const lastStep = query({
  name: 'analytics_steps.last',
  params: {},
  returns: { seq: 'int' },
  sql: 'select coalesce(max(seq), 0) as seq from analytics_steps',
})

/** The first operation of a fold: the transaction that has this row folds, the others wait for its commit. */
export const lockFolds = operation({
  name: 'analytics_folds.lock',
  input: {},
  alone: true,
  sql: 'update analytics_folds set folds = folds + 1 where id = 1',
})

/** What a fold takes. */
export const nextSteps = query({
  name: 'analytics_steps.next',
  params: { count: 'int' },
  returns: { seq: 'int' },
  sql: 'select seq from analytics_steps order by seq limit :count',
})

/**
 * What the statements of a fold work on: steps by name. All up to some number would be more for the last statement than for
 * the first, because numbers are not committed in their order. The range is for PostgreSQL, which cannot tell how few the
 * names are and would read the whole table.
 */
export const foldInput = { first: 'int', last: 'int', seqs: 'text' } as const
export const folded = 'folded(seq) as ({numbers:seqs})'
export const isFolded = `seq >= (select first from rows) and seq <= (select last from rows)
  and seq in (select folded.seq from folded)`

export const deleteSteps = operation({
  name: 'analytics_steps.delete',
  input: foldInput,
  alone: true,
  ctes: folded,
  sql: `delete from analytics_steps where ${isFolded}`,
})

const steps = ['sent', 'delivered', 'read', 'failed', 'received', 'replies', 'taps']
const counters = ['created', ...steps]
const key = `account_id, series, start, direction, ${dimensions.join(', ')}`
const ordinals = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(', ')

/** Thousands of steps are a few kinds of message; only those are spread over the series. */
const cells = (columns: string, condition: string, besides: string | null, series: readonly Series[]) => `${folded},
  cells as (
    select account_id, quarter, direction, ${dimensions.join(', ')}, ${columns} from analytics_steps
    where ${isFolded} and ${condition}
    group by account_id, quarter, direction, ${[...dimensions, ...(besides === null ? [] : [besides])].join(', ')}),
  kept(series, span_ms, ${dimensions.map((name) => `by_${name}`).join(', ')}) as (${series.map(keptRow).join(' union all ')})`

function keptRow({ series, spanMs, keeps }: Series): string {
  return `select ${[series, spanMs, ...dimensions.map((name) => (keeps.includes(name) ? 1 : 0))].join(', ')}`
}

/** Every kind is counted once in each series, without what the series does not tell apart. */
const place = `c.account_id, k.series, (c.quarter / k.span_ms) * k.span_ms, c.direction,
  ${dimensions.map((name) => `case when k.by_${name} = 1 then c.${name} else '' end`).join(', ')}`
const spread = 'from cells c cross join kept k'

export const foldCounts = operation({
  name: 'message_rollups.fold',
  input: foldInput,
  alone: true,
  ctes: cells(
    [
      'sum(created) as created',
      ...steps.map((step) => `sum(case when step = '${step}' then amount else 0 end) as ${step}`),
    ].join(', '),
    'true',
    null,
    countSeries,
  ),
  sql: `insert into message_rollups (${key}, error_code, ${counters.join(', ')})
        select ${place}, '', ${counters.map((step) => `sum(c.${step})`).join(', ')}
        ${spread} where true group by ${ordinals(10)}
        on conflict (${key}, error_code) do update set
          ${counters.map((step) => `${step} = message_rollups.${step} + excluded.${step}`).join(', ')}`,
})

export const foldFailures = operation({
  name: 'message_rollups.fold_failures',
  input: foldInput,
  alone: true,
  ctes: cells(
    'error_code, sum(amount) as failed',
    `step = 'failed'`,
    'error_code',
    countSeries.map((one) => ({ ...one, series: one.series + failuresBeside })),
  ),
  sql: `insert into message_rollups (${key}, error_code, ${counters.join(', ')})
        select ${place}, c.error_code, ${counters.map((step) => (step === 'failed' ? 'sum(c.failed)' : '0')).join(', ')}
        ${spread} where true group by ${ordinals(11)}
        on conflict (${key}, error_code) do update set failed = message_rollups.failed + excluded.failed`,
})

export const foldLatencies = foldValues('latency', 'latency_bucket')
export const foldPricing = foldValues('pricing', 'pricing')

function foldValues(kind: string, column: string) {
  return operation({
    name: `rollup_values.fold_${kind}`,
    input: foldInput,
    alone: true,
    ctes: cells(
      `cast(${column} as text) as value, sum(amount) as amount`,
      `${column} is not null`,
      column,
      valueSeries,
    ),
    sql: `insert into rollup_values (${key}, kind, value, n)
          select ${place}, '${kind}', c.value, sum(c.amount)
          ${spread} where true group by ${ordinals(12)}
          on conflict (${key}, kind, value) do update set n = rollup_values.n + excluded.n`,
  })
}
