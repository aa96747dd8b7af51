import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

/**
 * `step`: `opened`, `redeeming`, `granted`, `connected` or `ended`. The token is sealed, and null before it was granted and
 * once the channel has it. The syncs are null where there is nothing to sync, otherwise `due`, `asking`, `done` or how it failed.
 */
const signupColumns = {
  id: 'text',
  account_id: 'text',
  user_id: 'text',
  state_hash: 'text',
  browser_hash: 'text',
  redirect_uri: 'text',
  on_business_app: 'int',
  step: 'text',
  access_token: 'text?',
  claimed_waba_id: 'text?',
  channel_id: 'text?',
  phone_number_id: 'text?',
  contacts_sync: 'text?',
  history_sync: 'text?',
  problem: 'text?',
  created_at: 'int',
  updated_at: 'int',
} as const

export type SignupRow = RowOf<typeof signupColumns>
const columns = Object.keys(signupColumns).join(', ')

export const insertSignup = operation({
  name: 'signups.insert',
  input: signupColumns,
  key: ['id'],
  sql: `insert into signups (${columns}) select ${columns} from rows`,
})

export const findSignupByState = query({
  name: 'signups.by_state',
  params: { state_hash: 'text' },
  returns: signupColumns,
  sql: `select ${columns} from signups where state_hash = :state_hash`,
})

export const findSignup = query({
  name: 'signups.find',
  params: { account_id: 'text', id: 'text' },
  returns: signupColumns,
  sql: `select ${columns} from signups where id = :id and account_id = :account_id`,
})

/** What waits for a person, or was connected lately; the newest first. */
export const listSignups = query({
  name: 'signups.list',
  params: { account_id: 'text' },
  returns: signupColumns,
  sql: `select ${columns} from signups where account_id = :account_id and step in ('granted', 'connected')
        order by created_at desc, id desc limit 20`,
})

/** A code works once: a second request finds no row. */
export const beginRedeeming = operation({
  name: 'signups.begin_redeeming',
  input: { id: 'text', claimed_waba_id: 'text?', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update signups set step = 'redeeming', claimed_waba_id = rows.claimed_waba_id, updated_at = rows.now
        from rows where signups.id = rows.id and signups.step = 'opened' returning signups.id`,
})

export const grantSignup = operation({
  name: 'signups.grant',
  input: { id: 'text', access_token: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  wakes: 'channels',
  sql: `update signups set step = 'granted', access_token = rows.access_token, updated_at = rows.now
        from rows where signups.id = rows.id and signups.step = 'redeeming' returning signups.id`,
})

/** Nothing comes of it; the token goes. What is connected already stays so. */
export const endSignup = operation({
  name: 'signups.end',
  input: { id: 'text', problem: 'text', now: 'int' },
  key: ['id'],
  wakes: 'channels',
  sql: `update signups set step = 'ended', access_token = null, problem = rows.problem, updated_at = rows.now
        from rows where signups.id = rows.id and signups.step <> 'connected'`,
})

/** The channel has the token now. */
export const connectSignup = operation({
  name: 'signups.connect',
  input: { id: 'text', channel_id: 'text', phone_number_id: 'text', sync: 'text?', now: 'int' },
  key: ['id'],
  wakes: 'channels',
  sql: `update signups set step = 'connected', access_token = null, channel_id = rows.channel_id,
          phone_number_id = rows.phone_number_id, contacts_sync = rows.sync, history_sync = rows.sync,
          updated_at = rows.now
        from rows where signups.id = rows.id and signups.step = 'granted'`,
})

export const dueSyncs = query({
  name: 'signups.due_syncs',
  params: {},
  returns: signupColumns,
  lane: 'list',
  sql: `select ${columns} from signups where contacts_sync = 'due' or history_sync = 'due' order by created_at limit 100`,
})

/** The platform answers each of these once for ever: only who moves it from one state to the next may ask. */
const moveSync = (part: 'contacts' | 'history') =>
  operation({
    name: `signups.move_${part}_sync`,
    input: { id: 'text', before: 'text', after: 'text', now: 'int' },
    key: ['id'],
    returns: { id: 'text' },
    required: true,
    wakes: 'channels',
    sql: `update signups set ${part}_sync = rows.after, updated_at = rows.now
          from rows where signups.id = rows.id and signups.${part}_sync = rows.before returning signups.id`,
  })

export const moveSyncOf = { contacts: moveSync('contacts'), history: moveSync('history') }

export const expireSignups = expireBefore({ table: 'signups', key: ['id'], time: 'updated_at' })
