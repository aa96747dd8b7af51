import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

/** While a copy into this database is not finished: which installation it is of. See store/copy-data.ts. */
export const openCopyFact = 'copy_open'

/** Facts about this installation, each written once: a second write keeps the first. */
export const insertFact = operation({
  name: 'installation.insert',
  input: { name: 'text', value: 'text' },
  key: ['name'],
  returns: { name: 'text' },
  sql: `insert into installation (name, value) select name, value from rows where true on conflict (name) do nothing
        returning name`,
})

/** The same, and the whole unit depends on being first. */
export const claimFact = operation({
  name: 'installation.claim',
  input: { name: 'text', value: 'text' },
  key: ['name'],
  returns: { name: 'text' },
  required: true,
  sql: `insert into installation (name, value) select name, value from rows where true on conflict (name) do nothing
        returning name`,
})

/** For the few facts that change: the last write wins. */
export const replaceFact = operation({
  name: 'installation.replace',
  input: { name: 'text', value: 'text' },
  key: ['name'],
  sql: `insert into installation (name, value) select name, value from rows where true
        on conflict (name) do update set value = excluded.value`,
})

export const readFact = query({
  name: 'installation.read',
  params: { name: 'text' },
  returns: { value: 'text' },
  sql: 'select value from installation where name = :name',
})

const columns = {
  name: 'text',
  version: 'text',
  role: 'text',
  started_at: 'int',
  seen_at: 'int',
  stopped_at: 'int?',
  clock_offset_ms: 'int',
  loop_lag_ms: 'int',
  cpu_percent: 'int',
  memory_bytes: 'int',
  disk_bytes: 'int',
  disk_free_bytes: 'int',
} as const
export type NodeRow = RowOf<typeof columns>
const names = Object.keys(columns).join(', ')

/** A process that starts again at the same place is the same node. */
export const saveNode = operation({
  name: 'nodes.save',
  input: columns,
  key: ['name'],
  sql: `insert into nodes (${names}) select ${names} from rows where true
        on conflict (name) do update set version = excluded.version, role = excluded.role, started_at = excluded.started_at,
          seen_at = excluded.seen_at, stopped_at = excluded.stopped_at, clock_offset_ms = excluded.clock_offset_ms,
          loop_lag_ms = excluded.loop_lag_ms, cpu_percent = excluded.cpu_percent, memory_bytes = excluded.memory_bytes,
          disk_bytes = excluded.disk_bytes, disk_free_bytes = excluded.disk_free_bytes`,
})

export const listNodes = query({
  name: 'nodes.list',
  params: {},
  returns: columns,
  lane: 'list',
  sql: `select ${names} from nodes order by name limit 500`,
})

export const expireNodes = expireBefore({ table: 'nodes', key: ['name'], time: 'seen_at' })

/** One row a day: how the database grows. */
export const saveSizeOfDay = operation({
  name: 'size_days.save',
  input: { day: 'int', bytes: 'int' },
  key: ['day'],
  sql: `insert into size_days (day, bytes) select day, bytes from rows where true
        on conflict (day) do update set bytes = excluded.bytes`,
})

export const listSizeDays = query({
  name: 'size_days.list',
  params: { from_day: 'int' },
  returns: { day: 'int', bytes: 'int' },
  lane: 'list',
  sql: 'select day, bytes from size_days where day >= :from_day order by day limit 400',
})
