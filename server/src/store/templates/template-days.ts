import { folded, foldInput, isFolded } from '../analytics/analytics.ts'
import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

const counters = ['sent', 'delivered', 'read', 'failed']

/** Messages count on the day they were created, as in the analytics. */
export const foldTemplateDays = operation({
  name: 'template_days.fold',
  input: foldInput,
  alone: true,
  ctes: folded,
  sql: `insert into template_days (account_id, template, language, day, ${counters.join(', ')})
        select account_id, template, language, (quarter / 86400000) * 86400000,
          ${counters.map((step) => `sum(case when step = '${step}' then amount else 0 end)`).join(', ')}
        from analytics_steps
        where ${isFolded} and template <> '' and step in ('${counters.join("', '")}')
        group by 1, 2, 3, 4
        on conflict (account_id, template, language, day) do update set
          ${counters.map((name) => `${name} = template_days.${name} + excluded.${name}`).join(', ')}`,
})

export const templateUsage = query({
  name: 'template_days.usage',
  params: { account_id: 'text', since: 'int', names: 'text[]' },
  returns: { template: 'text', language: 'text', sent: 'int', delivered: 'int', read: 'int', failed: 'int' },
  lane: 'list',
  sql: `select template, language, ${counters.map((name) => `sum(${name}) as ${name}`).join(', ')} from template_days
        where account_id = :account_id and template in {list:names} and day >= :since
        group by template, language`,
})

export const deleteOldTemplateDays = expireBefore({
  table: 'template_days',
  key: ['account_id', 'template', 'language', 'day'],
  time: 'day',
})
