import { expect, test } from 'vitest'
import { createShares, type Shares } from './overload.ts'

const enterTimes = (shares: Shares, owner: string, times: number, overloaded: boolean) =>
  Array.from({ length: times }, () => shares.enter(owner, overloaded)).filter(Boolean).length

test('without overload nobody is refused, however much runs', () => {
  const shares = createShares()
  expect(enterTimes(shares, 'acc_1', 5_000, false)).toBe(5_000)
  expect(enterTimes(shares, 'acc_2', 5_000, false)).toBe(5_000)
})

test('an overloaded process runs as many requests as it ended in the last second', () => {
  let now = 0
  const shares = createShares(() => now)
  enterTimes(shares, 'acc_1', 600, false)
  for (let nth = 0; nth < 100; nth++) shares.leave('acc_1')
  now += 1_000
  expect(enterTimes(shares, 'acc_1', 10, true)).toBe(0)
  for (let nth = 0; nth < 450; nth++) shares.leave('acc_1')
  expect(enterTimes(shares, 'acc_1', 200, true)).toBe(50)
})

test('an overloaded process runs 512 requests of an account that is alone, and one more for each that ends', () => {
  const shares = createShares()
  expect(enterTimes(shares, 'acc_1', 1_000, true)).toBe(512)
  shares.leave('acc_1')
  expect(enterTimes(shares, 'acc_1', 1_000, true)).toBe(1)
})

test('an account that floods leaves the limits of all others free', () => {
  const shares = createShares()
  enterTimes(shares, 'flood', 1_000, false)
  for (const account of ['acc_1', 'acc_2', 'acc_3']) expect(enterTimes(shares, account, 100, true)).toBe(32)
  expect(enterTimes(shares, 'flood', 10, true)).toBe(0)
})

test('the last request of an account that still runs counts like every other', () => {
  const shares = createShares()
  shares.enter('other', false)
  enterTimes(shares, 'acc_1', 10, false)
  for (let nth = 0; nth < 9; nth++) shares.leave('acc_1')
  expect(enterTimes(shares, 'acc_1', 100, true)).toBe(31)
})

test('an account is alone only when no other has asked for some seconds', () => {
  let now = 0
  const shares = createShares(() => now)
  shares.enter('acc_1', true)
  shares.leave('acc_1')
  expect(enterTimes(shares, 'flood', 1_000, true)).toBe(32)
  now += 2_001
  expect(enterTimes(shares, 'flood', 1_000, true)).toBe(0)
  for (let nth = 0; nth < 32; nth++) shares.leave('flood')
  now += 2_001
  expect(enterTimes(shares, 'flood', 1_000, true)).toBe(512)
})

test('a burst after a pause is not held to what was ended in the pause', () => {
  let now = 0
  const shares = createShares(() => now)
  shares.enter('acc_1', false)
  shares.leave('acc_1')
  now += 20_000
  expect(enterTimes(shares, 'acc_1', 64, true)).toBe(64)
})
