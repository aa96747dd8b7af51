import type { Migration } from './migration.ts'

/**
 * What is under way is found by its webhook, and that index is small enough to look through for leases that ran out. With
 * a second one PostgreSQL chose between them by statistics of quiet hours, and read everything under way for each delivery.
 */
export const deliveriesUnderWay: Migration = {
  id: 49,
  name: 'deliveries under way',
  statements: ['drop index deliveries_leased'],
}
