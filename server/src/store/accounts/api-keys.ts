import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

const changingColumns = {
  name: 'text',
  scopes: 'text',
  status: 'text',
  secret_mac: 'text',
  previous_secret_mac: 'text?',
  previous_secret_until: 'int?',
  expires_at: 'int?',
  allowed_ips: 'text?',
} as const

const apiKeyColumns = {
  id: 'text',
  account_id: 'text',
  kind: 'text',
  public_key: 'text',
  ...changingColumns,
  epoch: 'int',
  phone_number_ids: 'text?',
  created_by: 'text',
  created_at: 'int',
  last_used_at: 'int?',
  last_used_ip: 'text?',
  revision: 'int',
} as const

export type ApiKeyRow = RowOf<typeof apiKeyColumns>
const columns = Object.keys(apiKeyColumns).join(', ')

export const insertApiKey = operation({
  name: 'api_keys.insert',
  input: apiKeyColumns,
  key: ['id'],
  sql: `insert into api_keys (${columns}) select ${columns} from rows`,
})

/** Changes a key that nobody changed since it was read; the epoch tells every node to look again. */
export const updateApiKey = operation({
  name: 'api_keys.update',
  input: { id: 'text', revision: 'int', ...changingColumns },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update api_keys set ${Object.keys(changingColumns)
    .map((column) => `${column} = rows.${column}`)
    .join(', ')},
          epoch = api_keys.epoch + 1, revision = api_keys.revision + 1
        from rows where api_keys.id = rows.id and api_keys.revision = rows.revision
        returning api_keys.id`,
})

/** Something about the tokens of this key changed. */
export const touchKeyEpoch = operation({
  name: 'api_keys.touch_epoch',
  input: { id: 'text' },
  key: ['id'],
  sql: 'update api_keys set epoch = epoch + 1 from rows where api_keys.id = rows.id',
})

/** Something about the account changed: plan, or suspended. */
export const touchAccountEpochs = operation({
  name: 'api_keys.touch_account_epochs',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: 'update api_keys set epoch = epoch + 1 from rows where api_keys.account_id = rows.account_id',
})

export const noteKeyUse = operation({
  name: 'api_keys.note_use',
  input: { id: 'text', last_used_at: 'int', last_used_ip: 'text?' },
  key: ['id'],
  sql: `update api_keys set last_used_at = rows.last_used_at, last_used_ip = rows.last_used_ip
        from rows where api_keys.id = rows.id`,
})

export const findApiKeyByPublicKey = query({
  name: 'api_keys.by_public_key',
  params: { public_key: 'text' },
  returns: { ...apiKeyColumns, account_status: 'text', account_plan: 'text' },
  sql: `select ${Object.keys(apiKeyColumns)
    .map((column) => `k.${column}`)
    .join(', ')}, a.status as account_status, a.plan as account_plan
        from api_keys k join accounts a on a.id = k.account_id where k.public_key = :public_key`,
})

export const findApiKey = query({
  name: 'api_keys.find',
  params: { account_id: 'text', id: 'text' },
  returns: apiKeyColumns,
  sql: `select ${columns} from api_keys where id = :id and account_id = :account_id`,
})

export const findApiKeyAnywhere = query({
  name: 'api_keys.find_anywhere',
  params: { id: 'text' },
  returns: apiKeyColumns,
  sql: `select ${columns} from api_keys where id = :id or public_key = :id`,
})

export const listApiKeys = query({
  name: 'api_keys.list',
  params: { account_id: 'text' },
  returns: apiKeyColumns,
  lane: 'list',
  sql: `select ${columns} from api_keys where account_id = :account_id order by created_at, id`,
})

export const keyEpoch = query({
  name: 'api_keys.epoch',
  params: { id: 'text' },
  returns: { id: 'text', epoch: 'int' },
  sql: 'select id, epoch from api_keys where id = :id',
})

export const keyEpochs = query({
  name: 'api_keys.epochs',
  params: { ids: 'text[]' },
  returns: { id: 'text', epoch: 'int' },
  sql: 'select id, epoch from api_keys where id in {list:ids}',
})

/** Calls of an API key by UTC hour. */
export const addKeyCalls = operation({
  name: 'key_calls.add',
  input: { account_id: 'text', key_id: 'text', hour_start: 'int', calls: 'int' },
  key: ['account_id', 'key_id', 'hour_start'],
  sql: `insert into key_calls (account_id, hour_start, key_id, calls)
        select account_id, hour_start, key_id, calls from rows where true
        on conflict (account_id, hour_start, key_id) do update set calls = key_calls.calls + excluded.calls`,
})

/** One row per key and hour is read, however many calls there were. */
export const sumKeyCalls = query({
  name: 'key_calls.sum',
  params: { account_id: 'text', since: 'int' },
  returns: { key_id: 'text', calls: 'int' },
  sql: `select key_id, sum(calls) as calls from key_calls
        where account_id = :account_id and hour_start >= :since group by key_id`,
})

export const expireKeyCalls = expireBefore({
  table: 'key_calls',
  key: ['account_id', 'hour_start', 'key_id'],
  time: 'hour_start',
})
