import { describe, expect, test } from 'vitest'
import { body, messages, only } from '../../../../../test/platform/callback-bodies.ts'
import { parseCallback } from './cloud-callbacks.ts'

describe('A call', () => {
  const call = {
    id: 'wacid.1',
    from: '15550001111',
    to: '15550783881',
    event: 'connect',
    timestamp: '1750030073',
    direction: 'USER_INITIATED',
  }
  const calls = (value: object) => only(body({ ...messages(value), field: 'calls' }))

  test('of a customer opens the window from its start', () => {
    expect(calls({ calls: [call] })).toEqual({
      kind: 'call',
      dedupeKey: 'call:wacid.1:connect',
      wabaId: '9001',
      phoneNumberId: '1065',
      customer: { phone: '+15550001111', userId: 'US.1349', name: 'Ann' },
      event: 'connect',
      at: 1750030073000,
      opensWindow: true,
    })
    const ended = { ...call, event: 'terminate', timestamp: '1750040000' }
    expect(calls({ calls: [ended] })).toMatchObject({ event: 'terminate', opensWindow: false })
    expect(calls({ calls: [{ ...ended, start_time: '1750030073' }] })).toMatchObject({
      at: 1750030073000,
      opensWindow: true,
    })
  })

  test('of the business opens it only when the customer takes it', () => {
    const ours = { ...call, from: '15550783881', to: '15550001111', direction: 'BUSINESS_INITIATED' }
    expect(calls({ calls: [ours] })).toMatchObject({ customer: { phone: '+15550001111' }, opensWindow: false })
    const status = { id: 'wacid.1', type: 'call', timestamp: '1750030073', recipient_id: '15550001111' }
    expect(calls({ statuses: [{ ...status, status: 'RINGING' }] })).toMatchObject({ opensWindow: false })
    expect(calls({ statuses: [{ ...status, status: 'ACCEPTED' }] })).toMatchObject({
      event: 'accepted',
      customer: { phone: '+15550001111' },
      opensWindow: true,
    })
  })

  test('without a direction is the call of the customer unless our own number made it', () => {
    const { direction, ...bare } = call
    const customer = { phone: '+15550001111' }
    const swapped = { ...bare, from: call.to, to: call.from }
    const offer = { session: { sdp_type: 'offer', sdp: 'v=0' } }
    const answer = { session: { sdp_type: 'answer', sdp: 'v=0' } }
    expect(calls({ calls: [bare] })).toMatchObject({ customer, opensWindow: true })
    expect(calls({ calls: [swapped] })).toMatchObject({ customer, opensWindow: false })
    expect(calls({ calls: [{ ...bare, ...offer }] })).toMatchObject({ customer, opensWindow: true })
    // As Meta's page on calls of users shows it.
    expect(calls({ calls: [{ ...swapped, ...offer }] })).toMatchObject({ customer, opensWindow: true })
    expect(calls({ calls: [{ ...swapped, ...answer }] })).toMatchObject({ customer, opensWindow: false })
  })

  test('that failed says nothing about the account', () => {
    const errors = [{ code: 138000, title: 'Calling is not enabled' }]
    const items = parseCallback(body({ field: 'calls', value: { calls: [call], errors } }))
    expect(items.map(({ kind }) => kind)).toEqual(['call', 'unhandled'])
    expect(calls({ errors })).toMatchObject({ kind: 'unhandled', reason: 'not_used' })
  })

  test.each([
    [{ calls: [{ ...call, id: undefined }] }, 'no_message_id'],
    [{ calls: [{ ...call, from: undefined }] }, 'no_sender'],
    [{ calls: [{ ...call, event: undefined }] }, 'unreadable_item'],
    [{ calls: 5 }, 'unreadable_item'],
    [{ contacts: undefined }, 'unknown_field'],
  ])('that cannot be read is kept: %j', (value, reason) => {
    expect(calls(value)).toMatchObject({ kind: 'unhandled', reason, field: 'calls' })
  })
})
