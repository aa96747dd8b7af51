import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../server/src/accounts/audit.ts'
import { dispatchMessage } from '../server/src/messages/dispatch-message.ts'
import type { Sender } from '../server/src/messages/draft.ts'
import { erasePerson } from '../server/src/messages/erase-person.ts'
import { getMessage } from '../server/src/messages/get-message.ts'
import { publicId } from '../server/src/messages/message-record.ts'
import { pacerOf } from '../server/src/messages/pacer.ts'
import { receiveMessages } from '../server/src/messages/receive-messages.ts'
import { recoverMessages } from '../server/src/messages/recover-messages.ts'
import { retainMessages } from '../server/src/messages/retain-messages.ts'
import { seedCustomer, seededCustomer } from '../server/src/messages/seed-customer.ts'
import { draftText } from '../server/src/messages/send-text.ts'
import { insertMessage, type MessageRow } from '../server/src/store/messages.ts'
import { Unit } from '../server/src/store/unit.ts'
import { aChannelWorld, type ChannelWorld, type Connected } from './support/channel-world.ts'
import { engines } from './support/databases.ts'

const dayMs = 86_400_000

describe.each(engines)('the duties behind a message, on %s', (engine) => {
  let world: ChannelWorld
  let sender: Sender
  let channel: Connected

  beforeEach(async () => {
    world = await aChannelWorld(engine)
    const accountId = await world.newAccount()
    channel = await world.connect(accountId)
    await seedCustomer(world.rt, accountId)
    sender = { accountId, keyId: null, phoneNumberIds: null }
  })
  afterEach(() => world.dispose())

  const send = async (message: string, to = seededCustomer): Promise<MessageRow> => {
    const draft = await draftText(world.rt, sender, { to, message })
    const { row } = await dispatchMessage(world.rt, { sender, draft, repeatable: null, answerOf: () => ({}) })
    return row
  }

  test('46 messages at once to one customer: 45 go, the next is told to wait', async () => {
    const pace = { numberId: channel.numberId, sendsPerSecond: 1_000, customer: '+12025550111' }
    const pacer = pacerOf(world.rt)
    const waits = await Promise.allSettled(Array.from({ length: 46 }, () => pacer.wait(pace, 100)))
    expect(waits.filter(({ status }) => status === 'fulfilled')).toHaveLength(45)
    expect(waits.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'channel_rate_limited', extras: { retryAfterSeconds: 6 } },
    })
    world.clock.advance(6_000)
    await expect(pacer.wait(pace, 100)).resolves.toBeUndefined()
  })

  test('a number at its limit refuses what would wait too long, and no other number waits for it', async () => {
    const pacer = pacerOf(world.rt)
    const at = (numberId: string, customer: number) =>
      pacer.wait({ numberId, sendsPerSecond: 10, customer: `+1202555${customer}` }, 50)
    const busy = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => at('pn_busy', 1000 + index)))
    expect(busy.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(25)
    const other = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => at('pn_other', 1000 + index)))
    expect(other.every(({ status }) => status === 'fulfilled')).toBe(true)
  })

  test('a send that died between its two commits is unknown afterwards, not sent again', async () => {
    const template = await send('first')
    const orphan: MessageRow = {
      ...template,
      id: world.rt.newId('out'),
      status: 'queued',
      channel_message_id: null,
      sent_at: null,
      settle_by: world.clock.now() + 60_000,
      revision: 1,
    }
    const unit = new Unit()
    unit.add(insertMessage, orphan)
    await world.rt.store.write(unit)
    await recoverMessages(world.rt)
    expect((await getMessage(world.rt, sender.accountId, orphan.id)).outcome).toBeNull()
    world.clock.advance(61_000)
    await recoverMessages(world.rt)
    expect(await getMessage(world.rt, sender.accountId, orphan.id)).toMatchObject({
      status: 'queued',
      outcome: 'unknown',
    })
    expect(world.sandbox.control.messages({ direction: 'outbound' }).data).toHaveLength(1)
  })

  test('content goes after 30 days, the record after 400', async () => {
    const id = publicId(await send('private words'))
    world.clock.advance(30 * dayMs + 1)
    await retainMessages(world.rt)
    expect(await getMessage(world.rt, sender.accountId, id)).toMatchObject({
      status: 'sent',
      content: null,
      content_purged_at: expect.any(String),
    })
    world.clock.advance(371 * dayMs)
    await retainMessages(world.rt)
    await expect(getMessage(world.rt, sender.accountId, id)).rejects.toMatchObject({ code: 'message_not_found' })
  })

  test('erasing a person takes words, name and number, and leaves the record', async () => {
    const id = publicId(await send('private words'))
    const context = {
      accountId: sender.accountId,
      channel: { id: channel.channelId, kind: 'sandbox' as const, wabaId: channel.wabaId },
      number: { id: channel.numberId, phoneNumber: '+15550000000', displayName: null },
      receivedAt: world.clock.now(),
    }
    const item = {
      kind: 'message' as const,
      dedupeKey: 'in-1',
      wabaId: channel.wabaId,
      phoneNumberId: channel.phoneNumberId,
      channelMessageId: 'wamid.in-1',
      at: world.clock.now(),
      from: { phone: seededCustomer, userId: null, name: 'Ana', username: null },
      content: { type: 'text' as const, text: 'my secret' },
      replyTo: null,
      forwarded: false,
      groupId: null,
      referral: null,
      opensWindow: true,
    }
    expect(
      await receiveMessages(world.rt, [
        { item, context },
        { item, context },
      ]),
    ).toEqual(['applied', 'applied'])
    const receipt = await erasePerson(world.rt, sender.accountId, seededCustomer, operator)
    expect(receipt).toEqual({ messages: 2, contacts: 1, files: 0 })
    for (const messageId of [id, 'wamid.in-1']) {
      const record = await getMessage(world.rt, sender.accountId, messageId)
      expect(record).toMatchObject({ content: null, user_id: null })
      expect(JSON.stringify(record)).not.toMatch(/Ana|secret|private|12025550100/)
    }
    expect(await erasePerson(world.rt, sender.accountId, seededCustomer, operator)).toEqual({
      messages: 0,
      contacts: 0,
      files: 0,
    })
  })
})
