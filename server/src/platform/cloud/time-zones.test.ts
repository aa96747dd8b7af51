import { expect, test } from 'vitest'
import { timeZoneOf } from './cloud-numbers.ts'

test('the ids of Meta lead to zones that this Node knows', () => {
  const zones = Array.from({ length: 141 }, (_, index) => timeZoneOf(String(index + 1)) ?? '')
  expect(zones.filter((timeZone) => !new Intl.DateTimeFormat('en', { timeZone }).format(0))).toEqual([])
  expect(new Set(zones).size).toBe(141)
})

test.each([
  ['1', 'America/Los_Angeles'],
  ['25', 'America/Sao_Paulo'],
  ['58', 'Europe/London'],
  ['66', 'Asia/Jakarta'],
  ['71', 'Asia/Kolkata'],
  ['94', 'America/Mexico_City'],
  ['125', 'Asia/Kamchatka'],
  ['140', 'Asia/Ho_Chi_Minh'],
])('%s is %s', (id, zone) => {
  expect(timeZoneOf(id)).toBe(zone)
})

test.each([null, '', '0', '999', 'x', '-1', '1.5'])('%j is no zone, and none is guessed', (id) => {
  expect(timeZoneOf(id)).toBeNull()
})
