import type { Static } from 'typebox'
import type { Channel, ChannelNumber } from '../contract/console/channel.ts'
import { formatInstant } from '../lib/instant.ts'
import type { ChannelKind } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { type ChannelRow, findChannel, listChannels as readChannels } from '../store/channels/channels.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../store/channels/numbers.ts'
import { callbackUrl } from './check/check-callback.ts'
import type { CheckStep } from './check/check-step.ts'

/** A channel as people see it; no secret is in any of its fields. */
export type ChannelRecord = Static<typeof Channel>

function toChannelRecord(rt: Runtime, row: ChannelRow, numbers: readonly NumberRecord[]): ChannelRecord {
  return {
    id: row.id,
    account_id: row.account_id,
    kind: row.kind as ChannelKind,
    status: stateOf(row),
    name: row.name,
    business_id: row.waba_id,
    business_verified: row.business_verified === 1,
    callback_url: callbackUrl(rt, { callbackId: row.callback_id }),
    token_expires_at: formatInstant(row.token_expires_at),
    last_event_at: formatInstant(row.last_event_at),
    connected_at: formatInstant(row.connected_at),
    checked_at: formatInstant(row.checked_at),
    steps: stepsOf(row.check_steps),
    numbers: numbers.filter(({ channel_id }) => channel_id === row.id),
  }
}

/** The steps without which Meta reports nothing to us. */
const callbackSteps: readonly string[] = [
  'address',
  'app_callback',
  'subscription',
  'callback',
  'read_back',
  'number_callback',
] satisfies CheckStep['name'][]

/**
 * The stored state is about the token. Whether callbacks come is what the last check found, unless one has come since.
 * Where Meta could not be asked nothing is known: a channel that heard from Meta before keeps its state.
 */
export function stateOf(row: ChannelRow): ChannelRecord['status'] {
  if (row.status !== 'connected') return 'auth_failed'
  const heardSince = row.last_event_at !== null && row.last_event_at > (row.checked_at ?? 0)
  const isMissing = ({ name, status, code }: CheckStep) =>
    status === 'failed' &&
    callbackSteps.includes(name) &&
    (row.last_event_at === null || (code !== 'upstream_unavailable' && code !== 'channel_rate_limited'))
  return !heardSince && stepsOf(row.check_steps).some(isMissing) ? 'no_callbacks' : 'connected'
}

/** Steps that an earlier version stored have no code. */
function stepsOf(stored: string | null): CheckStep[] {
  const steps = stored === null ? [] : (JSON.parse(stored) as (Omit<CheckStep, 'code'> & Partial<CheckStep>)[])
  return steps.map((step) => ({ ...step, code: step.code ?? null }))
}

/** A number as people see it. */
export type NumberRecord = Static<typeof ChannelNumber>

/** The connected numbers of an account, its default first. */
export async function listNumbers(rt: Runtime, accountId: string): Promise<NumberRecord[]> {
  const rows = await rt.store.read(connectedNumbers, { account_id: accountId })
  return rows.map((row, index) => toRecord(row, index === 0))
}

function toRecord(row: ConnectedNumberRow, isDefault: boolean): NumberRecord {
  return {
    id: row.id,
    channel_id: row.channel_id,
    kind: row.kind as ChannelKind,
    phone_number: row.phone_number,
    display_name: row.display_name,
    status: row.status,
    quality: row.quality as NumberRecord['quality'],
    sends_per_second: row.sends_per_second,
    messaging_limit: row.messaging_limit,
    default: isDefault,
    connected_at: formatInstant(row.connected_at),
    last_inbound_at: formatInstant(row.last_inbound_at),
  }
}

/** The connected channels of an account with their numbers. */
export async function listChannels(rt: Runtime, accountId: string): Promise<ChannelRecord[]> {
  const [rows, numbers] = await Promise.all([
    rt.store.read(readChannels, { account_id: accountId }),
    listNumbers(rt, accountId),
  ])
  return rows.map((row) => toChannelRecord(rt, row, numbers))
}

export async function readChannel(rt: Runtime, accountId: string, channelId: string): Promise<ChannelRecord | null> {
  const [[row], numbers] = await Promise.all([
    rt.store.read(findChannel, { account_id: accountId, id: channelId }),
    listNumbers(rt, accountId),
  ])
  return row && row.status !== 'disconnected' ? toChannelRecord(rt, row, numbers) : null
}
