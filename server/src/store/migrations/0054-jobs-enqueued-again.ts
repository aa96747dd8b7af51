import type { Migration } from './migration.ts'

/**
 * When a job has to run again that was enqueued while it ran; null of every other one. Nodes of the version before neither
 * write nor read it: what is enqueued while they run a job is served as late as before.
 */
export const jobsEnqueuedAgain: Migration = {
  id: 54,
  name: 'jobs enqueued again',
  statements: ['alter table jobs add column again_at bigint'],
}
