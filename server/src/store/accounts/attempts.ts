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

/** Only the row of a delivery tells of a first attempt that succeeded. */
const isKept = `rows.number = 1 and rows.outcome = 'ok'`
const hasClaim = `exists (select 1 from delivery_claims c where c.delivery_id = rows.delivery_id and c.claim = rows.claim)`

/**
 * The log keeps every other attempt, also one whose claim was lost meanwhile: it is marked late and counts for nothing. An
 * attempt recorded twice, because the answer to the first commit was lost, is one attempt.
 */
export const insertAttempt = operation({
  name: 'attempts.insert',
  input: { ...attemptColumns, claim: 'text', outcome: 'text' },
  sql: `insert into attempts (${columnList}, late)
        select ${columnList}, case when ${hasClaim} then 0 else 1 end from rows where not (${isKept} and ${hasClaim})
        on conflict (delivery_id, id) do nothing`,
})

/** First attempts that are stored already: when the answer to a commit was lost, nothing else tells. */
export const storedFirstAttempts = query({
  name: 'deliveries.stored_first_attempts',
  params: { webhook_ids: 'text[]', ids: 'text[]' },
  returns: { id: 'text', started_at: 'int' },
  lane: 'list',
  sql: `select id, last_attempt_at as started_at from deliveries
        where webhook_id in {list:webhook_ids} and id in {list:ids} and url is not null`,
})

/** Every attempt of the deliveries `d` that meet a condition, with those that are told by the delivery's own row. */
export const anyAttempt = (where: string) => `(
    select ${Object.keys(attemptColumns)
      .map((column) => `d.${column}`)
      .join(', ')}, d.late
    from attempts d where ${where.replaceAll('d.id', 'd.delivery_id')}
    union all
    select 'att_' || substr(d.id, 5) as id, d.id as delivery_id, d.webhook_id, 1 as number, d.cause, d.url,
      d.last_attempt_at as started_at, d.duration_ms, d.status_code, null as error_code, null as error_message,
      d.remote_ip, '{}' as response_headers, null as response_body, null as next_attempt_at, 0 as late
    from deliveries d where d.url is not null and ${where})`

export const listAttempts = query({
  name: 'attempts.list',
  params: { webhook_id: 'text', delivery_id: 'text' },
  returns: { ...attemptColumns, late: 'int' },
  lane: 'list',
  sql: `select ${columnList}, late from ${anyAttempt('d.id = :delivery_id and d.webhook_id = :webhook_id')} a
        order by id limit 200`,
})
