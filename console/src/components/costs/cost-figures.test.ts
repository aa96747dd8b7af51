import { expect, test } from 'vitest'
import {
  daysBefore,
  daysOf,
  formatCost,
  lastMonths,
  monthName,
  nameOf,
  readMonth,
  shiftMonth,
  tierWords,
} from './cost-figures.ts'

test('a month that is not over is compared with the same days of the month before', () => {
  expect(daysOf('2026-12')).toEqual({ from: '2026-12-01', to: '2027-01-01' })
  expect(daysBefore('2026-11', '2026-11', new Date('2026-11-19T12:00:00Z'))).toEqual({
    from: '2026-10-01',
    to: '2026-10-20',
  })
  expect(daysBefore('2026-03', '2026-03', new Date('2026-03-31T12:00:00Z'))).toEqual({
    from: '2026-02-01',
    to: '2026-03-01',
  })
  expect(daysBefore('2026-10', '2026-11', new Date('2026-11-19T12:00:00Z'))).toEqual({
    from: '2026-09-01',
    to: '2026-10-01',
  })
})

test('months are those of the last year', () => {
  expect([shiftMonth('2026-01', -1), shiftMonth('2026-12', 1)]).toEqual(['2025-12', '2027-01'])
  expect(lastMonths('2026-02').slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12'])
  expect([readMonth('2020-01', '2026-02'), readMonth('2025-12', '2026-02'), readMonth(null, '2026-02')]).toEqual([
    '2026-02',
    '2025-12',
    '2026-02',
  ])
  expect(monthName('2026-11')).toBe('November 2026')
})

test('what has no price has no amount, and small sums keep their decimals', () => {
  expect(formatCost({ currency: 'EUR', amount: null })).toBe('–')
  expect(formatCost({ currency: 'EUR', amount: '0.0356' })).toBe('0.0356 EUR')
  expect(formatCost({ currency: 'USD', amount: '12475.8880' })).toBe('12,475.89 USD')
  expect([tierWords('25000001:50000000'), tierWords('50000001:')]).toEqual(['25,000,001 to 50,000,000', '50000001:'])
  expect(nameOf('country', 'PT')).toBe('Portugal')
  expect(nameOf('pricing_category', 'authentication-international')).toBe('Authentication international')
})
