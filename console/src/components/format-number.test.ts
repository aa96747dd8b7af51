import { expect, test } from 'vitest'
import { formatChange, formatPercent, formatPoints, formatSeconds } from './format-number.ts'

test('a rate has one decimal and no space, and is nothing without messages', () => {
  expect([formatPercent(96.58), formatPercent(100), formatPercent(null)]).toEqual(['96.6%', '100.0%', '–'])
})

test('seconds have one decimal and groups of three', () => {
  expect([formatSeconds(1.84), formatSeconds(1_234.5), formatSeconds(null)]).toEqual(['1.8 s', '1,234.5 s', '–'])
})

test('a change carries its sign, none where nothing changed, and nothing compared with nothing', () => {
  const found = [formatChange(112, 100), formatChange(40, 100), formatChange(100, 100), formatChange(5_000, 10)]
  expect(found).toEqual(['+12%', '-60%', '0%', '+49,900%'])
  expect(formatChange(3, 0)).toBeNull()
})

test('percentages are compared in points', () => {
  expect([formatPoints(97.5, 96.3), formatPoints(50, 61), formatPoints(5, 5)]).toEqual([
    '+1.2 points',
    '-11 points',
    '0 points',
  ])
})
