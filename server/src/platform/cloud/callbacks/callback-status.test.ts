import { describe, expect, test } from 'vitest'
import { body, messages, only } from '../../../../../test/platform/callback-bodies.ts'

describe('A status', () => {
  const status = {
    id: 'wamid.OUT',
    status: 'delivered',
    timestamp: '1750030073',
    recipient_id: '15550001111',
    recipient_user_id: 'US.1349',
    biz_opaque_callback_data: 'our-id-1',
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
  }

  test('tells what happened to which message of ours', () => {
    expect(only(body(messages({ statuses: [status] })))).toEqual({
      kind: 'status',
      dedupeKey: 'status:wamid.OUT:delivered::1750030073000',
      wabaId: '9001',
      phoneNumberId: '1065',
      channelMessageId: 'wamid.OUT',
      status: 'delivered',
      platformStatus: 'delivered',
      at: 1750030073000,
      recipient: { phone: '+15550001111', userId: 'US.1349' },
      correlation: 'our-id-1',
      failures: [],
      pricing: { type: 'regular', category: 'utility' },
    })
  })

  test('carries our code for its failure', () => {
    const errors = [{ code: 131047, title: 'Re-engagement message', error_data: { details: 'More than 24 hours' } }]
    expect(only(body(messages({ statuses: [{ ...status, status: 'failed', errors }] })))).toMatchObject({
      status: 'failed',
      failures: [
        {
          code: 'customer_window_closed',
          retryable: false,
          upstream: { code: 131047, title: 'Re-engagement message', detail: 'More than 24 hours', trace_id: null },
        },
      ],
    })
  })

  test('of a failure names no user id when the message went to a phone, and is read all the same', () => {
    const { recipient_user_id: _, ...failed } = { ...status, status: 'failed', errors: [{ code: 131026 }] }
    expect(only(body(messages({ statuses: [failed] })))).toMatchObject({
      status: 'failed',
      recipient: { phone: '+15550001111', userId: null },
      correlation: 'our-id-1',
    })
  })

  test.each([
    ['1750030073', 1750030073000],
    [1750030073, 1750030073000],
    ['1750030073123', 1750030073123],
    [1750030073123, 1750030073123],
    ['soon', null],
    ['-5', null],
    [9e18, null],
    [undefined, null],
  ])('reads the time %j as %j', (timestamp, at) => {
    expect(only(body(messages({ statuses: [{ ...status, timestamp }] })))).toMatchObject({ at })
  })

  test.each(['sent', 'delivered', 'read', 'failed', 'played'])('knows %s', (word) => {
    expect(only(body(messages({ statuses: [{ ...status, status: word }] })))).toMatchObject({ status: word })
  })

  test('keeps a word it does not know', () => {
    const item = only(body(messages({ statuses: [{ ...status, status: 'deleted' }] })))
    expect(item).toMatchObject({ kind: 'status', status: 'other', platformStatus: 'deleted' })
  })

  test('needs no contacts, no metadata and no phone number', () => {
    const bare = { field: 'messages', value: { statuses: [{ id: 'wamid.OUT', status: 'read' }] } }
    const expected = { kind: 'status', recipient: { phone: null, userId: null }, phoneNumberId: null, pricing: null }
    expect(only(body(bare))).toMatchObject(expected)
  })

  test('of a group differs by participant', () => {
    const group = { ...status, recipient_type: 'group', recipient_id: 'G1' }
    const keys = ['15550001111', '15550002222'].map((recipient_participant_id) => {
      const item = only(body(messages({ statuses: [{ ...group, recipient_participant_id }] })))
      expect(item).toMatchObject({ recipient: { phone: `+${recipient_participant_id}` } })
      return item.dedupeKey
    })
    expect(new Set(keys).size).toBe(2)
  })

  test.each([
    [{ status: 'sent' }, 'no_message_id'],
    [{ id: 'wamid.OUT' }, 'unreadable_item'],
    [null, 'unreadable_item'],
  ])('%j is kept as unhandled', (odd, reason) => {
    expect(only(body(messages({ statuses: [odd] })))).toMatchObject({ kind: 'unhandled', reason })
  })
})

describe('The status of a payment', () => {
  const status = {
    id: 'wamid.ORDER',
    type: 'payment',
    status: 'captured',
    timestamp: '1750030073',
    recipient_id: '15550001111',
    payment: {
      reference_id: 'A-1001',
      currency: 'INR',
      amount: { value: 21_000, offset: 100 },
      transaction: { id: 'order_1', type: 'razorpay', status: 'success' },
    },
  }

  test('is about an order, and no status of the message', () => {
    expect(only(body(messages({ statuses: [status] })))).toEqual({
      kind: 'payment',
      dedupeKey: 'payment:1065:A-1001:captured:order_1:1750030073000',
      wabaId: '9001',
      phoneNumberId: '1065',
      channelMessageId: 'wamid.ORDER',
      referenceId: 'A-1001',
      status: 'captured',
      at: 1750030073000,
      customer: { phone: '+15550001111', userId: null },
      currency: 'INR',
      amount: { value: 21_000, offset: 100 },
      transaction: { id: 'order_1', type: 'razorpay', status: 'success' },
    })
  })

  test('needs a reference and a word, and nothing else', () => {
    const { id: _, timestamp: __, recipient_id: ___, ...rest } = { ...status, payment: { reference_id: 'A-1' } }
    expect(only(body(messages({ statuses: [rest] })))).toMatchObject({
      kind: 'payment',
      channelMessageId: null,
      at: null,
      customer: { phone: null, userId: null },
      currency: null,
      amount: null,
      transaction: null,
    })
    expect(only(body(messages({ statuses: [{ ...status, payment: {} }] })))).toMatchObject({
      kind: 'unhandled',
      reason: 'unreadable_item',
    })
  })
})
