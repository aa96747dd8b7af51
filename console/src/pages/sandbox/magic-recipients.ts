/** Customers with a fixed behaviour, so that a test needs no clicks. */
export const magicRecipients: readonly { phone: string; fate: string }[] = [
  { phone: '+12025550100', fate: 'reads everything' },
  { phone: '+12025550101', fate: 'receives, never reads' },
  { phone: '+12025550102', fate: 'cannot be reached' },
  { phone: '+12025550103', fate: 'fails after sending' },
  { phone: '+12025550104', fate: 'window closed' },
  { phone: '+12025550105', fate: 'rate limited by Meta' },
  { phone: '+12025550106', fate: 'Meta never responds' },
  { phone: '+12025550107', fate: 'replies Hello after a second' },
]

export function fateOf(phone: string): string | null {
  return magicRecipients.find((one) => one.phone === phone)?.fate ?? null
}
