import type { Caller } from '../access/caller.ts'
import { type Author, writeAudited } from '../audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import type { PassedCall } from '../platform/chat-platform.ts'
import type { WireAnswer } from '../platform/dialect.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { syncIfDue } from '../templates/sync/sync-templates.ts'

/** What a connection can name in a path: one of its numbers, or a business account that has one. */
export type GraphObject = {
  kind: 'number' | 'waba'
  number: ChannelNumber
  /** Meta's ids of the numbers that the connection may use there. */
  numberIds: readonly string[]
}

/** Null for ids of others, of nothing and of what cannot be named: the answer is the same. */
export async function objectOf(rt: Runtime, caller: Caller, id: string): Promise<GraphObject | null> {
  const { accountId, phoneNumberIds } = caller
  const connected = await rt.store.read(connectedNumbers, { account_id: accountId })
  const usable = connected.filter((row) => phoneNumberIds === null || phoneNumberIds.includes(row.id))
  const named = usable.find(({ phone_number_id }) => phone_number_id === id)
  const [first] = named ? [named] : usable.filter(({ waba_id }) => waba_id === id)
  if (!first) return null
  const number = await requireNumber(rt, accountId, { from: first.id, allowedIds: phoneNumberIds })
  const ofWaba = usable.filter(({ waba_id }) => waba_id === first.waba_id)
  return { kind: named ? 'number' : 'waba', number, numberIds: ofWaba.map(({ phone_number_id }) => phone_number_id) }
}

/** Once, whatever comes of it. A change leaves a line in the audit log. */
export async function passCall(
  rt: Runtime,
  { number }: GraphObject,
  call: PassedCall,
  { actor, context }: Author,
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
  if (call.method !== 'GET' && answer.status < 300) {
    const targets = [{ type: 'graph', id: call.path, name: call.method }]
    const metadata = Object.keys(call.query).length > 0 ? { query: call.query } : {}
    const entry = { accountId: number.accountId, action: 'connection.call_passed', actor, context, targets, metadata }
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
