/** Business-scoped user ids: a country, a dot, and digits that are the same for one business and one customer. */
const BSUID = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/

export function isBsuid(value: string): boolean {
  return BSUID.test(value)
}

export function bsuidFor(businessId: string, customer: string): string {
  // Two 32-bit FNV hashes in one pass: this runs for every message to a customer who never wrote.
  let one = 0x811c9dc5
  let two = 0x1b873593
  for (const source of [businessId, customer]) {
    for (let i = 0; i < source.length; i++) {
      const unit = source.charCodeAt(i)
      one = Math.imul(one ^ unit, 0x01000193)
      two = Math.imul(two ^ (unit + i), 0x01000193)
    }
  }
  return `${countryOf(customer)}.${(one >>> 0) + 1_000_000_000}${(two >>> 0) + 1_000_000_000}`
}

function countryOf(customer: string): string {
  for (const [prefix, country] of COUNTRIES) if (customer.startsWith(prefix)) return country
  return 'XX'
}

const COUNTRIES: [prefix: string, country: string][] = [
  ['351', 'PT'],
  ['1', 'US'],
  ['33', 'FR'],
  ['34', 'ES'],
  ['39', 'IT'],
  ['44', 'GB'],
  ['49', 'DE'],
  ['52', 'MX'],
  ['55', 'BR'],
  ['62', 'ID'],
  ['91', 'IN'],
]
