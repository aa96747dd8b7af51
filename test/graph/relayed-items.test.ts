import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { setCallback } from '../../server/src/connections/callback-address.ts'
import { addConnection, changeOptions, requireConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import type { ConnectionOptions } from '../../server/src/contract/connections.ts'
import type { Scope } from '../../server/src/contract/scopes.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { insertMessage, type MessageRow, newMessage } from '../../server/src/store/messages/messages.ts'
import { findWebhook } from '../../server/src/store/webhooks/webhooks.ts'
import { replayDeliveries } from '../../server/src/webhooks/replay/replay-deliveries.ts'
import { callbackHandlers, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { type DeliveryEngine, startDeliveryEngine } from '../../server/src/workers/delivery-engine.ts'
import {
  aChannelWorld,
  aStatus,
  aText,
  type ChannelWorld,
  type Connected,
  eventBody,
  messagesBody,
} from '../support/channel-world.ts'
import { countPauses } from '../support/count-pauses.ts'
import { engines } from '../support/postgres/databases.ts'
import { type GraphTool, startGraphTool } from '../support/receiver/graph-tool.ts'
import { waitFor } from '../support/wait-for.ts'
import { allDeliveries, attemptsReach, expectEndedAt } from '../support/webhook-world.ts'

type Relayed = { tool: GraphTool; connectionId: string; webhookId: string }
type Wanted = { options?: Partial<ConnectionOptions>; scopes?: Scope[]; numbers?: string[] | null }

const hourMs = 3_600_000

const countItems = query({
  name: 'test.count_relay_items',
  params: { account_id: 'text' },
  returns: { messages: 'int', items: 'int' },
  lane: 'list',
  sql: `select (select count(*) from messages where account_id = :account_id) as messages,
          (select count(*) from relay_items where account_id = :account_id) as items`,
})

describe.each(engines)('callbacks that go on to tools, on %s', { timeout: 60_000 }, (engine) => {
  let world: ChannelWorld
  let account: string
  let channel: Connected
  let applier: ReturnType<typeof startCallbackApplier>
  let deliveries: DeliveryEngine
  let tools: GraphTool[] = []
  let serial = 0
  const newId = () => `wamid.${++serial}`
  const soon = (predicate: () => boolean | Promise<boolean>) => waitFor(predicate, 20_000)

  const relay = async (
    { options = {}, scopes, numbers = null }: Wanted = {},
    accountId = account,
  ): Promise<Relayed> => {
    const wanted = {
      actor: operator,
      accountId,
      name: 'Bot',
      tool: 'generic' as const,
      options,
      numbers,
      createdBy: '',
    }
    const made = await addConnection(world.rt, { ...wanted, ...(scopes && { scopes }) })
    const { appSecret } = openConnection(world.rt, made.row)
    const tool = await startGraphTool({ verifyToken: 'token', appSecret: () => appSecret })
    tools.push(tool)
    const stored = await requireConnection(world.rt, accountId, made.row.id)
    const set = await setCallback(world.rt, stored, { url: tool.url, verifyToken: 'token' }, { actor: operator })
    expect(set).toMatchObject({ verified: true })
    const { row } = await requireConnection(world.rt, accountId, made.row.id)
    return { tool, connectionId: row.id, webhookId: row.relay_id ?? '' }
  }
  const sentBy = async ({ connectionId }: Pick<Relayed, 'connectionId'>, over: Partial<MessageRow>) => {
    const { row } = await requireConnection(world.rt, account, connectionId)
    const message = newMessage({
      id: world.rt.newId('out'),
      account_id: account,
      number_id: channel.numberId,
      direction: 'outbound',
      type: 'text',
      status: 'sent',
      phone: '+12025550100',
      api_key_id: row.key_id,
      history: '[]',
      event_sequence: 1,
      created_at: world.clock.now() - 60_000,
      ...over,
    })
    await world.rt.store.write(unitOf(insertMessage, { ...message, customer_address: null }))
    return message.id
  }
  const receive = async (body: string, from = channel) => expect((await world.post(from, body)).status).toBe(200)
  const rowsOf = (webhook_id: string) => world.rt.store.read(allDeliveries, { webhook_id })

  beforeAll(async () => {
    world = await aChannelWorld(engine, { POSTERN_RELAY_ALLOW: 'localhost' })
    world.clock.set(Date.now())
    applier = startCallbackApplier(world.rt, callbackHandlers)
    deliveries = startDeliveryEngine(world.rt)
  })
  beforeEach(async () => {
    account = await world.newAccount()
    channel = await world.connect(account)
  })
  afterEach(async () => {
    for (const tool of tools) {
      expect(tool.requests.filter(({ isSigned }) => !isSigned)).toEqual([])
      await tool.close()
    }
    tools = []
  })
  afterAll(async () => {
    await applier.drain(2_000)
    await deliveries.drain(2_000)
    await world.dispose()
  })

  test('arrive one by one, with the people of each and with every digit and character as it was', async () => {
    const { tool } = await relay({ options: { statuses: 'all' } })
    const [first, second, status] = [newId(), newId(), newId()]
    const contact = (wa_id: string, name: string) => ({ wa_id, profile: { name } })
    const body = messagesBody(channel, {
      messages: [
        { ...aText(first), text: { body: 'Grüße 😀' }, order_number: 'BIG' },
        { ...aText(second), from: '12025550101' },
      ],
      statuses: [{ ...aStatus(status), biz_opaque_callback_data: 'out_ours' }],
    })
      .replace('"BIG"', '12345678901234567890')
      .replace(
        '"messaging_product"',
        `"contacts":${JSON.stringify([contact('12025550100', 'Ann'), contact('12025550101', 'Bo')])},"messaging_product"`,
      )
    await receive(body)
    await soon(() => tool.requests.length === 2)
    // A status of a message that nobody knows waits ten minutes for it.
    await soon(() => {
      world.clock.advance(60_000)
      return tool.requests.length === 3
    })
    expect(tool.items().map(({ field, item }) => [field, item.id])).toEqual(
      expect.arrayContaining([first, second, status].map((id) => ['messages', id])),
    )
    const message = tool.requests.find(({ text }) => text.includes(`"${first}"`))
    expect(message?.text).toContain('12345678901234567890')
    expect(message?.text).toContain('Gr\\u00fc\\u00dfe \\ud83d\\ude00')
    const { value } = message?.body.entry[0].changes[0] ?? {}
    expect(value.contacts).toEqual([contact('12025550100', 'Ann')])
    expect(value.metadata.phone_number_id).toBe(channel.phoneNumberId)
    expect(message?.body.entry[0].id).toBe(channel.wabaId)
    expect(tool.requests.some(({ text }) => text.includes('out_ours'))).toBe(false)
  })

  test('of 3 MB, as large as Meta sends them, arrive whole', async () => {
    const { tool } = await relay()
    const referral = { headline: 'é'.repeat(1_450_000) }
    const body = messagesBody(channel, { messages: [{ ...aText(newId()), referral }] })
    expect(Buffer.byteLength(body)).toBeGreaterThan(2_900_000)
    await receive(body)
    await soon(() => tool.requests.length > 0)
    expect(tool.requests.every(({ isSigned }) => isSigned)).toBe(true)
    expect(tool.items()[0]?.item).toMatchObject({ referral })
  })

  test('are sent once however often Meta repeats them, and with equal bytes however often they are tried', async () => {
    const { tool, webhookId } = await relay()
    tool.next(500, 503)
    const id = newId()
    await receive(messagesBody(channel, { messages: [aText(id)] }))
    await soon(() => tool.requests.length === 1)
    await receive(messagesBody(channel, { messages: [aText(id), aText(newId())] }))
    for (const count of [3, 4]) {
      await soon(
        async () =>
          (await rowsOf(webhookId)).some(({ status }) => status === 'pending') || tool.requests.length >= count,
      )
      world.clock.advance(hourMs)
      deliveries.wake()
      await soon(() => tool.requests.length >= count)
    }
    await soon(async () => (await rowsOf(webhookId)).filter(({ status }) => status === 'delivered').length >= 2)
    const [one, again] = tool.requests.filter(({ text }) => text.includes(`"${id}"`))
    const repeats = tool.requests.filter(({ text }) => text === one?.text)
    expect(again?.text).toBe(one?.text)
    expect(new Set(repeats.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(repeats.map(({ headers }) => headers['x-postern-attempt'])).toEqual(
      repeats.map((_, index) => String(index + 1)),
    )
    expect(await rowsOf(webhookId)).toHaveLength(2)
  })

  test('reach a tool only with its fields, its numbers and its account', async () => {
    const stranger = await world.newAccount()
    await world.connect(stranger)
    const other = await relay({ options: { fields: ['*'], statuses: 'all' } }, stranger)
    const all = await relay({ options: { fields: ['*'] } })
    const usual = await relay()
    const second = await relay({ options: { fields: ['*'] }, numbers: [] })
    await receive(eventBody(channel, 'account_alerts', { alert_type: 'OBA', entity_id: 1 }))
    await receive(eventBody(channel, 'a_field_of_tomorrow', { news: 'none' }))
    await receive(messagesBody(channel, { messages: [aText(newId())] }))
    await soon(() => all.tool.requests.length === 3 && usual.tool.requests.length === 1)
    expect(all.tool.items().map(({ field }) => field)).toEqual(
      expect.arrayContaining(['account_alerts', 'a_field_of_tomorrow', 'messages']),
    )
    expect([other.tool.requests, second.tool.requests]).toEqual([[], []])
    expect([await rowsOf(other.webhookId), await rowsOf(second.webhookId)]).toEqual([[], []])
  })

  test('a tool that may not read messages hears of no customer', async () => {
    const { tool } = await relay({ options: { fields: ['*'], statuses: 'all' }, scopes: ['messages:send'] })
    const seeing = await relay({ options: { fields: ['*'], statuses: 'all' } })
    await receive(messagesBody(channel, { messages: [aText(newId())] }))
    await receive(eventBody(channel, 'message_template_status_update', { event: 'APPROVED', message_template_id: 5 }))
    await receive(eventBody(channel, 'a_field_of_tomorrow', { from: '12025550100' }))
    await soon(() => seeing.tool.requests.length >= 3 && tool.requests.length >= 1)
    expect(tool.items().map(({ field }) => field)).toEqual(['message_template_status_update'])
  })

  test('keep their grouping for a tool that wants it, where all of it is its own', async () => {
    const grouped = await relay({ options: { grouping: 'as_received' } })
    const single = await relay()
    const ids = [newId(), newId(), newId()]
    await receive(messagesBody(channel, { messages: ids.map(aText) }))
    await soon(() => grouped.tool.requests.length === 1 && single.tool.requests.length === 3)
    expect(grouped.tool.items().map(({ item }) => item.id)).toEqual(ids)
    expect(grouped.tool.requests[0]?.body.entry).toHaveLength(1)
    expect(grouped.tool.requests[0]?.body.entry[0].changes).toHaveLength(1)
  })

  test('about a message are whole for its sender alone: its id, its data, and no customer for who sees none', async () => {
    const [own, every] = [await relay(), await relay({ options: { statuses: 'all' } })]
    const blind = await relay({ options: { statuses: 'all' }, scopes: ['messages:send'] })
    const [known, unknown, unseen] = [newId(), newId(), newId()]
    await sentBy(own, { channel_message_id: known, opaque: 'ticket 7' })
    const ownId = await sentBy(own, { channel_message_id: unknown, alias: 1 })
    await sentBy(blind, { channel_message_id: unseen })
    const alias = world.rt.platform.dialect.aliasOf(ownId)
    const failed = { code: 131_026, title: 'Undeliverable', error_data: { details: 'No 12025550100' } }
    const people = [{ wa_id: '12025550100', profile: { name: 'Ann' } }]
    const body = messagesBody(channel, {
      messages: [
        { ...aText(newId()), context: { id: unknown } },
        { ...aText(newId()), type: 'reaction', reaction: { message_id: unknown, emoji: '👍' } },
      ],
      statuses: [aStatus(known), aStatus(unknown), { ...aStatus(unseen, 'failed'), errors: [failed] }],
    })
    await receive(body.replace('"messaging_product"', `"contacts":${JSON.stringify(people)},"messaging_product"`))
    await soon(
      () => own.tool.requests.length === 4 && every.tool.requests.length === 5 && blind.tool.requests.length === 1,
    )
    const [ofOwn, ofEvery] = [own.tool.items(), every.tool.items()].map((items) => items.map(({ item }) => item))
    expect(ofOwn).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: known, biz_opaque_callback_data: 'ticket 7' }),
        expect.objectContaining({ id: alias, status: 'delivered' }),
        expect.objectContaining({ context: { id: alias } }),
        expect.objectContaining({ reaction: { message_id: alias, emoji: '👍' } }),
      ]),
    )
    expect(ofEvery).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: unknown, status: 'delivered' }),
        expect.objectContaining({ context: { id: unknown } }),
      ]),
    )
    expect(every.tool.requests.some(({ text }) => text.includes('ticket 7') || text.includes(alias))).toBe(false)
    const [told] = blind.tool.requests
    expect(told?.body.entry[0].changes[0].value).toEqual({
      messaging_product: 'whatsapp',
      metadata: expect.anything(),
      statuses: [{ id: unseen, status: 'failed', timestamp: '1763200000', errors: [{ code: 131_026 }] }],
    })
  })

  test('about a message that is not answered yet wait for its answer', async () => {
    const own = await relay()
    const id = newId()
    await sentBy(own, { channel_message_id: id, created_at: world.clock.now(), history: '[]' })
    await receive(messagesBody(channel, { statuses: [aStatus(id)] }))
    await soon(async () => (await rowsOf(own.webhookId)).length === 1)
    const [row] = await rowsOf(own.webhookId)
    expect(row?.due_at).toBeGreaterThan(world.clock.now())
    expect(own.tool.requests).toEqual([])
    world.clock.advance(world.rt.config.graphAnswerMs)
    deliveries.wake()
    await soon(() => own.tool.requests.length === 1)
  })

  test('are forgotten with their customer, on their way too', async () => {
    const { tool, webhookId } = await relay()
    tool.decide(() => 500)
    await receive(messagesBody(channel, { messages: [aText(newId()), { ...aText(newId()), from: '12025550199' }] }))
    await soon(() => tool.requests.length === 2)
    await soon(async () => (await rowsOf(webhookId)).every(({ attempts }) => attempts === 1))
    await eraseCustomer(world.rt, account, '+12025550100', { actor: operator })
    expect((await world.rt.store.read(countItems, { account_id: account }))[0]?.items).toBe(1)
    tool.decide(() => 200)
    const before = tool.requests.length
    await soon(async () => {
      world.clock.advance(hourMs)
      deliveries.wake()
      return (await rowsOf(webhookId)).every(({ status }) => status !== 'pending' && status !== 'sending')
    })
    expect((await rowsOf(webhookId)).map(({ status }) => status).sort()).toEqual(['delivered', 'expired'])
    expect(tool.requests.slice(before).filter(({ text }) => text.includes('12025550100'))).toEqual([])
  })

  test('that a tool calls wrong are tried three times in six hours, and can be replayed', async () => {
    const { tool, webhookId } = await relay()
    tool.next(400, 422, 400)
    await receive(messagesBody(channel, { messages: [aText(newId())] }))
    for (const [index, waitMs] of [0, 1.2 * hourMs, 5.6 * hourMs].entries()) {
      await soon(async () => {
        if (index > 0) deliveries.wake()
        return tool.requests.length >= index || waitMs === 0
      })
      world.clock.advance(waitMs)
      deliveries.wake()
      await soon(() => tool.requests.length === index + 1)
      await soon(async () => (await rowsOf(webhookId))[0]?.attempts === index + 1)
    }
    await soon(async () => (await rowsOf(webhookId))[0]?.status === 'failed')
    expect(await world.rt.metrics.render()).toMatch(
      /postern_webhook_deliveries_total\{event="relay.message",result="rejected"\} 1/,
    )
    const since = new Date(world.clock.now() - 24 * hourMs).toISOString()
    expect(await replayDeliveries(world.rt, account, webhookId, { since })).toMatchObject({ matched: 1, queued: 1 })
    await soon(() => tool.requests.length === 4)
    expect(new Set(tool.requests.map(({ text }) => text)).size).toBe(1)
  })

  test('hold up no other tool while one takes half a minute to answer', async () => {
    const [slow, quick] = [await relay(), await relay()]
    const { promise: halfAMinute, resolve: answer } = Promise.withResolvers<number>()
    slow.tool.decide(() => halfAMinute)
    const ids = Array.from({ length: 6 }, newId)
    const messages = ids.map((id, nth) => ({ ...aText(id), from: `1202555010${nth}` }))
    await receive(messagesBody(channel, { messages }))
    await soon(async () => (await rowsOf(quick.webhookId)).filter(({ status }) => status === 'delivered').length === 6)
    const before = await rowsOf(slow.webhookId)
    expect([before.length, before.every(({ attempts }) => attempts === 0)]).toEqual([6, true])
    // Two until the first answer: what is slow takes no more room than that.
    expect(slow.tool.requests.length).toBeLessThanOrEqual(2)
    answer(200)
    await soon(async () => (await rowsOf(slow.webhookId)).every(({ status }) => status === 'delivered'))
    expect(slow.tool.items().map(({ item }) => item.id)).toHaveLength(6)
  })

  test('go again, with equal bytes, to a tool that answers after the limit, and its late answer counts for nothing', async () => {
    const { tool, webhookId } = await relay()
    const { config } = world.rt
    const headersMs = 1_000
    Object.assign(world.rt, { config: { ...config, webhookHeadersTimeoutMs: headersMs } })
    const { promise: halfAMinute, resolve: answer } = Promise.withResolvers<number>()
    tool.decide(({ headers }) => (headers['x-postern-attempt'] === '1' ? halfAMinute : 200))
    const endPauses = countPauses()
    await receive(messagesBody(channel, { messages: [aText(newId())] }))
    const [attempt] = await attemptsReach(world, webhookId, 1)
    expectEndedAt(headersMs, attempt?.duration_ms, endPauses())
    expect(attempt).toMatchObject({ error_code: 'timeout', status_code: null })
    Object.assign(world.rt, { config })
    answer(410)
    await soon(async () => {
      world.clock.advance(60_000)
      deliveries.wake()
      return (await rowsOf(webhookId))[0]?.status === 'delivered'
    })
    const [first, second] = tool.requests
    expect([tool.requests.length, second?.text, second?.headers['webhook-id']]).toEqual([
      2,
      first?.text,
      first?.headers['webhook-id'],
    ])
    expect((await world.rt.store.read(findWebhook, { id: webhookId, account_id: account }))[0]?.active).toBe(1)
  })

  test('stop for a tool that says it is gone', async () => {
    const { tool, webhookId } = await relay()
    tool.next(410)
    await receive(messagesBody(channel, { messages: [aText(newId())] }))
    const now = async () => (await world.rt.store.read(findWebhook, { id: webhookId, account_id: account }))[0]
    await soon(async () => (await now())?.active === 0)
    await receive(messagesBody(channel, { messages: [aText(newId())] }))
    await soon(async () => (await rowsOf(webhookId)).length === 2)
    expect((await rowsOf(webhookId)).map(({ status }) => status).sort()).toEqual(['cancelled', 'skipped'])
    expect([tool.requests.length, (await now())?.disabled_reason]).toEqual([1, 'gone'])
  })

  test('cost nothing where no tool is: nothing is stored for it', async () => {
    const { tool, connectionId } = await relay({ options: { fields: ['calls'] } })
    await changeOptions(
      world.rt,
      await requireConnection(world.rt, account, connectionId),
      { fields: ['calls'] },
      { actor: operator },
    )
    await receive(messagesBody(channel, { messages: [aText(newId())] }))
    const bare = await world.newAccount()
    const bareChannel = await world.connect(bare)
    await receive(messagesBody(bareChannel, { messages: [aText('wamid.bare')] }), bareChannel)
    await soon(async () => (await world.rt.store.read(countItems, { account_id: bare }))[0]?.messages === 1)
    await soon(async () => (await world.rt.store.read(countItems, { account_id: account }))[0]?.messages === 1)
    expect((await world.rt.store.read(countItems, { account_id: bare }))[0]?.items).toBe(0)
    expect((await world.rt.store.read(countItems, { account_id: account }))[0]?.items).toBe(0)
    expect(tool.requests).toEqual([])
  })
})
