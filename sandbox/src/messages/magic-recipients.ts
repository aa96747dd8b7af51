import type { Effects } from './scenario.ts'

/**
 * Recipients with a fixed fate, so that a test needs no clicks. Any other number behaves like the first.
 *
 * | number       | fate |
 * |--------------|------|
 * | +12025550100 | read |
 * | +12025550101 | delivered, never read |
 * | +12025550102 | accepted, then failed 131026: cannot be reached |
 * | +12025550103 | accepted and sent, then failed 131049: not delivered |
 * | +12025550104 | accepted, then failed 131047 unless it is a template: window closed |
 * | +12025550105 | refused at once with 130429, HTTP 400: the number's throughput is used up |
 * | +12025550106 | the request is taken and never answered; the message is not accepted and no callback follows |
 * | +12025550107 | read, and the customer answers "Hello" after one second |
 */
export function magicEffects(recipient: string, isTemplate: boolean): Effects | null {
  if (!recipient.startsWith(FAMILY)) return null
  if (recipient === `${FAMILY}4` && isTemplate) return null
  return FATES[recipient.slice(FAMILY.length)] ?? null
}

export function repliesHello(recipient: string): boolean {
  return recipient === `${FAMILY}7`
}

export const OPEN_CUSTOMER = '12025550100'
export const HELLO_DELAY_MS = 1000

const FAMILY = '1202555010'

const FATES: Record<string, Effects> = {
  '1': { never_read: true },
  '2': { fail: 131026 },
  '3': { fail_after_sent: 131049 },
  '4': { fail: 131047 },
  '5': { error: { code: 130429, subcode: 2494055, details: 'Cloud API message throughput has been reached.' } },
  '6': { hang: true },
}
