import type { BusinessHealth, Health, NumberFacts } from '../../platform/chat-platform.ts'
import type { Runtime } from '../../runtime.ts'
import { type ChannelAccess, credentialsOf } from '../open-channel.ts'
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

export function isVerified({ businessVerificationStatus }: BusinessHealth): boolean {
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
