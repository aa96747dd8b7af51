import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { expireOldCallbacks } from '../../server/src/channels/callbacks/retry-items.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { receivePayments } from '../../server/src/messages/receive-payments.ts'
import { parseCallback } from '../../server/src/platform/cloud/callbacks/cloud-callbacks.ts'
import { findToldStates } from '../../server/src/store/channels/told-states.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import {
  type CallbackApplier,
  callbackHandlers,
  startCallbackApplier,
} from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, aText, type ChannelWorld, type Connected, messagesBody } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

const eventsIn = query({
  name: 'test.payment_events',
  params: { account_id: 'text' },
  returns: { body: 'text' },
  sql: "select body from events where account_id = :account_id and type like 'payment.%' order by seq",
})
const toldPayments = query({
  name: 'test.told_payments',
  params: { account_id: 'text' },
  returns: { subject: 'text' },
  sql: "select subject from told_states where account_id = :account_id and topic = 'payment'",
})

const customer = '12025550100'

describe.each(engines)('the payment of an order, on %s', (engine) => {
  let world: ChannelWorld
  let accountId: string
  let channel: Connected
  let applier: CallbackApplier

  beforeAll(async () => {
    world = await aChannelWorld(engine)
    applier = startCallbackApplier(world.rt, callbackHandlers)
  })
  beforeEach(async () => {
    accountId = await world.newAccount()
    channel = await world.connect(accountId)
  })
  afterAll(async () => {
    await applier.drain(5_000)
    await world.dispose()
  })

  const aPayment = (status: string, seconds: number, more: object = {}) => ({
    id: 'wamid.ORDER',
    type: 'payment',
    status,
    timestamp: String(seconds),
    recipient_id: customer,
    payment: {
      reference_id: 'A-1001',
      currency: 'INR',
      amount: { value: 21_000, offset: 100 },
      transaction: { id: 'order_1', type: 'razorpay', status: 'success' },
    },
    ...more,
  })
  const say = async (value: { messages?: object[]; statuses?: object[] }) => {
    expect((await world.post(channel, messagesBody(channel, value))).status).toBe(200)
    await waitFor(async () => {
      const [{ stored, applied } = { stored: 0, applied: -1 }] = await world.rt.store.read(countCallbacks, {})
      return stored === applied
    })
  }
  const told = async () =>
    (await world.rt.store.read(eventsIn, { account_id: accountId })).map(
      ({ body }) => JSON.parse(body).data as Record<string, unknown>,
    )
  const states = async () => (await told()).map(({ reference_id, status }) => `${reference_id} ${status}`)

  test('is told with what it paid, each state once', async () => {
    await say({ messages: [aText('wamid.IN')] })
    await say({ statuses: [aPayment('pending', 1_763_200_000)] })
    await say({ statuses: [aPayment('captured', 1_763_200_060)] })
    // The same fact in other words, as Meta repeats it.
    await say({ statuses: [aPayment('captured', 1_763_200_060, { recipient_type: 'individual' })] })
    const [pending, captured, ...others] = await told()
    expect(others).toEqual([])
    expect(pending).toMatchObject({ status: 'pending' })
    expect(captured).toEqual({
      reference_id: 'A-1001',
      status: 'captured',
      amount: { value: 21_000, offset: 100 },
      currency: 'INR',
      transaction: { id: 'order_1', type: 'razorpay', status: 'success' },
      message_id: null,
      customer_id: expect.stringMatching(/^cus_/),
      customer: `+${customer}`,
      user_id: null,
      phone_number: expect.stringMatching(/^\+/),
      timestamp: '2025-11-15T09:47:40.000Z',
    })
  })

  test('is told in the order of Meta, and another order is another matter', async () => {
    await say({ statuses: [aPayment('captured', 1_763_200_060)] })
    await say({ statuses: [aPayment('pending', 1_763_200_000)] })
    await say({ statuses: [aPayment('pending', 1_763_200_000, { payment: { reference_id: 'A-1002' } })] })
    expect(await states()).toEqual(['A-1001 captured', 'A-1002 pending'])
  })

  test('is told once where a node ends after it told, and where two nodes tell at once', async () => {
    const items = parseCallback(messagesBody(channel, { statuses: [aPayment('captured', 1_763_200_060)] }))
    const batch = items.flatMap((item) => {
      if (item.kind !== 'payment') return []
      const number = { id: channel.numberId, phoneNumber: '+15550100001', displayName: null }
      const place = { id: channel.channelId, kind: 'sandbox' as const, wabaId: channel.wabaId }
      return [{ item, context: { accountId, channel: place, number, receivedAt: world.clock.now() } }]
    })
    expect(batch).toHaveLength(1)
    await Promise.all([receivePayments(world.rt, batch), receivePayments(world.rt, batch)])
    await receivePayments(world.rt, batch)
    expect(await states()).toEqual(['A-1001 captured'])
  })

  test('names nobody once the customer is erased, and is forgotten after its time', async () => {
    await say({ messages: [aText('wamid.IN')] })
    await say({ statuses: [aPayment('captured', 1_763_200_060)] })
    await eraseCustomer(world.rt, accountId, `+${customer}`, { actor: operator })
    expect(JSON.stringify(await told())).not.toContain(customer)
    const [row] = await world.rt.store.read(toldPayments, { account_id: accountId })
    expect(row?.subject).not.toContain('A-1001')
    world.clock.advance(91 * dayMs)
    await expireOldCallbacks(world.rt)
    expect(await world.rt.store.read(findToldStates, { subject: row?.subject ?? '' })).toEqual([])
  })
})
