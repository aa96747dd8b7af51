import type { BusinessHealth, Health, NumberFacts } from '../../platform/chat-platform.ts'
import type { Runtime } from '../../runtime.ts'
import { type ChannelAccess, credentialsOf } from '../open-channel.ts'
import { type CheckStep, failed, failedCall, ok } from './check-step.ts'

/** Can messages leave, from the app down to the number? */
export async function checkHealth(
  rt: Runtime,
  access: ChannelAccess,
  number: NumberFacts,
): Promise<{ step: CheckStep; business: BusinessHealth | null }> {
  try {
    const business = await rt.platform.wabaHealth(credentialsOf(access, number.phoneNumberId))
    return { step: judge(number.health ?? business.health), business }
  } catch (error) {
    const fix = 'Check that the token has access to the business chat account.'
    return { step: failedCall('health', 'The business chat account could not be read', error, fix), business: null }
  }
}

export function isVerified({ businessVerificationStatus }: BusinessHealth): boolean {
  return businessVerificationStatus?.toLowerCase() === 'verified'
}

function judge(health: Health | null): CheckStep {
  const state = health?.canSendMessage ?? 'AVAILABLE'
  if (state === 'AVAILABLE') return ok('health', 'The platform sees nothing that keeps messages back.')
  const entity = health?.entities.find(({ canSendMessage }) => canSendMessage === state)
  const problem = entity?.problems[0]
  const where = entity?.type === undefined || entity.type === null ? 'account' : entity.type.toLowerCase()
  const what = problem?.description ?? 'the platform gives no reason'
  const sentence = `Messages are ${state.toLowerCase()} by the platform at the ${where}: ${what.replace(/\.$/, '')}.`
  if (state === 'LIMITED') return ok('health', sentence)
  return failed('health', sentence, problem?.solution ?? "Look at the account in the platform's own manager.")
}
