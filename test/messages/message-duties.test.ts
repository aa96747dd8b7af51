import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findOutcome, finishKey, type IdempotencyKey, releaseKey } from '../../server/src/access/idempotency.ts'
import { operator } from '../../server/src/audit/audit.ts'
import type { CallbackContext } from '../../server/src/channels/callbacks/callback-items.ts'
import { listChannels } from '../../server/src/channels/channel-record.ts'
import type { AppError } from '../../server/src/contract/app-error.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import type { SendRate } from '../../server/src/limits/send-limits.ts'
import { applyStatuses } from '../../server/src/messages/apply-statuses.ts'
import { customerBy, customerWithId } from '../../server/src/messages/customers/find-customer.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { getMessage, listMessages } from '../../server/src/messages/get-message.ts'
import { publicId } from '../../server/src/messages/message-record.ts'
import { receiveMessages } from '../../server/src/messages/receive-messages.ts'
import { marketingPreference } from '../../server/src/messages/receive-preferences.ts'
import { retainMessages } from '../../server/src/messages/retain-messages.ts'
import { seedCustomer, seededCustomer } from '../../server/src/messages/sandbox-phone.ts'
import { type AnswerOf, dispatchMessage } from '../../server/src/messages/send/dispatch-message.ts'
import type { Sender } from '../../server/src/messages/send/draft.ts'
import { dryRun } from '../../server/src/messages/send/dry-run.ts'
import { findEarlier } from '../../server/src/messages/send/send.ts'
import { draftText } from '../../server/src/messages/send/send-request.ts'
import { recoverMessages } from '../../server/src/messages/unknown.ts'
import type { InboundItem, StatusItem } from '../../server/src/platform/callback-item.ts'
import type { ChatPlatform, SendReceipt } from '../../server/src/platform/chat-platform.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { findIdempotencyKey } from '../../server/src/store/accounts/idempotency.ts'
import {
  compileQuery,
  postgresOperation,
  type Statement,
  sqliteOperation,
} from '../../server/src/store/engine/dialect.ts'
import { type Operation, type Query, query } from '../../server/src/store/engine/operation.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { ConditionFailed, StoreUnavailable } from '../../server/src/store/engine/store-error.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { findEventsOf, findMessagesOf } from '../../server/src/store/messages/erasure.ts'
import {
  countUnresolved,
  expireMessages,
  findMessagesById,
  findUnknownBefore,
  findUnsettled,
  insertMessage,
  type MessageRow,
  updateMessage,
} from '../../server/src/store/messages/messages.ts'
import { aChannelWorld, type ChannelWorld, type Connected } from '../support/channel-world.ts'
import { noteWord } from '../support/note-word.ts'
import { type EngineName, engines, freshDatabase } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const eventsAndSteps = query({
  name: 'test.events_and_steps',
  params: { account_id: 'text', status: 'text' },
  returns: { events: 'int', steps: 'int' },
  sql: `select (select count(*) from events where account_id = :account_id and type = 'message.' || :status) as events,
          (select count(*) from analytics_steps where account_id = :account_id and step = :status) as steps`,
})

/** How many messages were counted as created, and how many are no longer under way. */
const counted = query({
  name: 'test.counted',
  params: { account_id: 'text' },
  returns: { created: 'int', settled: 'int' },
  sql: `select (select coalesce(sum(created), 0) from analytics_steps where account_id = :account_id) as created,
          (select count(*) from messages
            where account_id = :account_id and direction = 'outbound' and settle_by is null) as settled`,
})

describe.each(engines)('the duties behind a message, on %s', (engine) => {
  let world: ChannelWorld
  let sender: Sender
  let channel: Connected

  beforeAll(async () => {
    world = await aChannelWorld(engine)
  })
  // Every test has an account, a number and a customer of its own.
  beforeEach(async () => {
    const accountId = await world.newAccount()
    channel = await world.connect(accountId)
    await seedCustomer(world.rt, accountId)
    sender = { accountId, keyId: null, phoneNumberIds: null }
  })
  afterAll(() => world.dispose())

  const send = async (message: string, to = seededCustomer): Promise<MessageRow> => {
    const draft = await draftText(world.rt, sender, { to, message })
    const { row } = await dispatchMessage(world.rt, { sender, draft, idempotencyKey: null, answerOf: () => ({}) })
    return row
  }

  test('46 messages at once to one customer: 45 go, the next is told to wait', async () => {
    const rate = { numberId: channel.numberId, sendsPerSecond: 1_000, customer: '+12025550111' }
    const { sendRate } = world.rt
    const waits = await Promise.allSettled(Array.from({ length: 46 }, () => sendRate.wait(rate, 100)))
    expect(waits.filter(({ status }) => status === 'fulfilled')).toHaveLength(45)
    expect(waits.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'channel_rate_limited', extras: { retryAfterSeconds: 6 } },
    })
    world.clock.advance(6_000)
    await expect(sendRate.wait(rate, 100)).resolves.toBeUndefined()
  })

  test('a number at its limit refuses what would wait too long, and no other number waits for it', async () => {
    const { sendRate } = world.rt
    const at = (numberId: string, customer: number) =>
      sendRate.wait({ numberId, sendsPerSecond: 10, customer: `+1202555${customer}` }, 50)
    const busy = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => at('pn_busy', 1000 + index)))
    expect(busy.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(25)
    await expect(at('pn_other', 1000)).resolves.toBeUndefined()
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
    unit.add(insertMessage, { ...orphan, customer_address: null })
    await world.rt.store.write(unit)
    await recoverMessages(world.rt)
    expect((await getMessage(world.rt, sender.accountId, orphan.id)).outcome).toBeNull()
    world.clock.advance(61_000)
    await recoverMessages(world.rt)
    expect(await getMessage(world.rt, sender.accountId, orphan.id)).toMatchObject({
      status: 'queued',
      outcome: 'unknown',
    })
    const { phoneNumberId: phone_number_id } = channel
    expect(world.sandbox.control.messages({ phone_number_id, direction: 'outbound' }).data).toHaveLength(1)
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

  test('names of customers go with the content, the customers themselves with the records', async () => {
    const known = async () =>
      customerBy(world.rt, sender.accountId, seededCustomer).then(
        (theirs) => theirs && customerWithId(world.rt, sender.accountId, theirs.id),
      )
    expect(await known()).toMatchObject({ name: 'Ana' })
    world.clock.advance(30 * dayMs + 1)
    await retainMessages(world.rt)
    expect(await known()).toMatchObject({ name: null, addresses: [{ shown: seededCustomer }] })
    world.clock.advance(370 * dayMs)
    await retainMessages(world.rt)
    expect(await known()).toBeNull()
  })

  test('a customer who never wrote goes when their word about marketing is as old, unless it is a no', async () => {
    const place = { accountId: sender.accountId, numberId: channel.numberId }
    const [yes, no] = ['+12025550175', '+12025550176']
    const at = world.clock.now()
    await noteWord(world.rt, { ...place, phone: yes, state: 'opted_in', at })
    await noteWord(world.rt, { ...place, phone: no, state: 'opted_out', at })
    const stateOf = async (address: string) =>
      (await marketingPreference(world.rt, { accountId: sender.accountId, id: channel.numberId }, address)).state
    const known = async () => [await stateOf(yes), await stateOf(no)]
    world.clock.advance(399 * dayMs)
    await retainMessages(world.rt)
    expect(await known()).toEqual(['opted_in', 'opted_out'])
    world.clock.advance(2 * dayMs)
    await retainMessages(world.rt)
    expect(await known()).toEqual(['unknown', 'opted_out'])
  })

  test('old messages are found without looking at young ones', async () => {
    const plan = await planOf(engine, expireMessages)
    expect(plan).toMatch(/messages/)
    expect(plan).not.toMatch(/SCAN messages(?! USING)|Seq Scan on messages/)
  })

  test('messages of a person are found by either address without looking at those of others', async () => {
    const plan = await planOf(engine, findMessagesOf)
    expect(plan).toMatch(/messages_customer/)
  })

  test('sends under way and unresolved ones are found without looking at the others', async () => {
    // Both hold only what is under way or unresolved.
    expect(await planOf(engine, findUnsettled)).toMatch(/messages_(in_flight|open)/)
    expect(await planOf(engine, countUnresolved)).toMatch(/messages_open/)
    expect(await planOf(engine, findUnknownBefore)).toMatch(/messages_open/)
  })

  test('no index names what a message changes on its way, so moving one on writes none', async () => {
    const catalog = {
      sqlite: `select sql as text from sqlite_master where type = 'index' and tbl_name = 'messages' and sql is not null`,
      postgres: `select indexdef as text from pg_indexes where tablename = 'messages'`,
    }
    const indexes = query({
      name: 'test.indexes',
      params: {},
      returns: { text: 'text' },
      lane: 'list',
      sql: catalog[engine],
    })
    const definitions = (await world.rt.store.read(indexes, {})).map(({ text }) => text)
    expect(definitions.length).toBeGreaterThan(5)
    const moving = /\b(status|history|event_sequence|sent_at|delivered_at|read_at|revision)\b/
    expect(definitions.filter((text) => moving.test(text))).toEqual([])
  })

  describe('rate limits', () => {
    const rate = (customer: string, sendsPerSecond = 10) => ({ numberId: channel.numberId, sendsPerSecond, customer })
    const waits = (count: number, one: SendRate) =>
      Promise.allSettled(Array.from({ length: count }, () => world.rt.sendRate.wait(one, 0)))
    const granted = (settled: PromiseSettledResult<void>[]) =>
      settled.filter(({ status }) => status === 'fulfilled').length

    test('a number at its limit uses up nothing of the customer it could not write to', async () => {
      expect(granted(await waits(60, rate('+12025550112')))).toBe(1)
      world.clock.advance(60_000)
      expect(granted(await waits(60, rate('+12025550112', 1_000)))).toBe(45)
    })

    test('a customer who gets no more uses up nothing of the number', async () => {
      expect(granted(await waits(45, rate('+12025550113', 500)))).toBe(45)
      expect(granted(await waits(100, rate('+12025550113', 500)))).toBe(0)
      expect(granted(await waits(10, rate('+12025550114', 500)))).toBe(5)
    })

    test('can be looked at without being changed', async () => {
      const one = rate('+12025550115', 1_000)
      await waits(45, one)
      const look = (at: SendRate, waitMaxMs: number) => world.rt.sendRate.look(at, waitMaxMs)
      expect(await look(one, 6_000)).toEqual({ waitMs: 6_000, refusal: null })
      expect(await look(one, 5_999)).toMatchObject({ waitMs: 6_000, refusal: { code: 'channel_rate_limited' } })
      expect(await look(rate('+12025550116', 1_000), 0)).toEqual({ waitMs: 0, refusal: null })
    })

    test('is what a dry run says: a send that would wait longer than its deadline would not be sent', async () => {
      const request = { to: seededCustomer, message: 'x' }
      const dry = (rt: Runtime) => dryRun(rt, sender, { kind: 'text', body: request })
      await waits(46, rate(seededCustomer, 1_000))
      const patient = { ...world.rt, config: { ...world.rt.config, sendTimeoutMs: 20_000 } }
      expect(await dry(patient)).toMatchObject({ would_send: true, pace: { wait_ms: 6_000 }, problems: [] })
      const rt = { ...world.rt, config: { ...world.rt.config, sendTimeoutMs: 19_000 } }
      const refusal = await sendNow(rt).catch((error: AppError) => error)
      expect(refusal).toMatchObject({ code: 'channel_rate_limited' })
      const { message } = refusal as AppError
      expect(await dry(rt)).toMatchObject({
        would_send: false,
        pace: { wait_ms: 6_000 },
        problems: [{ code: 'channel_rate_limited', message, details: [] }],
      })
    })

    async function sendNow(rt: Runtime) {
      const draft = await draftText(rt, sender, { to: seededCustomer, message: 'x' })
      return dispatchMessage(rt, { sender, draft, idempotencyKey: null, answerOf: () => ({}) })
    }
  })

  describe('what happens around the call to the platform', () => {
    const idempotencyKey = (key: string): IdempotencyKey => ({
      accountId: sender.accountId,
      endpoint: 'POST /v1/chat/messages/send',
      key,
      fingerprint: 'f',
    })
    const answerOf: AnswerOf = ({ row, timestamp }) => ({ message_id: publicId(row), timestamp })
    /** Sends with another answer of the platform; `answer` gets the id of the message. */
    async function sendWith(answer: (id: string) => Promise<SendReceipt>, over: Partial<Runtime> = {}, key = 'k') {
      const send: ChatPlatform['send'] = (_number, _message, { correlation }) => {
        calls.push(correlation)
        return answer(correlation)
      }
      const rt = { ...world.rt, platform: { ...world.rt.platform, send }, ...over }
      const draft = await draftText(rt, sender, { to: seededCustomer, message: 'x' })
      return dispatchMessage(rt, { sender, draft, idempotencyKey: idempotencyKey(key), answerOf })
    }
    let calls: string[] = []
    beforeEach(() => {
      calls = []
    })
    // However its flight ends: by the answer, by a status that came first, by recovery, or by several of them.
    afterEach(async () => {
      const [totals] = await world.rt.store.read(counted, { account_id: sender.accountId })
      expect(totals?.created).toBe(totals?.settled)
    })
    const receipt = (over: Partial<SendReceipt> = {}): SendReceipt => ({
      messageId: `wamid.${calls.length}${sender.accountId}`,
      held: false,
      waId: null,
      userId: null,
      answer: {},
      ...over,
    })
    const stored = async (id: string) => {
      const [row] = await world.rt.store.read(findMessagesById, { ids: [id] })
      if (!row) throw new Error('The message is not stored.')
      return row
    }
    /** Null without one, and while its request runs. */
    const outcomeOf = (key = 'k') =>
      findOutcome(world.rt, idempotencyKey(key), 0).catch((error: AppError) => {
        if (error.code !== 'idempotency_in_progress') throw error
        return null
      })
    const eventTypes = async (id: string) => {
      const { channel_message_id } = await stored(id)
      const subjects = [id, channel_message_id ?? id]
      const rows = await world.rt.store.read(findEventsOf, { account_id: sender.accountId, subjects })
      return rows.map(({ type }) => type)
    }
    const report = (correlation: string, status: StatusItem['status'], over: Partial<StatusItem> = {}) =>
      applyStatuses(world.rt, [{ item: aReport(channel, correlation, status, over), context: contextOf() }])
    const contextOf = (): CallbackContext => ({
      accountId: sender.accountId,
      channel: { id: channel.channelId, kind: 'sandbox', wabaId: channel.wabaId },
      number: { id: channel.numberId, phoneNumber: '+15550000000', displayName: null },
      receivedAt: world.clock.now(),
    })
    const lost = () => {
      throw new PlatformError({ kind: 'unreachable', outcome: 'unknown', code: 'send_outcome_unknown' })
    }

    test('an answer that comes after recovery gave the message up still makes it sent, with its event', async () => {
      const { row } = await sendWith(async () => {
        world.clock.advance(61_000)
        await recoverMessages(world.rt)
        return receipt()
      })
      expect(row).toMatchObject({ status: 'sent', outcome: null })
      expect(await stored(row.id)).toMatchObject({ status: 'sent', outcome: null, settle_by: null })
      expect(await eventTypes(row.id)).toEqual(['message.sent'])
      expect(await outcomeOf()).toMatchObject({ kind: 'answer' })
    })

    test('so does a refusal that comes that late', async () => {
      const refused = sendWith(async () => {
        world.clock.advance(61_000)
        await recoverMessages(world.rt)
        throw new PlatformError({ kind: 'recipient', outcome: 'refused', code: 'recipient_unreachable' })
      })
      await expect(refused).rejects.toMatchObject({ code: 'recipient_unreachable' })
      expect(await stored(calls[0] ?? '')).toMatchObject({ status: 'failed', outcome: null })
    })

    test('recovery waits as long as the deadlines of a send allow', async () => {
      const config = { ...world.rt.config, channelTimeoutMs: 300_000 }
      await sendWith(
        async (id) => {
          world.clock.advance(299_000)
          await recoverMessages(world.rt)
          expect(await stored(id)).toMatchObject({ outcome: null, revision: 1 })
          expect(await outcomeOf()).toBeNull()
          return receipt()
        },
        { config },
      )
    })

    test('a status that is faster than the answer loses nothing of it, and the repeat answers like the first', async () => {
      const sent = await sendWith(async (id) => {
        await report(id, 'delivered')
        world.clock.advance(2_000)
        return receipt({ messageId: `wamid.${id}`, held: true, userId: 'US.77' })
      })
      expect(await stored(sent.row.id)).toMatchObject({ status: 'delivered', held: 1, user_id: 'US.77' })
      expect(await outcomeOf()).toMatchObject({ data: answerOf(sent) })
    })

    test('a failure reported while the answer was lost is told as what it is, and kept for the repeat', async () => {
      const upstream = { code: 131_026, title: 'Undeliverable', detail: null, trace_id: null }
      const refused = sendWith(async (id) => {
        await report(id, 'failed', { failures: [{ code: 'recipient_unreachable', retryable: false, upstream }] })
        return lost()
      })
      await expect(refused).rejects.toMatchObject({
        code: 'recipient_unreachable',
        extras: { messageId: expect.stringMatching(/^out_/) },
      })
      expect(await outcomeOf()).toMatchObject({ kind: 'refusal', code: 'recipient_unreachable' })
    })

    const noUpstream = { code: null, title: null, detail: null, trace_id: null }

    test('a failure reported after the answer was called unknown is what the repeat is told', async () => {
      const unknown = sendWith(async () => lost(), { config: { ...world.rt.config, sendSettleWaitMs: 0 } })
      await expect(unknown).rejects.toMatchObject({ code: 'send_outcome_unknown' })
      const [id = ''] = calls
      const repeat = () => findEarlier(world.rt, idempotencyKey('k'), 0, null)
      expect(await repeat()).toMatchObject({ code: 'send_outcome_unknown', extras: { messageId: id } })
      await report(id, 'failed', {
        failures: [{ code: 'recipient_unreachable', retryable: false, upstream: noUpstream }],
      })
      expect(await repeat()).toMatchObject({ code: 'recipient_unreachable', extras: { messageId: id } })
      expect(await keyIsFree()).toBe(false)
    })

    test('where that failure can be repeated, the repeat is told so and the next one sends', async () => {
      const unknown = sendWith(async () => lost(), { config: { ...world.rt.config, sendSettleWaitMs: 0 } })
      await expect(unknown).rejects.toMatchObject({ code: 'send_outcome_unknown' })
      const [id = ''] = calls
      await report(id, 'failed', {
        failures: [{ code: 'upstream_unavailable', retryable: true, upstream: noUpstream }],
      })
      const repeat = await findEarlier(world.rt, idempotencyKey('k'), 0, null)
      expect(repeat).toMatchObject({ code: 'upstream_unavailable', extras: { messageId: id } })
      expect((await sendWith(async () => receipt())).row.status).toBe('sent')
    })

    test('a later failure says whether a repeat can help', async () => {
      const { row } = await sendWith(async () => receipt())
      const upstream = { code: 130_429, title: null, detail: null, trace_id: null }
      await report(row.id, 'failed', { failures: [{ code: 'channel_rate_limited', retryable: true, upstream }] })
      const { error } = await stored(row.id)
      expect(JSON.parse(error ?? '')).toMatchObject({ code: 'channel_rate_limited', retryable: true })
    })

    test('nothing but "unknown" is said when the outcome cannot be stored, whatever the reason', async () => {
      const store = failingStore(world.rt.store, () => calls.length > 0, new Error('The disk is on fire.'))
      const answers = [async () => receipt(), async () => lost()]
      for (const [index, answer] of answers.entries()) {
        calls = []
        await expect(sendWith(answer, { store }, `k${index}`)).rejects.toMatchObject({ code: 'send_outcome_unknown' })
      }
    })

    test('a first commit of unknown outcome leaves no message, event or count, and a key that can be used again', async () => {
      let cut = true
      const write: Store['write'] = async (unit) => {
        const result = await world.rt.store.write(unit)
        if (!cut) return result
        cut = false
        throw new StoreUnavailable('unknown', new Error('The connection was lost.'))
      }
      const store = { ...world.rt.store, write }
      await expect(sendWith(async () => receipt(), { store })).rejects.toBeInstanceOf(StoreUnavailable)
      expect(calls).toEqual([])
      await waitFor(async () => (await outcomeOf()) === null && (await keyIsFree()), 5_000)
      const { row } = await sendWith(async () => receipt())
      expect([row.status, calls.length]).toEqual(['sent', 1])
      const { messages } = await listMessages(world.rt, sender.accountId, listing)
      expect(messages).toMatchObject([{ message_id: publicId(row), status: 'sent' }])
      const params = { account_id: sender.accountId }
      expect(await world.rt.store.read(eventsAndSteps, { ...params, status: 'failed' })).toEqual([
        { events: 0, steps: 0 },
      ])
      expect(await world.rt.store.read(counted, params)).toEqual([{ created: 1, settled: 1 }])
    })

    test('one that recovery found first was told to repeats, and ends as a failure with its event', async () => {
      const { store } = world.rt
      let cut = true
      const lookedAt = Promise.withResolvers<void>()
      const write: Store['write'] = async (unit) => {
        const result = await store.write(unit)
        if (!cut) return result
        cut = false
        throw new StoreUnavailable('unknown', new Error('The connection was lost.'))
      }
      const read: Store['read'] = async (query, ...params) => {
        if ((query as unknown) === findMessagesById) await lookedAt.promise
        return store.read(query, ...params)
      }
      await expect(sendWith(async () => receipt(), { store: { ...store, write, read } })).rejects.toThrow()
      world.clock.advance(61_000)
      await recoverMessages(world.rt)
      expect(await outcomeOf()).toMatchObject({ code: 'send_outcome_unknown' })
      lookedAt.resolve()
      await waitFor(keyIsFree, 5_000)
      const { messages } = await listMessages(world.rt, sender.accountId, listing)
      expect(messages).toMatchObject([{ status: 'failed', error: { code: 'service_unavailable', retryable: true } }])
      const params = { account_id: sender.accountId, status: 'failed' }
      expect(await store.read(eventsAndSteps, params)).toEqual([{ events: 1, steps: 1 }])
    })

    test.each([
      ['an acceptance', 'sent', async () => receipt()],
      [
        'a refusal',
        'failed',
        () =>
          Promise.reject(new PlatformError({ kind: 'recipient', outcome: 'refused', code: 'recipient_unreachable' })),
      ],
    ] as const)('%s whose commit was lost is recorded once, and told as what it is', async (_, status, answer) => {
      let cut = true
      const write: Store['write'] = async (unit) => {
        const result = await world.rt.store.write(unit)
        if (!cut || calls.length === 0) return result
        cut = false
        throw new StoreUnavailable('unknown', new Error('The connection was lost.'))
      }
      const answered = await sendWith(answer, { store: { ...world.rt.store, write } }).then(
        ({ row }) => row.status,
        ({ code }: AppError) => code,
      )
      expect([answered, cut]).toEqual([status === 'sent' ? 'sent' : 'recipient_unreachable', false])
      expect(await outcomeOf()).toMatchObject({ kind: status === 'sent' ? 'answer' : 'refusal' })
      expect(await stored(calls[0] ?? '')).toMatchObject({ status, event_sequence: 1 })
      expect(await world.rt.store.read(eventsAndSteps, { account_id: sender.accountId, status })).toEqual([
        { events: 1, steps: 1 },
      ])
    })

    const keyIsFree = async () => {
      const { accountId: account_id, endpoint, key } = idempotencyKey('k')
      return (
        (await world.rt.store.read(findIdempotencyKey, { account_id, endpoint, idempotency_key: key })).length === 0
      )
    }
    const listing = { filters: {}, limit: 10, order: 'desc' as const, cursor: null }

    test('an answer that is stored after the lease is over wins', async () => {
      void sendWith(() => new Promise<never>(() => {}))
      await waitFor(() => calls.length === 1)
      world.clock.advance(61_000)
      expect(await outcomeOf()).toMatchObject({ code: 'send_outcome_unknown' })
      const answer = { kind: 'answer' as const, status: 200, data: { message_id: 'wamid.late' } }
      await finishKey(world.rt, idempotencyKey('k'), calls[0] ?? '', answer)
      await recoverMessages(world.rt)
      expect(await outcomeOf()).toEqual(answer)
    })

    test('a holder that lost its key neither answers nor frees it for the next one', async () => {
      await sendWith(async () => receipt())
      const kept = await outcomeOf()
      const refusal = { kind: 'answer' as const, status: 200, data: { message_id: 'wamid.other' } }
      await finishKey(world.rt, idempotencyKey('k'), 'out_other', refusal)
      await releaseKey(world.rt, idempotencyKey('k'), 'out_other')
      await releaseKey(world.rt, idempotencyKey('k'), null)
      expect(await outcomeOf()).toEqual(kept)
      await releaseKey(world.rt, idempotencyKey('k'), calls[0] ?? '')
      expect(await keyIsFree()).toBe(true)
    })

    test('the repeat of a request whose process died is told that its outcome is unknown', async () => {
      const dying = sendWith(() => new Promise<never>(() => {}))
      await waitFor(() => calls.length === 1)
      expect(await outcomeOf()).toBeNull()
      world.clock.advance(61_000)
      await recoverMessages(world.rt)
      expect(await outcomeOf()).toMatchObject({ kind: 'refusal', code: 'send_outcome_unknown' })
      expect(await findOutcome(world.rt, idempotencyKey('k'))).toMatchObject({ extras: { messageId: calls[0] } })
      expect(calls).toHaveLength(1)
      void dying
    })

    test.each([
      ['a refused token', 190, 'channel_auth_failed', 'auth_failed'],
      ['an authentication error that is not about the token', 0, 'channel_auth_failed', 'connected'],
      ['a missing permission', 10, 'channel_permission_missing', 'connected'],
      ['a number that is not registered', 133010, 'channel_number_not_registered', 'connected'],
      ['a missing payment method', 131042, 'channel_payment_missing', 'connected'],
      ['a restricted account', 131031, 'channel_account_restricted', 'connected'],
    ] as const)('%s is shown as such on the channel', async (_, platformCode, code, status) => {
      const upstream = { code: platformCode, title: null, detail: null, trace_id: null }
      const refusal = new PlatformError({ kind: 'auth', outcome: 'refused', code, upstream })
      await expect(sendWith(async () => Promise.reject(refusal))).rejects.toMatchObject({ code })
      const [shown] = await listChannels(world.rt, sender.accountId)
      expect(shown?.status).toBe(status)
    })

    test('a customer who writes under another form of their number keeps the window open', async () => {
      const [given, theirs] = ['+541155551234', '+5491155551234']
      await receiveMessages(world.rt, [{ item: aMessage(channel, theirs, world.clock.now()), context: contextOf() }])
      const toGiven = () => draftText(world.rt, sender, { to: given, message: 'x' })
      await expect(toGiven()).rejects.toMatchObject({ code: 'customer_window_closed' })
      const draft = await draftText(world.rt, sender, { to: theirs, message: 'x' })
      const send = async () => receipt({ waId: theirs.slice(1) })
      const rt = { ...world.rt, platform: { ...world.rt.platform, send } }
      const address = { kind: 'phone' as const, value: given }
      const { row } = await dispatchMessage(rt, {
        sender,
        draft: { ...draft, address },
        idempotencyKey: null,
        answerOf,
      })
      await expect(toGiven()).resolves.toMatchObject({ address })
      expect(await getMessage(world.rt, sender.accountId, row.id)).toMatchObject({ window: { state: 'open' } })
      const erased = await eraseCustomer(world.rt, sender.accountId, given, { actor: operator })
      expect(erased.rows).toMatchObject({ messages: 2, contacts: 1, customers: 2 })
    })

    test('a status cannot write back who was erased', async () => {
      const { row } = await sendWith(async () => receipt({ userId: 'US.77' }))
      const stale = await stored(row.id)
      await eraseCustomer(world.rt, sender.accountId, 'US.77', { actor: operator })
      const unit = new Unit()
      unit.add(updateMessage, { ...stale, status: 'read' })
      await expect(world.rt.store.write(unit)).rejects.toBeInstanceOf(ConditionFailed)
      await report(row.id, 'delivered', { recipient: { phone: seededCustomer, userId: 'US.77' } })
      expect(await stored(row.id)).toMatchObject({ status: 'delivered', phone: null, user_id: null, content: null })
      expect(await customerBy(world.rt, sender.accountId, 'US.77')).toBeNull()
    })

    test('only the first status that names the user id writes more than a status does', async () => {
      const { row } = await sendWith(async () => receipt())
      const written: string[][] = []
      const write: Store['write'] = (unit) => {
        written.push(
          unit.calls.map(({ operation }) => operation.name).filter((name) => /^(messages|customer)/.test(name)),
        )
        return world.rt.store.write(unit)
      }
      const rt = { ...world.rt, store: { ...world.rt.store, write } }
      const named = { recipient: { phone: seededCustomer, userId: 'US.78' } }
      const reports = [['sent', {}] as const, ['delivered', named] as const, ['read', named] as const]
      for (const [status, over] of reports) {
        const item = aReport(channel, row.id, status, { ...over, at: world.clock.now() + 1_000 })
        await applyStatuses(rt, [{ item, context: contextOf() }])
      }
      expect(written).toEqual([
        ['messages.advance'],
        ['messages.update', 'customers.take', 'customer_addresses.add'],
        ['messages.advance'],
      ])
      expect(await stored(row.id)).toMatchObject({ status: 'read', user_id: 'US.78' })
      const known = await customerBy(world.rt, sender.accountId, seededCustomer)
      expect(known?.addresses.map(({ shown }) => shown)).toContain('US.78')
    })
  })
})

function aMessage(channel: Connected, phone: string, at: number): InboundItem {
  return {
    kind: 'message',
    dedupeKey: 'in-1',
    wabaId: channel.wabaId,
    phoneNumberId: channel.phoneNumberId,
    channelMessageId: 'wamid.in-1',
    at,
    from: { phone, userId: null, name: 'Ana', username: null },
    content: { type: 'text', text: 'my secret' },
    replyTo: null,
    forwarded: false,
    groupId: null,
    referral: null,
    referredProduct: null,
    formerAddresses: [],
    opensWindow: true,
  }
}

function aReport(
  channel: Connected,
  correlation: string,
  status: StatusItem['status'],
  over: Partial<StatusItem>,
): StatusItem {
  return {
    kind: 'status',
    dedupeKey: `${correlation} ${status}`,
    wabaId: channel.wabaId,
    phoneNumberId: channel.phoneNumberId,
    channelMessageId: `wamid.${correlation}`,
    status,
    platformStatus: status,
    at: null,
    recipient: { phone: seededCustomer, userId: null },
    correlation,
    failures: [],
    pricing: null,
    ...over,
  }
}

/** Writes fail while `isFailing`; what is read stays true. */
function failingStore(store: Store, isFailing: () => boolean, error: Error): Store {
  const write: Store['write'] = (unit) => (isFailing() ? Promise.reject(error) : store.write(unit))
  return { ...store, write }
}

/** How an engine would run a statement, for a table large enough to be worth an index. */
async function planOf(engine: EngineName, statement: Operation | Query): Promise<string> {
  const test = await freshDatabase(engine)
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => test.remove())
  const { text, parameters } = compiled(engine, statement)
  if (test.database.kind === 'sqlite') {
    const db = new DatabaseSync(test.database.path)
    cleanup.defer(() => db.close())
    const steps = db.prepare(`explain query plan ${text}`).all(...parameters.map(() => '1')) as { detail: string }[]
    return steps.map(({ detail }) => detail).join('\n')
  }
  const client = new pg.Client({ connectionString: test.database.url })
  await client.connect()
  cleanup.defer(() => client.end())
  await client.query('set enable_seqscan = off')
  // Every parameter of an operation is a list of rows; of a query, a value or a list of texts.
  const isList = (name: string) => 'input' in statement || statement.params[name] === 'text[]'
  const values = parameters.map((name) => (isList(name) ? [1] : 1))
  const { rows } = await client.query(`explain ${text}`, values)
  return (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n')
}

function compiled(engine: EngineName, statement: Operation | Query): Statement {
  if (!('input' in statement)) return compileQuery(engine, statement)
  return engine === 'sqlite' ? sqliteOperation(statement) : postgresOperation(statement)
}
