import { expect, test } from 'vitest'
import { createOwners } from './fair-turns.ts'
import { createShares } from './overload.ts'

test('a new header for each request is one owner: an overloaded process refuses it like the same header', () => {
  const owners = createOwners()
  const shares = createShares()
  shares.enter('account acc_1', true)
  const entered = Array.from({ length: 500 }, (_, nth) =>
    shares.enter(owners.of(`Bearer invented-${nth}`, '198.51.100.7') ?? '', true),
  )
  expect(entered.filter(Boolean)).toHaveLength(32)
})

test('tokens of one account are one owner, at whatever address, apart from strangers at the same one', () => {
  const owners = createOwners()
  owners.remember('Bearer a', 'acc_1', '203.0.113.9')
  owners.remember('Bearer b', 'acc_1', '203.0.113.9')
  owners.remember('Basic c', 'acc_2', '203.0.113.9')
  expect(owners.of('Bearer a', '198.51.100.7')).toBe(owners.of('Bearer b', '198.51.100.8'))
  expect(owners.of('Basic c', '198.51.100.7')).not.toBe(owners.of('Bearer a', '198.51.100.7'))
  expect(owners.of('Bearer x', '198.51.100.7')).not.toBe(owners.of('Bearer a', '198.51.100.7'))
  expect(owners.of('Bearer x', '198.51.100.7')).not.toBe(owners.of('Bearer x', '198.51.100.8'))
  expect(owners.of('Bearer x', null)).toBeNull()
})

test('strangers cannot make the memory grow, and the oldest are forgotten', () => {
  const owners = createOwners()
  for (let nth = 0; nth <= 5_000; nth++) owners.remember(`Bearer ${nth}`, 'acc_1', '203.0.113.9')
  expect(owners.of('Bearer 0', null)).toBeNull()
  expect(owners.of('Bearer 5000', null)).toBe('account acc_1')
})
