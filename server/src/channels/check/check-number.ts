import type { NumberCredentials, NumberFacts } from '../../platform/chat-platform.ts'
import type { Runtime } from '../../runtime.ts'
import type { NumberRow } from '../../store/channels/numbers.ts'
import { type ChannelAccess, credentialsOf } from '../require-number.ts'
import { type CheckStep, failed, failedCall, ok } from './check-step.ts'

/** The columns of a number that come from the platform. */
export type NumberHealth = Pick<
  NumberRow,
  'phone_number' | 'display_name' | 'status' | 'quality' | 'sends_per_second' | 'messaging_limit'
>

/**
 * Can the number be read, and can it send? With a PIN it is registered now, also when it is connected: a changed display
 * name takes effect only then, and otherwise Meta changes nothing.
 */
export async function checkNumber(
  rt: Runtime,
  access: ChannelAccess,
  phoneNumberId: string,
  pin: string | null = null,
): Promise<{ step: CheckStep; health: NumberHealth | null; facts: NumberFacts | null }> {
  const credentials = credentialsOf(access, phoneNumberId)
  try {
    let facts = await rt.platform.getNumber(credentials)
    let refusal: CheckStep | null = null
    if (pin !== null) {
      refusal = await registerAgain(rt, credentials, pin, facts)
      facts = await rt.platform.getNumber(credentials)
    }
    const health = toHealth(facts)
    if (!health) {
      const sentence = 'Meta returned no phone number for this number id.'
      return {
        step: failed('number', sentence, 'Use the id of the phone number, not the number itself.'),
        health,
        facts,
      }
    }
    const step = judgeBusiness(access, facts) ?? refusal ?? judge(health)
    return { step, health, facts }
  } catch (error) {
    const fix = 'Check the number id, the PIN, and that the token has access to its WhatsApp Business account.'
    return { step: failedCall('number', 'The number could not be used', error, fix), health: null, facts: null }
  }
}

/** A number that can send anyway is no reason to keep it from being connected. */
async function registerAgain(
  rt: Runtime,
  credentials: NumberCredentials,
  pin: string,
  { status }: NumberFacts,
): Promise<CheckStep | null> {
  try {
    await rt.platform.register(credentials, pin)
    return null
  } catch (error) {
    if (status !== 'CONNECTED') throw error
    const fix =
      'Repeat with the PIN of its two-step verification, or without a PIN if the display name has not changed.'
    const what = 'The number is connected, but was not registered again'
    return { ...failedCall('number', what, error, fix), status: 'warning' }
  }
}

/** The number's health names the account it belongs to; ids of two accounts mixed up would show only with callbacks. */
function judgeBusiness({ wabaId }: ChannelAccess, { health }: NumberFacts): CheckStep | null {
  const owner = health?.entities.find(({ type }) => type === 'WABA')?.id ?? wabaId
  if (owner === wabaId) return null
  const sentence = `The number belongs to the WhatsApp Business account ${owner}, not to ${wabaId}.`
  return failed('number', sentence, 'Use the ids of the number and of its own account.')
}

function judge({ status, display_name, quality }: NumberHealth): CheckStep {
  if (status === 'CONNECTED') {
    const rated = quality === null ? 'not rated yet' : `of ${quality} quality`
    return ok('number', `The number${display_name === null ? '' : ` of ${display_name}`} is connected and ${rated}.`)
  }
  return failed('number', `The number is ${status} and cannot send.`, fixes[status] ?? fixOther)
}

const register = 'Register the number: repeat with its six-digit PIN in POSTERN_CHANNEL_PIN.'
const fixOther = 'Check the number in WhatsApp Manager.'
const fixes: Record<string, string> = { PENDING: register, UNVERIFIED: register, DISCONNECTED: register }

export function toHealth(facts: NumberFacts): NumberHealth | null {
  const digits = facts.displayPhoneNumber?.replace(/\D/g, '') ?? ''
  if (digits === '') return null
  return {
    phone_number: `+${digits}`,
    display_name: facts.verifiedName,
    status: facts.status ?? 'UNKNOWN',
    quality: qualities[facts.qualityRating ?? ''] ?? null,
    sends_per_second: facts.onBusinessApp ? businessAppSendsPerSecond : sendsPerSecond(facts.throughputLevel),
    messaging_limit: facts.messagingLimit,
  }
}

const qualities: Record<string, string> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' }

/** Numbers in use with the WhatsApp Business app have a fixed throughput. */
const businessAppSendsPerSecond = 20

/** The platform's two levels, in messages of all kinds per second and number. */
function sendsPerSecond(throughputLevel: string | null): number {
  return throughputLevel === 'HIGH' ? 1_000 : 80
}
