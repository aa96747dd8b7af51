import type { Migration } from './migration.ts'

/** A message counts as created with the first step that is counted of it, instead of with a row of its own. */
export const createdWithAStep: Migration = {
  id: 51,
  name: 'created with a step',
  statements: [
    'alter table analytics_steps add column created bigint not null default 0',
    `update analytics_steps set created = amount where step = 'created'`,
  ],
}
