import { AppError, validationFailed } from '../contract/app-error.ts'
import type { FieldLocation } from '../contract/schema.ts'
import { compactPhone } from '../lib/phone.ts'
import type { NumberCredentials } from '../platform/chat-platform.ts'
import type { ChannelKind, OpenChannel } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../store/channels/numbers.ts'
import { credentialsOf, openChannel } from './open-channel.ts'

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
