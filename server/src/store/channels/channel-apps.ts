import { operation, query, type RowOf } from '../engine/operation.ts'

/** `account_id` is empty for the app of the operator, whose secret is a setting and not in the row. */
export const channelAppColumns = {
  id: 'text',
  callback_id: 'text',
  account_id: 'text',
  app_id: 'text',
  app_secret: 'text?',
  verify_token: 'text',
  handshake_at: 'int?',
  created_at: 'int',
  updated_at: 'int',
} as const

export type ChannelAppRow = RowOf<typeof channelAppColumns>
const columns = Object.keys(channelAppColumns).join(', ')

export const insertChannelApp = operation({
  name: 'channel_apps.insert',
  input: channelAppColumns,
  key: ['account_id', 'app_id'],
  sql: `insert into channel_apps (${columns}) select ${columns} from rows where true
        on conflict (account_id, app_id) do nothing`,
})

export const setChannelAppSecret = operation({
  name: 'channel_apps.set_secret',
  input: { id: 'text', app_secret: 'text', now: 'int' },
  key: ['id'],
  sql: `update channel_apps set app_secret = rows.app_secret, updated_at = rows.now
        from rows where channel_apps.id = rows.id`,
})

export const noteAppHandshake = operation({
  name: 'channel_apps.note_handshake',
  input: { id: 'text', at: 'int' },
  key: ['id'],
  sql: `update channel_apps set handshake_at = rows.at from rows where channel_apps.id = rows.id`,
})

export const findChannelApp = query({
  name: 'channel_apps.find',
  params: { account_id: 'text', app_id: 'text' },
  returns: channelAppColumns,
  sql: `select ${columns} from channel_apps where account_id = :account_id and app_id = :app_id`,
})

export const findChannelAppByCallback = query({
  name: 'channel_apps.by_callback',
  params: { callback_id: 'text' },
  returns: channelAppColumns,
  sql: `select ${columns} from channel_apps where callback_id = :callback_id`,
})

/** One (app, business account) belongs to one account: a claim of another account finds no row and undoes its unit. */
export const claimAppWaba = operation({
  name: 'channel_app_wabas.claim',
  input: {
    app_id: 'text',
    waba_id: 'text',
    channel_app_id: 'text',
    channel_id: 'text',
    account_id: 'text',
    proved_at: 'int',
  },
  key: ['app_id', 'waba_id'],
  returns: { app_id: 'text', waba_id: 'text' },
  required: true,
  sql: `insert into channel_app_wabas (app_id, waba_id, channel_app_id, channel_id, account_id, proved_at)
        select app_id, waba_id, channel_app_id, channel_id, account_id, proved_at from rows where true
        on conflict (app_id, waba_id) do update set channel_app_id = excluded.channel_app_id,
          channel_id = excluded.channel_id, proved_at = excluded.proved_at
        where channel_app_wabas.account_id = excluded.account_id
        returning app_id, waba_id`,
})

export const findAppWaba = query({
  name: 'channel_app_wabas.find',
  params: { app_id: 'text', waba_id: 'text' },
  returns: { channel_app_id: 'text', channel_id: 'text', account_id: 'text' },
  sql: `select channel_app_id, channel_id, account_id from channel_app_wabas
        where app_id = :app_id and waba_id = :waba_id`,
})

export const releaseAppWabas = operation({
  name: 'channel_app_wabas.release',
  input: { channel_id: 'text' },
  key: ['channel_id'],
  sql: 'delete from channel_app_wabas where channel_id in (select channel_id from rows)',
})

/** Who may be told what comes in through these apps. */
export const listAppWabas = query({
  name: 'channel_app_wabas.list',
  params: { channel_app_ids: 'text[]' },
  returns: { channel_app_id: 'text', waba_id: 'text', channel_id: 'text', account_id: 'text' },
  sql: `select channel_app_id, waba_id, channel_id, account_id from channel_app_wabas
        where channel_app_id in {list:channel_app_ids}`,
})
