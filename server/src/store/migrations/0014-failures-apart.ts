import type { Migration } from './migration.ts'

const key = 'account_id, series, start, direction, type, template, category, country, phone_number, api_key'
const place = key.replace('series', 'series + 500')
const counters = 'created, sent, delivered, read, failed, received'
const mixed = `error_code <> '' and series < 500`

/** Failures by code move to series beside those of the counts, which keep only how many there were. */
export const failuresApart: Migration = {
  id: 14,
  name: 'failures apart',
  statements: [
    `insert into message_rollups (${key}, error_code, ${counters})
      select ${place}, error_code, 0, 0, 0, 0, failed, 0 from message_rollups where ${mixed}`,
    `insert into message_rollups (${key}, error_code, ${counters})
      select ${key}, '', 0, 0, 0, 0, sum(failed), 0 from message_rollups where ${mixed} group by ${key}
      on conflict (${key}, error_code) do update set failed = message_rollups.failed + excluded.failed`,
    `delete from message_rollups where ${mixed}`,
  ],
}
