import type { BusinessHealth, Health, NumberFacts, TokenFacts } from '../../platform/chat-platform.ts'
import type { OpenChannel } from '../../process-memory.ts'
import type { Runtime } from '../../runtime.ts'
import { lookAgain } from '../../store/broadcasts/broadcasts.ts'
import { noteChannelCheck, noteChannelHealth, replaceCheckSteps } from '../../store/channels/channels.ts'
import { noteNumberHealth } from '../../store/channels/numbers.ts'
import { Unit } from '../../store/engine/unit.ts'
import { tellNumber, tellToken } from '../operator-news.ts'
import { type ChannelAccess, credentialsOf } from '../require-number.ts'
import type { NumberHealth } from './check-number.ts'
import { type CheckStep, failed, failedCall, ok, warning } from './check-step.ts'

/** Can messages leave, from the app down to the number? */
export async function checkHealth(
  rt: Runtime,
  access: ChannelAccess,
  number: Pick<NumberFacts, 'phoneNumberId' | 'health'>,
): Promise<{ step: CheckStep; business: BusinessHealth | null }> {
  try {
    const business = await rt.platform.wabaHealth(credentialsOf(access, number.phoneNumberId))
    return { step: judge(number.health ?? business.health), business }
  } catch (error) {
    const fix = 'Check the id of the account, and that the token has access to it.'
    return { step: failedCall('health', 'The WhatsApp Business account could not be read', error, fix), business: null }
  }
}

function isVerified({ businessVerificationStatus }: BusinessHealth): boolean {
  return businessVerificationStatus?.toLowerCase() === 'verified'
}

function judge(health: Health | null): CheckStep {
  const state = health?.canSendMessage ?? 'AVAILABLE'
  if (state === 'AVAILABLE') return ok('health', 'Meta reports nothing that blocks messages.')
  const entity = health?.entities.find(({ canSendMessage }) => canSendMessage === state)
  const problem = entity?.problems[0]
  const where = entity?.type === undefined || entity.type === null ? 'account' : entity.type.toLowerCase()
  const what = problem?.description ?? 'Meta gives no reason'
  const sentence = `Messages are ${state.toLowerCase()} by Meta at the ${where}: ${what.replace(/\.$/, '')}.`
  const fix = problem?.solution ?? 'Check the account in WhatsApp Manager.'
  return state === 'LIMITED' ? warning('health', sentence, fix) : failed('health', sentence, fix)
}

export type HealthReport = {
  /** Null where the platform could not be asked. */
  token: TokenFacts | null
  business: BusinessHealth | null
  numbers?: readonly { id: string; health: NumberHealth }[]
  /** The outcome of a whole check, for people. */
  steps?: readonly CheckStep[]
  /** One step judged again, and the stored outcome of the last whole check that it belongs to. */
  verdict?: { step: CheckStep; among: string | null }
}

/**
 * Writes down what the platform said. Only an explicit word about the token changes the state of a channel: silence of
 * the platform does not, and callbacks are taken in any state. The word is about the credentials that were asked with:
 * when others were connected meanwhile, it says nothing about those.
 */
export async function recordHealth(rt: Runtime, channel: OpenChannel, report: HealthReport): Promise<void> {
  const { token, business, numbers = [], steps, verdict } = report
  const now = rt.clock.now()
  const unit = new Unit()
  const { id, revision } = channel
  unit.add(noteChannelHealth, {
    id,
    revision,
    status: token && (token.valid ? 'connected' : 'auth_failed'),
    name: business?.name ?? null,
    business_verified: business && Number(isVerified(business)),
    marketing_messages: business && business.marketingMessages !== null ? Number(business.marketingMessages) : null,
    currency: business?.currency ?? null,
    time_zone: business?.timeZone ?? null,
    token_known: Number(token?.valid === true && token.inspected !== false),
    token_expires_at: token?.valid ? token.expiresAt : null,
    now,
  })
  const changes = numbers.map(({ id, health: { phone_number: _, ...health } }) => ({ id, ...health, now }))
  if (changes.length > 0) {
    unit.add(noteNumberHealth, ...changes)
    unit.add(lookAgain, { account_id: channel.accountId, reason: 'messaging_limit', now })
  }
  if (steps) unit.add(noteChannelCheck, { id, revision, check_steps: JSON.stringify(steps), now })
  if (verdict && verdict.among !== null) {
    const check_steps = withStep(verdict.among, verdict.step)
    if (check_steps !== verdict.among) unit.add(replaceCheckSteps, { id, revision, before: verdict.among, check_steps })
  }
  await rt.store.write(unit)
  await tellToken(rt, channel, token)
  for (const { id: numberId, health } of numbers) await tellNumber(rt, channel.accountId, numberId, health)
}

function withStep(among: string, step: CheckStep): string {
  const others = (JSON.parse(among) as CheckStep[]).map((one) => (one.name === step.name ? step : one))
  return JSON.stringify(others)
}
