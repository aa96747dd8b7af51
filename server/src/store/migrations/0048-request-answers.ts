import type { Migration } from './migration.ts'

/** Of accounts that have numbers of the sandbox only, the request log keeps the address of a call and its answer too. */
export const requestAnswers: Migration = {
  id: 48,
  name: 'request answers',
  statements: ['alter table request_log add column path text', 'alter table request_log add column answer text'],
}
