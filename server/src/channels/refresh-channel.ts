import { minuteMs } from '../lib/durations.ts'
import type { NumberFacts } from '../platform/chat-platform.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { OpenChannel } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { findChannel } from '../store/channels/channels.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../store/channels/numbers.ts'
import { inspectToken } from './check/check-access.ts'
import { checkHealth, recordHealth } from './check/check-health.ts'
import { toHealth } from './check/check-number.ts'
import type { CheckStep } from './check/check-step.ts'
import { credentialsOf, openRow } from './require-number.ts'
import { renewToken } from './token.ts'

/** Every channel has a job of its own, so that a thousand of them do not ask the platform in the same second. */
export const refreshJobKind = 'channels.refresh'
export const firstRefreshMs = minuteMs
const everyMs = 30 * minuteMs

export function refreshJob(rt: Runtime, { id, accountId }: { id: string; accountId: string }, delayMs: number) {
  const now = rt.clock.now()
  const job = { id: rt.newId('job'), lane: 'main', kind: refreshJobKind, payload: '{}' }
  return { ...job, subject: id, account_id: accountId, run_at: now + delayMs, now }
}

/** Asks the platform how a channel and its numbers are. Ends with the channel. */
export async function refreshChannel(
  rt: Runtime,
  { account_id, subject }: { account_id: string | null; subject: string },
): Promise<'done' | { againAt: number }> {
  const accountId = account_id ?? ''
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: subject })
  const channel = row && openRow(rt, row)
  if (!channel) return 'done'
  const numbers = await numbersOf(rt, channel)
  const [first] = numbers
  if (first) {
    const { token } = await inspectToken(rt, channel, first.phone_number_id)
    // A platform that will not say anything about a token may still take it.
    const usable = token?.valid !== false
    const looks = usable ? await factsOf(rt, channel, numbers) : []
    const facts = looks[0]?.facts ?? null
    const unread = { phoneNumberId: first.phone_number_id, health: null }
    const health = usable ? await checkHealth(rt, channel, facts ?? unread) : null
    await recordHealth(rt, channel, {
      token,
      business: health?.business ?? null,
      numbers: looks.flatMap(({ id, facts: found }) => {
        const health = toHealth(found)
        return health ? [{ id, health }] : []
      }),
      ...(health && isVerdict(health, facts) ? { verdict: { step: health.step, among: row.check_steps } } : {}),
    })
    await renewToken(rt, channel, token)
  }
  return { againAt: rt.clock.now() + everyMs }
}

export async function numbersOf(rt: Runtime, channel: OpenChannel): Promise<ConnectedNumberRow[]> {
  const rows = await rt.store.read(connectedNumbers, { account_id: channel.accountId })
  return rows.filter(({ channel_id }) => channel_id === channel.id)
}

/** Silence of the platform is none: what was found last stays. A banned account may be refused even to be read. */
function isVerdict({ step, business }: { step: CheckStep; business: unknown }, facts: NumberFacts | null): boolean {
  return (business !== null && facts !== null) || step.code === 'channel_account_restricted'
}

async function factsOf(rt: Runtime, channel: OpenChannel, numbers: readonly ConnectedNumberRow[]) {
  const looks = []
  for (const { id, phone_number_id } of numbers) {
    const facts = await quiet(rt.platform.getNumber(credentialsOf(channel, phone_number_id)))
    if (facts) looks.push({ id, facts })
  }
  return looks
}

/** A platform that does not answer changes nothing; the next refresh asks again. */
async function quiet<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof PlatformError) return null
    throw error
  }
}
