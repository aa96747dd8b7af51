import { expect, test } from 'vitest'
import { aRuntime } from '../../../test/support/runtime.ts'
import { query } from '../store/engine/operation.ts'
import { Unit } from '../store/engine/unit.ts'
import { newMessage } from '../store/messages/messages.ts'
import { type HistoryEntry, historyOf, ownStep, publishMessageEvent, storedHistory } from './message-record.ts'

const step: HistoryEntry = { status: 'sent', at: 5, recordedAt: 5, source: 'gateway', inferred: false }

test('a step of our own is stored as every other one', () => {
  expect(storedHistory([step])).toBe(`[${ownStep('sent', 5)}]`)
})

test('a history is read as it was stored', () => {
  const priced = { pricing: 'utility/regular', priceDay: 1_795_046_400_000 }
  const steps: HistoryEntry[] = [
    step,
    { ...step, inferred: true },
    // The platform's clock may be ahead of ours, and its words are new every year.
    {
      status: 'a "new" word',
      at: 1_795_063_147_000,
      recordedAt: 1_795_063_146_158,
      source: 'channel',
      inferred: false,
    },
    { status: 'delivered', at: 7, recordedAt: 9, source: 'channel', inferred: true },
    { status: 'read', at: 8, recordedAt: 9, source: 'channel', inferred: false, ...priced },
  ]
  expect(historyOf({ history: storedHistory(steps) })).toEqual(steps)
})

const bodies = query({
  name: 'test.bodies',
  params: { account_id: 'text' },
  returns: { type: 'text', body: 'text' },
  sql: 'select type, body from events where account_id = :account_id order by seq',
})

test.each([
  ['message.delivered', 'outbound'],
  ['message.received', 'inbound'],
  ['message.standby', 'inbound'],
  ['message.echoed', 'outbound'],
] as const)('%s is stored as its values, without the names of its fields', async (type, direction) => {
  const { rt, dispose } = await aRuntime('sqlite')
  const certain = { id: 'out_1', account_id: 'acc_one', number_id: 'pn_1', type: 'text', history: '[]', created_at: 1 }
  const row = newMessage({ ...certain, direction, status: 'sent', content: '{"text":{"body":"Hi"}}', origin: 'phone' })
  const unit = new Unit()
  const step = { status: 'sent', at: rt.clock.now(), inferred: false, sequence: 1 }
  publishMessageEvent(rt, unit, row, { ...step, type, numberPhone: '+15550100001' })
  await rt.store.write(unit)
  expect(await rt.store.read(bodies, { account_id: 'acc_one' })).toEqual([
    { type, body: expect.stringMatching(/^\[\d,(?!.*(direction|status))/) },
  ])
  await dispose()
})
