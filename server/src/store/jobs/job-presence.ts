import { query } from '../engine/operation.ts'

/** Whether a job is still to be done, and how its last try ended. */
export const findJob = query({
  name: 'jobs.find',
  params: { kind: 'text', subject: 'text' },
  returns: { id: 'text', attempts: 'int', last_error: 'text?' },
  sql: 'select id, attempts, last_error from jobs where kind = :kind and subject = :subject',
})
