import { expect, test } from 'vitest'
import type { EventType } from '../contract/events.ts'
import { manualClock } from '../lib/clock.ts'
import { Unit } from '../store/engine/unit.ts'
import { addAlert } from './alerts.ts'

/** The sentence that people get, if the event is one to alert of. */
function textOf(type: EventType, data: Record<string, unknown>): string | undefined {
  const unit = new Unit()
  addAlert({ newId: (prefix: string) => `${prefix}_test`, clock: manualClock(0) }, unit, {
    ...{ id: 'evt_test', accountId: 'acc_test', type, data },
  })
  const [job] = unit.calls.flatMap(({ rows }) => rows as readonly unknown[] as { payload: string }[])
  return job && JSON.parse(job.payload).text
}

test.each([
  ['budget.warned', { name: 'Marketing' }, 'Most of the budget Marketing is used.'],
  ['budget.exceeded', { name: 'Marketing' }, 'The budget Marketing is used up.'],
  ['broadcast.paused', { name: 'Sale', reason: 'budget' }, 'The broadcast Sale is paused.'],
  ['broadcast.held', { name: 'Sale', reason: 'quota' }, 'The broadcast Sale is held.'],
  ['broadcast.paused', { name: 'Sale', reason: 'by_person' }, undefined],
  ['template.status_changed', { name: 'sale', status: 'approved' }, undefined],
  ['message.received', {}, undefined],
] as const)('%s with %j alerts of %j', (type, data, text) => {
  expect(textOf(type, data)).toBe(text)
})
