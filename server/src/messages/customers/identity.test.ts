import { expect, test } from 'vitest'
import type { IdentityRow } from '../../store/messages/customers.ts'
import { planFor } from './identity.ts'

const minute = 60_000
const row = (address: string, customer_id: string, change: Partial<IdentityRow> = {}): IdentityRow => ({
  address,
  shown: address,
  customer_id,
  channel_id: null,
  linked_at: 0,
  replaced_at: null,
  revision: 1,
  created_at: 0,
  ...change,
})
const now = 10 * minute
const plan = (known: IdentityRow[], identity: Partial<Parameters<typeof planFor>[1]>) =>
  planFor(known, { phone: null, userId: null, at: now, ...identity }, () => 'new')

test('a number and an id in one callback are one customer: who came first keeps the id', () => {
  const known = [row('+1', 'b', { created_at: 5 }), row('US.1', 'a', { created_at: 9 })]
  expect(plan(known, { phone: '+1', userId: 'US.1' })).toMatchObject({ customerId: 'b', merged: [{ id: 'a' }] })
})

test('an id alone makes a customer, and a number that has no id yet joins it', () => {
  expect(plan([], { userId: 'US.1' })).toMatchObject({ customerId: 'new', isNew: true })
  expect(plan([row('+1', 'a')], { phone: '+1', userId: 'US.1' })).toMatchObject({
    customerId: 'a',
    changes: [{ address: 'US.1', heldBy: null }],
  })
})

test('a number with another id was given to another person, who gets nothing of the first', () => {
  const known = [row('+1', 'a'), row('US.1', 'a')]
  expect(plan(known, { phone: '+1', userId: 'US.2' })).toMatchObject({
    customerId: 'new',
    changes: [{ address: '+1', heldBy: 'a' }, { address: 'US.2' }],
    left: [{ id: 'a' }],
  })
})

test('what is told late moves no number', () => {
  const known = [row('+1', 'b', { linked_at: now + minute }), row('US.2', 'b'), row('US.1', 'a')]
  expect(plan(known, { phone: '+1', userId: 'US.1' })).toMatchObject({ customerId: 'a', changes: [], merged: [] })
})

test('a number that its customer gave up and that comes back without an id is another person', () => {
  const known = [row('+1', 'a', { replaced_at: minute }), row('+2', 'a')]
  expect(plan(known, { phone: '+1' })).toMatchObject({ customerId: 'new', changes: [{ address: '+1', heldBy: 'a' }] })
  expect(plan(known, { phone: '+1', former: ['+2'] })).toMatchObject({ customerId: 'a' })
})

test('a note about a change joins both sides, by the former id or by the former number alone', () => {
  const known = [
    row('+1', 'a'),
    row('US.1', 'a'),
    row('+2', 'b', { created_at: 7 }),
    row('US.2', 'b', { created_at: 7 }),
  ]
  for (const former of [['+1', 'US.1'], ['+1']]) {
    expect(plan(known, { phone: '+2', userId: 'US.2', former })).toMatchObject({
      customerId: 'a',
      merged: [{ id: 'b' }],
    })
  }
})

test('a former id decides where the former number was given to another person meanwhile', () => {
  const known = [row('US.1', 'a'), row('+1', 'c'), row('US.9', 'c')]
  const { customerId, changes, merged } = plan(known, { phone: '+2', userId: 'US.2', former: ['+1', 'US.1'] })
  expect([customerId, merged, changes.map(({ address }) => address)]).toEqual(['a', [], ['+2', 'US.2', 'US.1']])
})

test('a parent id stays with the first who came with it, and joins nobody', () => {
  const known = [row('US.ENT.1', 'a'), row('US.1', 'a'), row('US.2', 'b')]
  expect(plan(known, { userId: 'US.2', parentId: 'US.ENT.1' })).toMatchObject({
    customerId: 'b',
    changes: [],
    merged: [],
  })
})

test('of two businesses of an account, a customer has an id each: only another id at the same one is another person', () => {
  const known = [row('+1', 'a'), row('US.1', 'a', { channel_id: 'chn_1' })]
  const at = (channelId: string) => plan(known, { phone: '+1', userId: 'US.2', channelId })
  expect(at('chn_2')).toMatchObject({
    customerId: 'a',
    changes: [{ address: 'US.2', channelId: 'chn_2', heldBy: null }],
  })
  expect(at('chn_1')).toMatchObject({ customerId: 'new', left: [{ id: 'a' }] })
})

test('another form of a number is the same, and one that WhatsApp resolves to another joins it', () => {
  expect(plan([row('+5215512345678', 'a')], { phone: '+525512345678' })).toMatchObject({ customerId: 'a', changes: [] })
  const known = [row('+541155551234', 'a', { created_at: 3 }), row('+5491155551234', 'b'), row('AR.1', 'b')]
  expect(plan(known, { phone: '+5491155551234', alias: '+541155551234' })).toMatchObject({
    customerId: 'b',
    merged: [{ id: 'a' }],
  })
})
