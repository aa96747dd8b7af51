import { firstIdAt, type IdPrefix } from '../../server/src/lib/ids.ts'

/** The nth id of a moment: what goes by age is stored by the day that its id names. */
export function idAt(prefix: IdPrefix, at: number, nth = 0): string {
  return `${firstIdAt(prefix, at)}${String(nth).padStart(16, '0')}`
}
