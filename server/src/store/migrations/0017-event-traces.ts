import type { Migration } from './migration.ts'

/** Where an event was caused, for the traces of its deliveries; null while tracing is off. */
export const eventTraces: Migration = {
  id: 17,
  name: 'event traces',
  statements: ['alter table events add column traceparent text'],
}
