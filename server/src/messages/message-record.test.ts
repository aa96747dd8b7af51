import { expect, test } from 'vitest'
import { type HistoryEntry, ownStep } from './message-record.ts'

test('a step of our own is stored as every other one', () => {
  const step: HistoryEntry = { status: 'sent', at: 5, recordedAt: 5, source: 'gateway', inferred: false }
  expect(ownStep('sent', 5)).toBe(JSON.stringify(step))
})
