import { dayMs } from '../lib/durations.ts'
import type { TokenFacts } from '../platform/chat-platform.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { OpenChannel } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { nextTokenExpiry, replaceToken, setChannelStatus } from '../store/channels/channels.ts'
import { findToldStates } from '../store/channels/told-states.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { seal } from './channel-app.ts'
import { tellToken } from './operator-news.ts'
import { tellStates } from './tell-state.ts'

/** For the operator's gauge: a token that ends takes its channel with it. */
export async function measureTokenExpiry(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(nextTokenExpiry, {})
  rt.metrics.channelTokenExpiry.set({}, (row?.at ?? 0) / 1_000)
}

/** A token of Embedded Signup lives for 60 days; half of them are left to find out that it cannot be renewed. */
const renewedWithinMs = 30 * dayMs

/**
 * Trades a token that is about to end for a new one, once a day until it works. The old one lives on until its own end, so
 * that sends under way and a process that dies here lose nothing. Only the token's own app can ask.
 */
export async function renewToken(rt: Runtime, channel: OpenChannel, token: TokenFacts | null): Promise<void> {
  const now = rt.clock.now()
  const { appId, appSecret, baseUrl, graphVersion } = channel
  const ends = token?.valid ? token.expiresAt : null
  if (ends === null || ends > now + renewedWithinMs || appId === null || token?.appId !== appId) return
  if (!(await isFirstToday(rt, channel, now))) return
  try {
    const renewed = await rt.platform.renewToken({ appId, appSecret, baseUrl, graphVersion }, channel.accessToken)
    if (!renewed || (renewed.lifeMs !== null && now + renewed.lifeMs <= ends)) return
    const { id, accountId, revision } = channel
    const access_token = seal(rt, { id, account_id: accountId }, 'access_token', renewed.accessToken)
    const token_expires_at = renewed.lifeMs === null ? null : now + renewed.lifeMs
    await rt.store.write(unitOf(replaceToken, { id, revision, access_token, token_expires_at, now }))
    rt.log.info({ channel_id: id }, 'channel.token_renewed')
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    rt.log.warn(
      { channel_id: channel.id, code: error.code, meta_code: error.upstream.code },
      'channel.token_not_renewed',
    )
  }
}

/** Noted before the call, so that no node asks a second time on one day. */
async function isFirstToday(rt: Runtime, { id, accountId }: OpenChannel, now: number): Promise<boolean> {
  const value = String(Math.floor(now / dayMs))
  const told = await rt.store.read(findToldStates, { subject: id })
  if (told.some((state) => state.topic === 'renewal' && state.value === value)) return false
  await tellStates(rt, accountId, [{ subject: id, topic: 'renewal', value, event: () => null }])
  return true
}

/**
 * The platform refused a channel's token on an ordinary call. Callbacks are still taken; the next refresh or check that
 * finds the token valid sets the channel right again. `revision` is the one whose token was refused: a refusal that comes
 * after new credentials were connected says nothing about them.
 */
export async function noteTokenRefused(rt: Runtime, channelId: string, revision: number | null = null): Promise<void> {
  const unit = new Unit()
  const call = unit.add(setChannelStatus, { id: channelId, revision, status: 'auth_failed', now: rt.clock.now() })
  const row = (await rt.store.write(unit)).first(call)
  if (!row) return
  const channel = { id: row.id, accountId: row.account_id, wabaId: row.waba_id }
  await tellToken(rt, channel, { valid: false, expiresAt: null })
}
