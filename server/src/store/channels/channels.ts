import { operation, query, type RowOf } from '../engine/operation.ts'

/** Sealed columns are null once the channel is disconnected; check_steps is JSON. */
export const channelColumns = {
  id: 'text',
  callback_id: 'text',
  account_id: 'text',
  kind: 'text',
  waba_id: 'text',
  app_id: 'text?',
  access_token: 'text?',
  app_secret: 'text?',
  verify_token: 'text?',
  base_url: 'text',
  graph_version: 'text',
  status: 'text',
  name: 'text?',
  business_verified: 'int',
  marketing_messages: 'int',
  currency: 'text?',
  time_zone: 'text?',
  token_expires_at: 'int?',
  last_event_at: 'int?',
  checked_at: 'int?',
  check_steps: 'text?',
  connected_at: 'int',
  disconnected_at: 'int?',
  updated_at: 'int',
  revision: 'int',
} as const

export type ChannelRow = RowOf<typeof channelColumns>
const columns = Object.keys(channelColumns).join(', ')

export const insertChannel = operation({
  name: 'channels.insert',
  input: channelColumns,
  key: ['id'],
  wakes: 'channels',
  sql: `insert into channels (${columns}) select ${columns} from rows`,
})

/** New credentials for a channel that nobody changed since it was read; also brings a disconnected one back. */
export const reconnectChannel = operation({
  name: 'channels.reconnect',
  input: {
    id: 'text',
    revision: 'int',
    kind: 'text',
    app_id: 'text?',
    access_token: 'text?',
    app_secret: 'text?',
    verify_token: 'text?',
    base_url: 'text',
    graph_version: 'text',
    token_expires_at: 'int?',
    now: 'int',
  },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update channels set kind = rows.kind, app_id = rows.app_id, access_token = rows.access_token,
          app_secret = rows.app_secret, verify_token = rows.verify_token, base_url = rows.base_url,
          graph_version = rows.graph_version, token_expires_at = rows.token_expires_at, status = 'connected',
          connected_at = case when channels.disconnected_at is null then channels.connected_at else rows.now end,
          disconnected_at = null, updated_at = rows.now, revision = channels.revision + 1
        from rows where channels.id = rows.id and channels.revision = rows.revision
        returning channels.id`,
})

/** A token took the place of another; who remembers the old one reads again. */
export const replaceToken = operation({
  name: 'channels.replace_token',
  input: { id: 'text', revision: 'int', access_token: 'text', token_expires_at: 'int?', now: 'int' },
  key: ['id'],
  wakes: 'channels',
  sql: `update channels set access_token = rows.access_token, token_expires_at = rows.token_expires_at,
          updated_at = rows.now, revision = channels.revision + 1
        from rows where channels.id = rows.id and channels.revision = rows.revision
          and channels.status <> 'disconnected'`,
})

/** The credentials go; the row stays, because messages name its numbers. */
export const disconnectChannel = operation({
  name: 'channels.disconnect',
  input: { id: 'text', account_id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  wakes: 'channels',
  sql: `update channels set status = 'disconnected', access_token = null, app_secret = null, verify_token = null,
          token_expires_at = null, disconnected_at = rows.now, updated_at = rows.now, revision = channels.revision + 1
        from rows where channels.id = rows.id and channels.account_id = rows.account_id
          and channels.status <> 'disconnected'
        returning channels.id`,
})

/**
 * What the platform said to the credentials of a revision: nothing is noted once others took their place. Null where the
 * platform said nothing; `token_known` is 1 where it told when the token ends, which may be never.
 */
export const noteChannelHealth = operation({
  name: 'channels.note_health',
  input: {
    id: 'text',
    revision: 'int',
    status: 'text?',
    name: 'text?',
    business_verified: 'int?',
    marketing_messages: 'int?',
    currency: 'text?',
    time_zone: 'text?',
    token_known: 'int',
    token_expires_at: 'int?',
    now: 'int',
  },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  wakes: 'channels',
  sql: `update channels set status = coalesce(rows.status, channels.status), name = coalesce(rows.name, channels.name),
          business_verified = coalesce(rows.business_verified, channels.business_verified),
          marketing_messages = coalesce(rows.marketing_messages, channels.marketing_messages),
          currency = coalesce(rows.currency, channels.currency),
          time_zone = coalesce(rows.time_zone, channels.time_zone),
          token_expires_at = case when rows.token_known = 1 then rows.token_expires_at
            else channels.token_expires_at end,
          checked_at = rows.now, updated_at = rows.now
        from rows where channels.id = rows.id and channels.revision = rows.revision
          and channels.status <> 'disconnected'
        returning channels.id, channels.account_id`,
})

/** The platform refused our token, or took it again. Without a revision the credentials of this moment are meant. */
export const setChannelStatus = operation({
  name: 'channels.set_status',
  input: { id: 'text', revision: 'int?', status: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text', waba_id: 'text' },
  wakes: 'channels',
  sql: `update channels set status = rows.status, updated_at = rows.now
        from rows where channels.id = rows.id and channels.revision = coalesce(rows.revision, channels.revision)
          and channels.status not in ('disconnected', rows.status)
        returning channels.id, channels.account_id, channels.waba_id`,
})

/** The outcome of the last check, for people. */
export const noteChannelCheck = operation({
  name: 'channels.note_check',
  input: { id: 'text', revision: 'int', check_steps: 'text', now: 'int' },
  key: ['id'],
  sql: `update channels set check_steps = rows.check_steps, checked_at = rows.now
        from rows where channels.id = rows.id and channels.revision = rows.revision`,
})

/** A step of the last check was judged again; a check that was stored meanwhile knows better. */
export const replaceCheckSteps = operation({
  name: 'channels.replace_check_steps',
  input: { id: 'text', revision: 'int', before: 'text', check_steps: 'text' },
  key: ['id'],
  sql: `update channels set check_steps = rows.check_steps
        from rows where channels.id = rows.id and channels.revision = rows.revision
          and channels.check_steps = rows.before`,
})

export const noteChannelEvent = operation({
  name: 'channels.note_event',
  input: { id: 'text', at: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  wakes: 'channels',
  sql: `update channels set last_event_at = {max}(coalesce(last_event_at, 0), rows.at)
        from rows where channels.id = rows.id
        returning channels.id, channels.account_id`,
})

export const findChannel = query({
  name: 'channels.find',
  params: { account_id: 'text', id: 'text' },
  returns: channelColumns,
  sql: `select ${columns} from channels where id = :id and account_id = :account_id`,
})

export const findChannelOfBusiness = query({
  name: 'channels.of_business',
  params: { account_id: 'text', waba_id: 'text' },
  returns: channelColumns,
  sql: `select ${columns} from channels where account_id = :account_id and waba_id = :waba_id`,
})

const isAsRemembered = `c.id = rows.id and c.revision = rows.revision and c.status <> 'disconnected'`

/** The channel is connected, with the secrets that this process remembers. */
export const requireChannel = operation({
  name: 'channels.require',
  input: { id: 'text', revision: 'int' },
  key: ['id', 'revision'],
  returns: { id: 'text', revision: 'int' },
  required: true,
  together: { add: (row) => row },
  sql: `select rows.id, rows.revision from rows join channels c on ${isAsRemembered}`,
})

/** For the callback receiver: which channel an address belongs to. */
export const findChannelByCallback = query({
  name: 'channels.by_callback',
  params: { callback_id: 'text' },
  returns: channelColumns,
  sql: `select ${columns} from channels where callback_id = :callback_id and status <> 'disconnected'`,
})

export const listChannels = query({
  name: 'channels.list',
  params: { account_id: 'text' },
  returns: channelColumns,
  sql: `select ${columns} from channels where account_id = :account_id and status <> 'disconnected'
        order by connected_at, id`,
})

/** When the first access token of any channel ends; those that never end do not count. */
export const nextTokenExpiry = query({
  name: 'channels.next_token_expiry',
  params: {},
  returns: { at: 'int?' },
  lane: 'list',
  sql: 'select min(token_expires_at) as at from channels',
})

/** Where the platforms of all connected channels are reached. */
export const channelAddresses = query({
  name: 'channels.addresses',
  params: {},
  returns: { base_url: 'text' },
  lane: 'list',
  sql: `select distinct base_url from channels where status <> 'disconnected' order by base_url`,
})
