import { AppError, validationFailed } from '../contract/app-error.ts'
import type { FieldLocation } from '../contract/schema.ts'
import { compactPhone } from '../lib/phone.ts'
import type { NumberCredentials } from '../platform/chat-platform.ts'
import type { ChannelKind, OpenChannel } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { type ChannelRow, findChannel } from '../store/channels/channels.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../store/channels/numbers.ts'
import { isShared, seal, sharedApp, unseal } from './channel-app.ts'

/** A connected business number, ready to speak for. */
export type ChannelNumber = {
  readonly id: string
  readonly accountId: string
  readonly channelId: string
  /** Of the connection these credentials belong to: a new one is not to blame for what an old token does. */
  readonly channelRevision: number
  readonly kind: ChannelKind
  /** E.164 with `+`. */
  readonly phoneNumber: string
  readonly displayName: string | null
  readonly connectedAt: number
  readonly sendsPerSecond: number
  readonly businessVerified: boolean
  /** 0 for an account without budgets; any change of them, or of what they are reckoned with, makes another one. */
  readonly budgetMark: number
  readonly credentials: NumberCredentials
}

export type WantedNumber = {
  /** A phone number of the account or the id of one; without it the default number is meant. */
  from?: string | null
  /** Numbers the API key is limited to. */
  allowedIds?: readonly string[] | null
  /** Where the request names it. */
  location?: FieldLocation
}

/** The number to send from, or a refusal that says what to do. */
export async function requireNumber(
  rt: Runtime,
  accountId: string,
  { from = null, allowedIds = null, location = 'body' }: WantedNumber = {},
): Promise<ChannelNumber> {
  const connected = await rt.store.read(connectedNumbers, { account_id: accountId })
  rt.numberMemory.set(accountId, connected)
  const { row, usable } = choose(connected, { from, allowedIds })
  if (row) return toChannelNumber(rt, row)
  if (usable.length > 0) throw unknownNumber(location)
  if (connected.length > 0) {
    throw channelNotConnected(rt, 'None of the numbers that this API key can use is connected.')
  }
  throw channelNotConnected(rt)
}

/** The number as this process remembers it, and the text that its first write compares; null where it knows none. */
export function recallNumber(
  rt: Runtime,
  accountId: string,
  wanted: WantedNumber,
): { number: ChannelNumber; text: string } | null {
  const known = rt.numberMemory.get(accountId)
  const { row } = known ? choose(known.rows, wanted) : {}
  const channel = row && rt.openChannels.get(row.channel_id, row.channel_revision)
  return known && row && channel ? { number: describe(row, channel), text: known.text } : null
}

function choose(connected: readonly ConnectedNumberRow[], { from = null, allowedIds = null }: WantedNumber) {
  const usable = allowedIds === null ? connected : connected.filter(({ id }) => allowedIds.includes(id))
  return { usable, row: from === null ? usable[0] : usable.find((number) => isNamed(number, from)) }
}

async function toChannelNumber(rt: Runtime, row: ConnectedNumberRow): Promise<ChannelNumber> {
  const channel = await openChannel(rt, row.account_id, row.channel_id, row.channel_revision)
  if (!channel) throw channelNotConnected(rt, 'The WhatsApp Business account was just disconnected.')
  return describe(row, channel)
}

function describe(row: ConnectedNumberRow, channel: OpenChannel): ChannelNumber {
  return {
    id: row.id,
    accountId: row.account_id,
    channelId: row.channel_id,
    channelRevision: row.channel_revision,
    kind: channel.kind,
    phoneNumber: row.phone_number,
    displayName: row.display_name,
    connectedAt: row.connected_at,
    sendsPerSecond: row.sends_per_second,
    businessVerified: row.business_verified === 1,
    budgetMark: row.budget_mark,
    credentials: {
      ...credentialsOf(channel, row.phone_number_id),
      ...(row.marketing_messages === 1 && { marketingMessages: true }),
    },
  }
}

/** People write phone numbers with separators; the stored form has none. */
function isNamed({ id, phone_number_id, phone_number }: ConnectedNumberRow, from: string): boolean {
  return from === id || from === phone_number_id || compactPhone(from) === phone_number
}

function unknownNumber(location: FieldLocation): AppError {
  const message = "Give one of the account's own numbers, as GET /v1/auth/me lists them, or leave it out."
  return validationFailed([{ field: 'from', location, code: 'invalid_value', message }])
}

/** The refusal for lack of a connection, with the page where a person makes one. */
export function channelNotConnected(
  { urls }: Pick<Runtime, 'urls'>,
  sentence = 'No WhatsApp Business account is connected.',
): AppError {
  return new AppError('channel_not_connected', `${sentence} Connect one at ${urls.console}/channel`)
}

type ChannelSecrets = Pick<OpenChannel, 'accessToken' | 'appSecret' | 'verifyToken'>

/** Opened once per revision and process. */
async function openChannel(
  rt: Runtime,
  accountId: string,
  channelId: string,
  revision: number,
): Promise<OpenChannel | null> {
  const known = rt.openChannels.get(channelId, revision)
  if (known) return known
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: channelId })
  return row ? openRow(rt, row) : null
}

/** Null where the channel is disconnected: it has no secrets any more. */
export function openRow(rt: Runtime, row: ChannelRow): OpenChannel | null {
  const known = rt.openChannels.get(row.id, row.revision)
  if (known) return known
  const { access_token, app_secret, verify_token } = row
  if (access_token === null || app_secret === null || verify_token === null) return null
  const opened: OpenChannel = {
    id: row.id,
    accountId: row.account_id,
    callbackId: row.callback_id,
    kind: row.kind as ChannelKind,
    wabaId: row.waba_id,
    appId: row.app_id,
    baseUrl: row.base_url,
    // Meta retires versions: a new one reaches every channel with a restart. A sandbox names its own.
    graphVersion: row.kind === 'cloud' ? rt.config.channelGraphVersion : row.graph_version,
    revision: row.revision,
    accessToken: unseal(rt, row, 'access_token', access_token),
    appSecret: isShared(rt, row.app_id) ? (sharedApp(rt)?.appSecret ?? '') : unseal(rt, row, 'app_secret', app_secret),
    verifyToken: unseal(rt, row, 'verify_token', verify_token),
  }
  rt.openChannels.set(opened)
  return opened
}

export function sealSecrets(
  rt: Runtime,
  owner: Pick<ChannelRow, 'id' | 'account_id'>,
  { accessToken, appSecret, verifyToken }: ChannelSecrets,
) {
  return {
    access_token: seal(rt, owner, 'access_token', accessToken),
    app_secret: seal(rt, owner, 'app_secret', appSecret),
    verify_token: seal(rt, owner, 'verify_token', verifyToken),
  }
}

export function credentialsOf(channel: ChannelAccess, phoneNumberId: string): NumberCredentials {
  return {
    phoneNumberId,
    wabaId: channel.wabaId,
    accessToken: channel.accessToken,
    ...(channel.appId === null ? {} : { appId: channel.appId }),
    appSecret: channel.appSecret,
    baseUrl: channel.baseUrl,
    graphVersion: channel.graphVersion,
  }
}

/** Enough to speak to the platform, also before a channel is stored. */
export type ChannelAccess = Pick<
  OpenChannel,
  'wabaId' | 'accessToken' | 'appSecret' | 'appId' | 'baseUrl' | 'graphVersion'
>
