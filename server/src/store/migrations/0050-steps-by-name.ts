import type { Migration } from './migration.ts'

/** A fold names its steps instead of marking them first, which was more than a third of its work. */
export const stepsByName: Migration = {
  id: 50,
  name: 'steps by name',
  statements: ['drop index analytics_steps_folding', 'alter table analytics_steps drop column fold'],
}
