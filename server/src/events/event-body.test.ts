import { expect, test } from 'vitest'
import { bodyOf, storedBody } from './publish-event.ts'

const columns = {
  id: 'evt_01ka3m7y3t4d0v9v4k6q1t7r2c',
  type: 'message.delivered',
  subject: 'wamid.HBgLMTU1NTAwMDAwMDc=',
  sequence: 2,
  created_at: Date.UTC(2026, 10, 19, 1, 2, 3, 4),
}
const data = {
  message_id: columns.subject,
  direction: 'outbound',
  type: 'text',
  from: '+15550100001',
  to: '+15550000007',
  user_id: null,
  customer_id: 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z',
  status: 'delivered',
  template: null,
  language: null,
  client_reference: 'order "7"',
  reply_to: null,
  group_id: null,
  error: null,
  inferred: false,
  sequence: 2,
  timestamp: '2026-11-19T01:02:02.000Z',
}
const content = { text: { body: 'Grüße', 7: [0, null, '['] } }
const contact = { name: 'Ana' }
const whole = (told: object) =>
  JSON.stringify({
    id: columns.id,
    type: columns.type,
    api_version: 'v1',
    timestamp: '2026-11-19T01:02:03.004Z',
    data: told,
  })

test.each([
  ['a status', data],
  ['a message that came in', { ...data, content, contact }],
  ['a copy', { ...data, content, contact, origin: 'standby' }],
  ['an echo', { ...data, content, origin: 'echo' }],
])('%s is stored as its values, and gives back the same bytes', (_, told) => {
  const body = storedBody(columns, told)
  expect(body).toMatch(/^\[\d,/)
  expect(body).not.toContain(columns.subject)
  expect(bodyOf({ ...columns, body })).toBe(whole(told))
})

test('an event of a message takes less than half of its bytes', () => {
  expect(storedBody(columns, data).length).toBeLessThan(whole(data).length / 2)
})

test.each([
  ['another field', { ...data, erased: true }],
  ['the beginning of a shape', { ...data, content }],
  ['another order', Object.fromEntries(Object.entries(data).reverse())],
  ['a time of another form', { ...data, timestamp: '2026-11-19T01:02:02Z' }],
  ['another message id than its row', { ...data, message_id: 'out_1' }],
  ['another sequence than its row', { ...data, sequence: 3 }],
  ['nothing of a message', { policy: 'day', quota: 1_000 }],
])('an event with %s is stored whole', (_, told) => {
  const body = storedBody(columns, told)
  expect(body).toBe(whole(told))
  expect(bodyOf({ ...columns, body })).toBe(body)
})
