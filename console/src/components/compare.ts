/** What has no value stands last both ways: it is neither the largest nor the smallest. */
export function compare(a: number | string | null, b: number | string | null, isDown: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const ascending = typeof a === 'string' ? a.localeCompare(`${b}`) : a - Number(b)
  return isDown ? -ascending : ascending
}
