/** Money is counted in whole millionths of its unit, so that sums are exact. */
const millionths = 1_000_000

/** Null for what is no amount, is negative, or has more than six decimals. */
export function parseAmount(text: string): number | null {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  return match ? Number(match[1]) * millionths + Number((match[2] ?? '').padEnd(6, '0')) : null
}

/** With the four decimals of rate cards, or up to six where there are more. */
export function formatAmount(micros: number): string {
  const sign = micros < 0 ? '-' : ''
  const whole = Math.floor(Math.abs(micros) / millionths)
  const rest = String(Math.abs(micros) % millionths).padStart(6, '0')
  return `${sign}${whole}.${rest.slice(0, 4)}${rest.slice(4).replace(/0+$/, '')}`
}

/** Whether an amount is above another of the same currency; one that cannot be read is no limit that holds. */
export function isAbove(amount: string, limit: string): boolean {
  const [given, most] = [parseAmount(amount), parseAmount(limit)]
  return given === null || most === null || given > most
}

const currencies = 'USD AED ARS AUD BRL CLP COP EUR GBP IDR INR MXN MYR PEN SAR SGD'.split(' ')
/** A dollar sign alone could be one of six currencies. */
const signs: Readonly<Record<string, string>> = {
  $US: 'USD',
  US$: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  R$: 'BRL',
  A$: 'AUD',
  AU$: 'AUD',
  S$: 'SGD',
  RP: 'IDR',
  RM: 'MYR',
}

/** The code of a currency that Meta bills in, from its code or its sign; null for any other. */
export function currencyOf(text: string): string | null {
  const upper = text.trim().toUpperCase()
  return currencies.find((code) => code === upper) ?? signs[upper] ?? null
}

export const currencyNames = currencies.join(', ')
