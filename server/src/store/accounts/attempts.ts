import { operation, query, type RowOf } from '../engine/operation.ts'

export const attemptColumns = {
  id: 'text',
  delivery_id: 'text',
  webhook_id: 'text',
  number: 'int',
  cause: 'text',
  url: 'text',
  started_at: 'int',
  duration_ms: 'int',
  status_code: 'int?',
  error_code: 'text?',
  error_message: 'text?',
  remote_ip: 'text?',
  response_headers: 'text',
  response_body: 'text?',
  next_attempt_at: 'int?',
} as const

export type AttemptRow = RowOf<typeof attemptColumns>

const columnList = Object.keys(attemptColumns).join(', ')

/**
 * The log keeps every attempt, also one whose claim was lost meanwhile: it is marked late and counts for nothing. An
 * attempt recorded twice, because the answer to the first commit was lost, is one attempt.
 */
export const insertAttempt = operation({
  name: 'attempts.insert',
  input: { ...attemptColumns, claim: 'text' },
  sql: `insert into attempts (${columnList}, late)
        select ${columnList}, case when exists (select 1 from deliveries d where d.id = rows.delivery_id
          and d.claim = rows.claim) then 0 else 1 end
        from rows where true
        on conflict (id) do nothing`,
})

export const listAttempts = query({
  name: 'attempts.list',
  params: { delivery_id: 'text' },
  returns: { ...attemptColumns, late: 'int' },
  sql: `select ${columnList}, late from attempts where delivery_id = :delivery_id order by id limit 200`,
})

export const expireAttempts = operation({
  name: 'attempts.expire',
  input: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `oldest as (select id, started_at from attempts order by id limit (select count from rows)),
    old as (select id from oldest where started_at < (select before from rows))`,
  sql: 'delete from attempts where id {in:old} returning id',
})
