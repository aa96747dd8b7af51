import { formatNumber } from './format-number.ts'

const rules = new Intl.PluralRules('en')

/** "1 message", "1,024 messages". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${rules.select(count) === 'one' ? one : many}`
}
