/** Customers a number may write to first in 24 hours, by Meta's names of its tiers; null: without a limit, or not told. */
export function customersADay(tier: string | null): number | null {
  if (tier === null || /UNLIMITED/i.test(tier)) return null
  const [, digits, thousands] = /^(?:TIER_)?(\d+)(K)?$/i.exec(tier) ?? []
  return digits === undefined ? null : Number(digits) * (thousands ? 1_000 : 1)
}

/**
 * A tenth is left to sends that do not wait. Our count takes customers with an open window for new ones and does not see
 * what others send with the same portfolio.
 */
export const limitShare = 0.9
