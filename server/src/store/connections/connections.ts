import { operation, query, type RowOf } from '../engine/operation.ts'

const changingColumns = {
  app_secret: 'text',
  next_app_secret: 'text?',
  verify_token: 'text?',
  relay_id: 'text?',
  options: 'text',
  token_in_address_at: 'int?',
  updated_at: 'int',
  deleted_at: 'int?',
} as const

const connectionColumns = {
  id: 'text',
  account_id: 'text',
  key_id: 'text',
  app_id: 'text',
  tool: 'text',
  ...changingColumns,
  created_at: 'int',
  revision: 'int',
} as const

export type ConnectionRow = RowOf<typeof connectionColumns>
const columns = Object.keys(connectionColumns).join(', ')

export const insertConnection = operation({
  name: 'connections.insert',
  input: connectionColumns,
  key: ['id'],
  sql: `insert into connections (${columns}) select ${columns} from rows`,
})

/** Changes a connection that nobody changed since it was read. */
export const updateConnection = operation({
  name: 'connections.update',
  input: { id: 'text', revision: 'int', ...changingColumns },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update connections set ${Object.keys(changingColumns)
    .map((column) => `${column} = rows.${column}`)
    .join(', ')}, revision = connections.revision + 1
        from rows where connections.id = rows.id and connections.revision = rows.revision
        returning connections.id`,
})

/** The first time counts. */
export const noteTokenInAddress = operation({
  name: 'connections.note_token_in_address',
  input: { id: 'text', token_in_address_at: 'int' },
  key: ['id'],
  sql: `update connections set token_in_address_at = rows.token_in_address_at
        from rows where connections.id = rows.id and connections.token_in_address_at is null`,
})

export const findConnection = query({
  name: 'connections.find',
  params: { account_id: 'text', id: 'text' },
  returns: connectionColumns,
  sql: `select ${columns} from connections where id = :id and account_id = :account_id and deleted_at is null`,
})

export const findConnectionOfKey = query({
  name: 'connections.of_key',
  params: { key_id: 'text' },
  returns: connectionColumns,
  sql: `select ${columns} from connections where key_id = :key_id and deleted_at is null`,
})

export const findConnectionOfApp = query({
  name: 'connections.of_app',
  params: { app_id: 'text' },
  returns: connectionColumns,
  sql: `select ${columns} from connections where app_id = :app_id and deleted_at is null`,
})

/** An account has 20 at most. */
export const listConnections = query({
  name: 'connections.list',
  params: { account_id: 'text' },
  returns: connectionColumns,
  lane: 'list',
  sql: `select ${columns} from connections where account_id = :account_id and deleted_at is null order by id`,
})
