import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallbackContext } from '../../server/src/channels/callbacks/callback-items.ts'
import { applyStatuses } from '../../server/src/messages/apply-statuses.ts'
import { historyOf } from '../../server/src/messages/message-record.ts'
import { seedCustomer, seededCustomer } from '../../server/src/messages/sandbox-phone.ts'
import { dispatchMessage } from '../../server/src/messages/send/dispatch-message.ts'
import { draftText } from '../../server/src/messages/send/send-request.ts'
import type { StatusItem } from '../../server/src/platform/callback-item.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { findEventsOf } from '../../server/src/store/messages/erasure.ts'
import { findMessagesById, insertMessage, type MessageRow } from '../../server/src/store/messages/messages.ts'
import { aChannelWorld, type ChannelWorld, type Connected } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

const pricedSteps = query({
  name: 'test.priced_steps',
  params: { account_id: 'text' },
  returns: { pricing: 'text' },
  sql: 'select pricing from analytics_steps where account_id = :account_id and pricing is not null',
})

type Tenant = { accountId: string; channel: Connected }

describe.each(engines)('a status that Meta reports, on %s,', (engine) => {
  let world: ChannelWorld
  let own: Tenant

  beforeAll(async () => {
    world = await aChannelWorld(engine)
  })
  beforeEach(async () => {
    own = await aTenant()
  })
  afterAll(() => world.dispose())

  async function aTenant(): Promise<Tenant> {
    const accountId = await world.newAccount()
    const channel = await world.connect(accountId)
    await seedCustomer(world.rt, accountId)
    return { accountId, channel }
  }

  async function send({ accountId }: Tenant): Promise<MessageRow> {
    const sender = { accountId, keyId: null, phoneNumberIds: null }
    const draft = await draftText(world.rt, sender, { to: seededCustomer, message: 'Hello' })
    return (await dispatchMessage(world.rt, { sender, draft, idempotencyKey: null, answerOf: () => ({}) })).row
  }

  const contextOf = ({ accountId, channel }: Tenant): CallbackContext => ({
    accountId,
    channel: { id: channel.channelId, kind: 'sandbox', wabaId: channel.wabaId },
    number: { id: channel.numberId, phoneNumber: '+15550000000', displayName: null },
    receivedAt: world.clock.now(),
  })

  const aReport = ({ channel }: Tenant, id: string, status: StatusItem['status'], over: Partial<StatusItem> = {}) => ({
    kind: 'status' as const,
    dedupeKey: `${id} ${status}`,
    wabaId: channel.wabaId,
    phoneNumberId: channel.phoneNumberId,
    channelMessageId: id,
    status,
    platformStatus: status,
    at: null,
    recipient: { phone: seededCustomer, userId: null },
    correlation: null,
    failures: [],
    pricing: null,
    ...over,
  })

  const report = (tenant: Tenant, item: StatusItem, rt = world.rt) =>
    applyStatuses(rt, [{ item, context: contextOf(tenant) }])

  const stored = async (id: string) => {
    const [row] = await world.rt.store.read(findMessagesById, { ids: [id] })
    if (!row) throw new Error('The message is not stored.')
    return row
  }

  test('names a message of its own account: with the id of another one it matches nothing and changes nothing', async () => {
    const other = await aTenant()
    // As a send whose answer is still on its way: only the id we gave along names it.
    const waiting = { ...(await send(other)), id: world.rt.newId('out'), status: 'queued', channel_message_id: null }
    const unit = new Unit()
    unit.add(insertMessage, { ...waiting, customer_address: null, sent_at: null, revision: 1 })
    await world.rt.store.write(unit)
    const before = await stored(waiting.id)
    for (const status of ['failed', 'delivered'] as const) {
      const forged = aReport(own, 'wamid.forged', status, { correlation: waiting.id })
      expect(await report(own, forged)).toEqual(['unmatched'])
    }
    expect(await stored(waiting.id)).toEqual(before)
    const genuine = aReport(other, 'wamid.genuine', 'delivered', { correlation: waiting.id })
    expect(await report(other, genuine)).toEqual(['applied'])
  })

  test('is charged once, although the price is told with the delivery and with the reading', async () => {
    const row = await send(own)
    const pricing = { billable: true, category: 'utility', type: 'regular', model: 'PMP' } as StatusItem['pricing']
    for (const status of ['delivered', 'read'] as const) {
      await report(own, aReport(own, row.channel_message_id ?? '', status, { pricing }))
    }
    expect(await world.rt.store.read(pricedSteps, { account_id: own.accountId })).toHaveLength(1)
  })

  test('is applied on top of one that another node wrote meanwhile: neither is lost, each has its event once', async () => {
    const row = await send(own)
    const id = row.channel_message_id ?? ''
    let overtaken = false
    const write: Store['write'] = async (unit) => {
      if (!overtaken) {
        overtaken = true
        await report(own, aReport(own, id, 'delivered'))
      }
      return world.rt.store.write(unit)
    }
    const slower = { ...world.rt, store: { ...world.rt.store, write } }
    expect(await report(own, aReport(own, id, 'read'), slower)).toEqual(['applied'])
    const after = await stored(row.id)
    expect(after.status).toBe('read')
    const told = historyOf(after).filter(({ source, inferred }) => source === 'channel' && !inferred)
    expect(told.map(({ status }) => status)).toEqual(['delivered', 'read'])
    const events = await world.rt.store.read(findEventsOf, { account_id: own.accountId, subjects: [id] })
    expect(events.map(({ type }) => type).sort()).toEqual(['message.delivered', 'message.read', 'message.sent'])
  })
})
