/** The platform's name of a limit, as TIER_1K, in words; one that is not known stays as it is. */
export function limitInWords(limit: string): string {
  if (/^TIER_UNLIMITED$/i.test(limit)) return 'none'
  const [, digits, thousand] = /^TIER_(\d+)(K?)$/i.exec(limit) ?? []
  if (digits === undefined) return limit
  const customers = Number(digits) * (thousand ? 1_000 : 1)
  return `${customers.toLocaleString('en')} customers a day`
}
