import Type from 'typebox'
import { channelStates } from '../auth.ts'
import { boolean, instant, namedObject, nullable, object, oneOf, optional, ref, text, withHint } from '../schema.ts'

export const CheckStep = namedObject('ConsoleCheckStep', {
  name: Type.String(),
  status: oneOf(['ok', 'warning', 'failed', 'skipped']),
  sentence: text('What was found.'),
  fix: nullable(text('What to do about it.')),
  code: nullable(text('The error code of the call to Meta that failed.')),
})

export const ChannelNumber = object({
  id: Type.String(),
  channel_id: Type.String(),
  kind: oneOf(['sandbox', 'cloud']),
  phone_number: Type.String(),
  display_name: nullable(Type.String()),
  // Meta's word; only `CONNECTED` can send.
  status: Type.String(),
  quality: nullable(oneOf(['high', 'medium', 'low'])),
  sends_per_second: Type.Integer(),
  messaging_limit: nullable(Type.String()),
  default: Type.Boolean(),
  connected_at: instant(),
  last_inbound_at: nullable(instant()),
})

export const Channel = namedObject('ConsoleChannel', {
  id: Type.String(),
  account_id: Type.String(),
  kind: oneOf(['sandbox', 'cloud']),
  status: oneOf(channelStates, {
    description:
      '`auth_failed`: Meta rejects the token; callbacks still arrive. `no_callbacks`: messages can be sent, but the last check found that Meta reports no statuses and no incoming messages to this gateway.',
  }),
  name: nullable(Type.String()),
  business_id: Type.String(),
  business_verified: Type.Boolean(),
  callback_url: Type.String(),
  token_expires_at: nullable(instant()),
  last_event_at: nullable(instant()),
  connected_at: instant(),
  checked_at: nullable(instant()),
  steps: Type.Array(ref(CheckStep)),
  numbers: Type.Array(ChannelNumber),
})
export const ChannelList = namedObject('ConsoleChannelList', {
  channels: Type.Array(ref(Channel)),
  sandbox_available: boolean('A sandbox runs beside this gateway.'),
  shared_app: boolean('The operator provides a Meta app: no app secret is needed.'),
  signup: boolean('Numbers can be connected through Embedded Signup.'),
  address: ref(CheckStep),
})

const PlatformId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^\\d+$',
  ...withHint('invalid_format', 'Write the id as digits only, as Meta shows it.'),
})

export const ChannelForm = namedObject('ConsoleChannelForm', {
  business_id: PlatformId,
  phone_number_id: PlatformId,
  access_token: Type.String({ minLength: 1, maxLength: 1_000, 'x-secret': true }),
  app_secret: optional(
    text("Left out where the token belongs to the operator's app.", { minLength: 1, maxLength: 200, 'x-secret': true }),
  ),
  app_id: optional(text('Determined automatically where Meta provides it.', { pattern: '^\\d{1,32}$' })),
  take_over: optional(boolean('Replace callback addresses that belong to another service.')),
  pin: optional(
    Type.String({ pattern: '^\\d{6}$', 'x-secret': true, ...withHint('invalid_format', 'Write 6 digits.') }),
  ),
})
export const ManualSetup = namedObject('ConsoleManualSetup', {
  callback_url: Type.String(),
  verify_token: Type.String(),
  fields: Type.Array(Type.String()),
  verified: boolean('Meta has verified the address.'),
})
export const ChannelChecked = namedObject('ConsoleChannelChecked', {
  ok: boolean('Every step passed.'),
  channel: nullable(ref(Channel)),
  steps: Type.Array(ref(CheckStep)),
  manual: nullable(ref(ManualSetup)),
})
export const ChannelRepair = namedObject('ConsoleChannelRepair', {
  repair: optional(Type.Boolean()),
  take_over: optional(Type.Boolean()),
})
export const ChannelFarewell = namedObject('ConsoleChannelFarewell', {
  confirm: text('The number that will no longer send.', { maxLength: 100 }),
})

const SyncState = oneOf(['due', 'asking', 'done', 'late', 'refused', 'unknown'], {
  description:
    '`done`: Meta was asked, and sends it in callbacks. `late`: 24 hours had passed. `unknown`: the response got lost; Meta accepts the request only once.',
})
export const Signup = namedObject('ConsoleSignup', {
  id: Type.String(),
  step: oneOf(['opened', 'redeeming', 'granted', 'connected', 'ended'], {
    description: '`granted`: the token is stored, and a number has to be chosen or registered.',
  }),
  on_business_app: boolean('The number stays in use with the WhatsApp Business app.'),
  problem: nullable(text('Why it ended without a channel.')),
  choices: Type.Array(
    object({
      business_id: Type.String(),
      phone_number_id: Type.String(),
      phone_number: nullable(Type.String()),
      display_name: nullable(Type.String()),
      needs_pin: boolean('It has to be registered first.'),
    }),
  ),
  channel: nullable(ref(Channel)),
  steps: Type.Array(ref(CheckStep)),
  contacts_sync: nullable(SyncState),
  history_sync: nullable(SyncState),
})
export const SignupList = namedObject('ConsoleSignupList', { signups: Type.Array(ref(Signup)) })
export const SignupStart = namedObject('ConsoleSignupStart', {
  on_business_app: optional(Type.Boolean()),
})
export const SignupStarted = namedObject('ConsoleSignupStarted', {
  id: Type.String(),
  url: text('The page of Meta to open in this browser.'),
})
export const SignupReturn = namedObject('ConsoleSignupReturn', {
  state: Type.String({ minLength: 1, maxLength: 200, 'x-secret': true }),
  code: optional(text('Left out where Meta gave none.', { maxLength: 4_000, 'x-secret': true })),
  error: optional(text('The word with which Meta refused.', { maxLength: 200 })),
  business_id: optional(text('A claim of the browser, checked against what the token can see.', { maxLength: 64 })),
})
export const SignupChoice = namedObject('ConsoleSignupChoice', {
  phone_number_id: optional(PlatformId),
  pin: optional(
    Type.String({ pattern: '^\\d{6}$', 'x-secret': true, ...withHint('invalid_format', 'Write 6 digits.') }),
  ),
  take_over: optional(boolean('Replace callback addresses that belong to another service.')),
})
