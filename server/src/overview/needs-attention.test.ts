import { afterAll, beforeAll, expect, test } from 'vitest'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import type { Member } from '../access/console-member.ts'
import { operator } from '../audit/audit.ts'
import type { ChannelRecord } from '../channels/channel-record.ts'
import { createAccount } from '../installation/account.ts'
import { needsAttention } from './needs-attention.ts'

let world: TestRuntime
let member: Member
beforeAll(async () => {
  world = await aRuntime('sqlite')
  const { account } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
  member = { accountId: account.id, role: 'owner', plan: 'free' } as Member
})
afterAll(() => world.dispose())

const read = async (codes: readonly string[], count: number) => {
  const refusals = codes.map((code) => ({ code, count }))
  const failures = [{ code: 'recipient_unreachable', count: 1_234 }]
  const items = await needsAttention(world.rt, member, { channels: [], failures, refusals })
  return items.map(({ text, to }) => [text, to])
}

test('what failed and what was refused is counted as the console writes numbers, what failed first', async () => {
  expect(await read(['validation_failed', 'some_code'], 1_000)).toEqual([
    ['1,234 messages could not be delivered: number not reachable', '/messages?time=day&code=recipient_unreachable'],
    [
      '1,000 sends were rejected: a field is missing or wrong',
      '/messages?time=day&status=not_sent&code=validation_failed',
    ],
    ['1,000 sends were rejected: some_code', '/messages?time=day&status=not_sent&code=some_code'],
  ])
})

test('what was not counted to its end says so', async () => {
  const causes = { channels: [], failures: [], refusals: [{ code: 'some_code', count: 20_000 }], refusalsEnd: 20_000 }
  const [item] = await needsAttention(world.rt, member, causes)
  expect(item?.detail).toBe('Of the newest 20,000 rejected sends.')
})

test('sends that were refused for many reasons are one item', async () => {
  const [, refused, ...more] = await read(['a', 'b', 'c', 'd'], 300)
  expect(refused).toEqual(['1,200 sends were rejected for 4 reasons.', '/messages?time=day&status=not_sent'])
  expect(more).toEqual([])
})

test('a token that ends within 14 days is said before it ends', async () => {
  const channel = { id: 'chn_1', status: 'connected', steps: [], checked_at: null, numbers: [] }
  const read = async (days: number) => {
    const token_expires_at = new Date(world.clock.now() + days * 86_400_000).toISOString()
    const channels = [{ ...channel, token_expires_at } as unknown as ChannelRecord]
    return needsAttention(world.rt, member, { channels, failures: [], refusals: [] })
  }
  expect(await read(15)).toEqual([])
  expect(await read(13)).toMatchObject([{ tone: 'warn', text: expect.stringContaining('2026-11-28'), to: '/channel' }])
})
