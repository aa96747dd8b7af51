import type { Caller } from '../access/caller.ts'
import { type Author, writeAudited } from '../audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import { minuteMs } from '../lib/durations.ts'
import { takeNow } from '../limits/rate.ts'
import type { PassedCall } from '../platform/chat-platform.ts'
import type { WireAnswer } from '../platform/dialect.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../store/channels/numbers.ts'
import { noteTokenInAddress } from '../store/connections/connections.ts'
import { unitOf } from '../store/engine/unit.ts'
import { findTemplateAtPlatform } from '../store/templates/templates.ts'
import { syncIfDue } from '../templates/sync/sync-templates.ts'
import type { Connection } from './connection.ts'

/** What a connection can name in a path: one of its numbers, a business account that has one, or a template of that. */
export type GraphObject = {
  kind: 'number' | 'waba' | 'template'
  number: ChannelNumber
  /** Meta's ids of the numbers that the connection may use there. */
  numberIds: readonly string[]
}

/** Null for ids of others, of nothing and of what cannot be named: the answer is the same. */
export async function objectOf(rt: Runtime, caller: Caller, id: string): Promise<GraphObject | null> {
  const usable = await usableNumbers(rt, caller)
  const named = usable.find(({ phone_number_id }) => phone_number_id === id)
  if (named) return describe(rt, caller, { kind: 'number', row: named, usable })
  const ofWaba = usable.find(({ waba_id }) => waba_id === id)
  if (ofWaba) return describe(rt, caller, { kind: 'waba', row: ofWaba, usable })
  const at = { account_id: caller.accountId, channel_template_id: id }
  const [template] = await rt.store.read(findTemplateAtPlatform, at)
  const ofTemplate = template && usable.find(({ channel_id }) => channel_id === template.channel_id)
  return ofTemplate ? describe(rt, caller, { kind: 'template', row: ofTemplate, usable }) : null
}

/** The connected numbers that a connection may use, the default one first. */
export async function usableNumbers(rt: Runtime, { accountId, phoneNumberIds }: Caller): Promise<ConnectedNumberRow[]> {
  const connected = await rt.store.read(connectedNumbers, { account_id: accountId })
  return connected.filter(({ id }) => phoneNumberIds === null || phoneNumberIds.includes(id))
}

/** One of them by our own id. */
export async function objectOfId(rt: Runtime, caller: Caller, numberId: string): Promise<GraphObject> {
  const usable = await usableNumbers(rt, caller)
  const row = usable.find(({ id }) => id === numberId)
  if (!row) throw new AppError('channel_not_connected', 'The number is not connected any more.')
  return describe(rt, caller, { kind: 'number', row, usable })
}

type Found = { kind: GraphObject['kind']; row: ConnectedNumberRow; usable: readonly ConnectedNumberRow[] }

async function describe(rt: Runtime, caller: Caller, { kind, row, usable }: Found): Promise<GraphObject> {
  const number = await requireNumber(rt, caller.accountId, { from: row.id, allowedIds: caller.phoneNumberIds })
  const ofWaba = usable.filter(({ waba_id }) => waba_id === row.waba_id)
  return { kind, number, numberIds: ofWaba.map(({ phone_number_id }) => phone_number_id) }
}

/** Once, whatever comes of it. A change leaves a line in the audit log. */
export async function passCall(
  rt: Runtime,
  { number }: GraphObject,
  call: PassedCall,
  /** Null for what changes nothing, whatever its method says. */
  by: Author | null,
): Promise<WireAnswer> {
  const answer = await rt.platform.pass(number.credentials, call).catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error
    throw new AppError(error.code, 'Meta did not answer this call.', { cause: error })
  })
  if (answer.status >= 400 && !rt.platform.dialect.passedRefusal(answer)) {
    throw new AppError(
      'channel_auth_failed',
      "Meta rejects the gateway's own access. The operator must reconnect the channel.",
    )
  }
  if (by && call.method !== 'GET' && answer.status < 300) {
    const targets = [{ type: 'graph', id: call.path, name: call.method }]
    const metadata = Object.keys(call.query).length > 0 ? { query: call.query } : {}
    const entry = { accountId: number.accountId, action: 'connection.call_passed', ...by, targets, metadata }
    await writeAudited(rt, entry, () => {})
  }
  return answer
}

/** What a tool changed is known here at once, not with the next look at Meta. */
export async function refreshTemplates(rt: Runtime, { number }: GraphObject): Promise<void> {
  await syncIfDue(rt, number, 0).catch((error: unknown) =>
    rt.log.warn({ err: error, channel_id: number.channelId }, 'templates.not_refreshed'),
  )
}

/** A tool that asks again and again cannot use up what the plan allows to all. */
export async function requirePace(rt: Runtime, { id, options }: Connection): Promise<void> {
  const most = options.max_per_minute
  if (most === null) return
  const waitMs = await takeNow(rt.sharedRate, [{ key: `connection ${id}`, everyMs: minuteMs / most, burst: most }])
  if (waitMs === 0) return
  throw new AppError('rate_limit_exceeded', `This connection may make ${most} requests a minute.`, {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}

const notedMax = 1_000

/** Proxies log addresses: a person is told that a token stands in them, and since when. One write for each token. */
export function createAddressNotes(rt: Runtime): (connectionId: string, epoch: number | undefined) => void {
  const noted = new Map<string, number | undefined>()
  return (id, epoch) => {
    // The epoch is another one after a rotation.
    if (noted.has(id) && noted.get(id) === epoch) return
    if (noted.size >= notedMax) noted.clear()
    noted.set(id, epoch)
    const unit = unitOf(noteTokenInAddress, { id, token_in_address_at: rt.clock.now() })
    rt.store.write(unit).catch((error: unknown) => rt.log.warn({ err: error }, 'connection.token_place_not_noted'))
  }
}
