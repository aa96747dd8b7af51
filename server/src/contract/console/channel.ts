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
