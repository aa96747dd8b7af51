import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StatusItem, StatusRecord } from './status-machine.ts'
import { applyStatus } from './status-machine.ts'

const queued: StatusRecord = {
  status: 'queued',
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  history: [{ status: 'queued', at: 1_000, source: 'gateway', inferred: false }],
}
const sent: StatusRecord = {
  ...queued,
  status: 'sent',
  sentAt: 1_500,
  history: [...queued.history, { status: 'sent', at: 1_500, source: 'gateway', inferred: false }],
}
const refused: StatusRecord = { ...queued, status: 'failed', failedAt: 1_500 }

function play(start: StatusRecord, items: readonly StatusItem[]) {
  let record = start
  const events: string[] = []
  for (const item of items) {
    const change = applyStatus(record, item)
    record = change.next
    events.push(...change.events)
  }
  return { record, events, outcome: outcomeOf(record) }
}
const outcomeOf = ({ history: _, ...rest }: StatusRecord) => rest
const added = (start: StatusRecord, item: StatusItem) =>
  applyStatus(start, item).history.map((entry) => `${entry.status}@${entry.at}${entry.inferred ? ' inferred' : ''}`)

describe('a status report', () => {
  test('moves a message forward, with one event for each step', () => {
    const { events, outcome } = play(sent, [
      { status: 'sent', at: 2_000 },
      { status: 'delivered', at: 3_000 },
      { status: 'read', at: 4_000 },
    ])
    expect(events).toEqual(['message.delivered', 'message.read'])
    expect(outcome).toEqual({ status: 'read', sentAt: 1_500, deliveredAt: 3_000, readAt: 4_000, failedAt: null })
  })

  test('about a queued message first proves that it was sent', () => {
    const change = applyStatus(queued, { status: 'delivered', at: 3_000 })
    expect(change.events).toEqual(['message.sent', 'message.delivered'])
    expect(added(queued, { status: 'delivered', at: 3_000 })).toEqual(['sent@3000 inferred', 'delivered@3000'])
    expect(outcomeOf(change.next)).toMatchObject({ status: 'delivered', sentAt: 3_000, deliveredAt: 3_000 })
  })

  test('of a failure about a queued message emits sent, then failed', () => {
    expect(play(queued, [{ status: 'failed', at: 3_000 }]).events).toEqual(['message.sent', 'message.failed'])
  })

  test('of sent is an event only where the message was still queued', () => {
    expect(play(queued, [{ status: 'sent', at: 2_000 }]).events).toEqual(['message.sent'])
    const repeat = applyStatus(sent, { status: 'sent', at: 2_000 })
    expect(repeat).toMatchObject({ events: [], changed: false })
    expect(repeat.history).toEqual([{ status: 'sent', at: 2_000, source: 'channel', inferred: false }])
  })

  test('of reading without delivery infers the delivery and emits both in order', () => {
    const item = { status: 'read', at: 4_000 }
    expect(applyStatus(sent, item).events).toEqual(['message.delivered', 'message.read'])
    expect(added(sent, item)).toEqual(['delivered@4000 inferred', 'read@4000'])
  })

  test('that comes late is history, and corrects an inferred time without a second event', () => {
    const { record, events } = play(sent, [
      { status: 'read', at: 4_000 },
      { status: 'delivered', at: 3_000 },
    ])
    expect(events).toEqual(['message.delivered', 'message.read'])
    expect(record).toMatchObject({ status: 'read', deliveredAt: 3_000, readAt: 4_000 })
    expect(record.history.at(-1)).toEqual({ status: 'delivered', at: 3_000, source: 'channel', inferred: false })
  })

  test('of the second in which it was inferred is a report all the same, once', () => {
    const { record, events } = play(sent, [
      { status: 'read', at: 3_000 },
      { status: 'delivered', at: 3_000 },
      { status: 'delivered', at: 3_000 },
    ])
    expect(events).toEqual(['message.delivered', 'message.read'])
    const inferred = record.history.filter(({ status }) => status === 'delivered').map((entry) => entry.inferred)
    expect(inferred).toEqual([true, false])
  })

  test('told twice changes nothing the second time', () => {
    const once = applyStatus(sent, { status: 'delivered', at: 3_000 }).next
    expect(applyStatus(once, { status: 'delivered', at: 3_000 })).toEqual({
      at: 3_000,
      next: once,
      history: [],
      events: [],
      changed: false,
    })
  })

  test('of failure is final for a later sent', () => {
    const { outcome, events } = play(sent, [
      { status: 'failed', at: 3_000 },
      { status: 'sent', at: 2_000 },
    ])
    expect(outcome).toMatchObject({ status: 'failed', failedAt: 3_000 })
    expect(events).toEqual(['message.failed'])
  })

  test('of failure is overruled by a delivery, and both stay in the history', () => {
    const { record, events } = play(sent, [
      { status: 'failed', at: 3_000 },
      { status: 'delivered', at: 4_000 },
    ])
    expect(record).toMatchObject({ status: 'delivered', failedAt: null, deliveredAt: 4_000 })
    expect(events).toEqual(['message.failed', 'message.delivered'])
    expect(record.history.slice(-2).map((entry) => entry.status)).toEqual(['failed', 'delivered'])
  })

  test.each(['delivered', 'read'])('of failure after %s is history only', (status) => {
    const before = applyStatus(sent, { status, at: 3_000 }).next
    const change = applyStatus(before, { status: 'failed', at: 4_000 })
    expect(change).toMatchObject({ events: [], changed: false })
    expect(change.history).toHaveLength(1)
  })

  test('of a played voice note counts as read and is kept under its own name', () => {
    const { record, events } = play(sent, [{ status: 'played', at: 4_000 }])
    expect(record).toMatchObject({ status: 'read', readAt: 4_000 })
    expect(events).toEqual(['message.delivered', 'message.read'])
    expect(record.history.map((entry) => entry.status)).toContain('played')
  })

  test('that nobody knows is history only, yet proves that a queued message was sent', () => {
    expect(applyStatus(sent, { status: 'deleted', at: 4_000 })).toMatchObject({ events: [], changed: false })
    expect(play(queued, [{ status: 'deleted', at: 4_000 }]).events).toEqual(['message.sent'])
    expect(play(sent, [{ status: 'constructor', at: 4_000 }]).outcome).toEqual(outcomeOf(sent))
  })

  test('of a delivery keeps its time, though we had noted a failure of our own after it', () => {
    const failure = { status: 'failed', at: 5_000, source: 'gateway', inferred: false } as const
    const lost = { ...refused, failedAt: 5_000, history: [...queued.history, failure] }
    expect(play(lost, [{ status: 'delivered', at: 3_000 }]).outcome).toEqual({
      status: 'delivered',
      sentAt: 3_000,
      deliveredAt: 3_000,
      readAt: null,
      failedAt: null,
    })
  })

  test('about a refused send changes nothing unless it is a delivery', () => {
    expect(play(refused, [{ status: 'failed', at: 4_000 }])).toMatchObject({ events: [], outcome: { sentAt: null } })
    expect(play(refused, [{ status: 'sent', at: 4_000 }])).toMatchObject({ events: [], outcome: { status: 'failed' } })
    expect(play(refused, [{ status: 'delivered', at: 4_000 }])).toMatchObject({
      events: ['message.sent', 'message.delivered'],
      outcome: { status: 'delivered', sentAt: 4_000, failedAt: null },
    })
  })
})

describe('reports in any order, repeated and with gaps', () => {
  const anyStatus = fc.constantFrom('sent', 'delivered', 'read', 'played', 'failed', 'deleted')
  const anyItem = fc.record({
    status: anyStatus,
    at: fc.integer({ min: 1_000, max: 1_006 }),
  })
  const anyItems = fc.array(anyItem, { minLength: 1, maxLength: 7 })
  const anyStart = fc.constantFrom(queued, sent)
  const shuffled = anyItems.chain((items) =>
    fc.tuple(
      fc.constant(items),
      fc.shuffledSubarray([...items, ...items], { minLength: items.length * 2, maxLength: items.length * 2 }),
    ),
  )

  test('end in the same status with the same times', () => {
    fc.assert(
      fc.property(anyStart, shuffled, (start, [items, again]) => {
        expect(play(start, again).outcome).toEqual(play(start, items).outcome)
      }),
      { numRuns: 3_000 },
    )
  })

  test('emit each event once at most, sent before all others and delivered before read', () => {
    fc.assert(
      fc.property(anyStart, anyItems, (start, items) => {
        const { events } = play(start, items)
        expect(new Set(events).size).toBe(events.length)
        expect(events.indexOf('message.sent')).toBe(start === queued ? 0 : -1)
        const read = events.indexOf('message.read')
        if (read >= 0) expect(events.slice(0, read)).toContain('message.delivered')
      }),
    )
  })

  test('never tell a step as earlier than the one before it, and keep the reported time in the history', () => {
    const anyTime = fc.array(fc.record({ status: anyStatus, at: fc.integer({ min: 500, max: 2_500 }) }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(anyStart, anyTime, (start, items) => {
        const told: number[] = []
        let record = start
        for (const item of items) {
          const { next, events, at, history } = applyStatus(record, item)
          record = next
          for (const _ of events) told.push(at)
          for (const entry of history) expect(entry.at).toBe(item.at)
        }
        expect(told).toEqual([...told].sort((a, b) => a - b))
        const { sentAt, deliveredAt, readAt, failedAt } = record
        const steps = [1_000, sentAt, deliveredAt, readAt].filter((at) => at !== null)
        expect(steps).toEqual([...steps].sort((a, b) => a - b))
        if (failedAt !== null && sentAt !== null) expect(failedAt).toBeGreaterThanOrEqual(sentAt)
      }),
      { numRuns: 3_000 },
    )
  })

  test('never move a message down', () => {
    const height = { waiting: 0, queued: 0, canceled: 0, sent: 1, failed: 1, delivered: 2, read: 3 }
    fc.assert(
      fc.property(anyStart, anyItems, (start, items) => {
        let record = start
        for (const item of items) {
          const { next } = applyStatus(record, item)
          expect(height[next.status]).toBeGreaterThanOrEqual(height[record.status])
          record = next
        }
      }),
    )
  })

  test('keep every distinct report in the history', () => {
    fc.assert(
      fc.property(anyStart, anyItems, (start, items) => {
        const kept = new Set(play(start, items).record.history.map((entry) => `${entry.status} ${entry.at}`))
        for (const item of items) expect(kept).toContain(`${item.status} ${item.at}`)
      }),
    )
  })
})
