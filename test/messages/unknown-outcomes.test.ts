import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { IdempotencyKey } from '../../server/src/access/idempotency.ts'
import { verifyAudit } from '../../server/src/audit/audit.ts'
import { bodyOf } from '../../server/src/events/publish-event.ts'
import { dayMs, minuteMs } from '../../server/src/lib/durations.ts'
import { applyStatuses } from '../../server/src/messages/apply-statuses.ts'
import { getMessage, listMessages } from '../../server/src/messages/get-message.ts'
import { retainMessages } from '../../server/src/messages/retain-messages.ts'
import { seedCustomer, seededCustomer } from '../../server/src/messages/sandbox-phone.ts'
import { dispatchMessage } from '../../server/src/messages/send/dispatch-message.ts'
import type { Sender } from '../../server/src/messages/send/draft.ts'
import { findEarlier } from '../../server/src/messages/send/send.ts'
import { draftText } from '../../server/src/messages/send/send-request.ts'
import { giveUpUnknown, measureUnresolved, recoverMessages, settleMessage } from '../../server/src/messages/unknown.ts'
import type { StatusItem } from '../../server/src/platform/callback-item.ts'
import type { ChatPlatform } from '../../server/src/platform/chat-platform.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { eventColumns } from '../../server/src/store/webhooks/events.ts'
import { aChannelWorld, type ChannelWorld, type Connected } from '../support/channel-world.ts'
import { root } from '../support/child-process.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const publishedEvents = query({
  name: 'test.published_events',
  params: { account_id: 'text' },
  returns: eventColumns,
  sql: `select ${Object.keys(eventColumns).join(', ')} from events where account_id = :account_id and type like 'message.%' order by sequence`,
})

const countedSteps = query({
  name: 'test.counted_steps',
  params: { account_id: 'text' },
  returns: { created: 'int', sent: 'int', failed: 'int' },
  sql: `select coalesce(sum(created), 0) as created,
          coalesce(sum(case when step = 'sent' then amount else 0 end), 0) as sent,
          coalesce(sum(case when step = 'failed' then amount else 0 end), 0) as failed
        from analytics_steps where account_id = :account_id`,
})

const settledLines = query({
  name: 'test.settled_lines',
  params: { account_id: 'text' },
  returns: { entry: 'text' },
  sql: `select entry from audit_log where account_id = :account_id and action = 'message.settled'`,
})

/** How an outcome becomes unknown. */
const ways = ['a lost response', 'a node that died before it called'] as const

describe.each(engines)('an unknown outcome, on %s', (engine) => {
  let world: ChannelWorld
  let sender: Sender
  let channel: Connected

  beforeAll(async () => {
    world = await aChannelWorld(engine, { POSTERN_SEND_SETTLE_WAIT_MS: '0' })
  })
  beforeEach(async () => {
    const accountId = await world.newAccount()
    channel = await world.connect(accountId)
    await seedCustomer(world.rt, accountId)
    sender = { accountId, keyId: null, phoneNumberIds: null }
  })
  afterAll(() => world.dispose())

  const key = (): IdempotencyKey => ({
    accountId: sender.accountId,
    endpoint: 'POST /v1/chat/messages/send',
    key: 'k',
    fingerprint: 'f',
  })
  const send = async (platformSend: ChatPlatform['send']) => {
    const rt = { ...world.rt, platform: { ...world.rt.platform, send: platformSend } }
    const draft = await draftText(rt, sender, { to: seededCustomer, message: 'x' })
    return dispatchMessage(rt, { sender, draft, idempotencyKey: key(), answerOf: () => ({}) })
  }
  /** The id of a message whose outcome nobody knows. */
  const unknownBy = async (way: (typeof ways)[number]): Promise<string> => {
    let id = ''
    if (way === 'a lost response') {
      const lost = send(async (_number, _message, { correlation }) => {
        id = correlation
        throw new PlatformError({ kind: 'unreachable', outcome: 'unknown', code: 'send_outcome_unknown' })
      })
      await expect(lost).rejects.toMatchObject({ code: 'send_outcome_unknown' })
    } else {
      void send((_number, _message, { correlation }) => {
        id = correlation
        return new Promise(() => {})
      })
      await waitFor(() => id !== '')
      world.clock.advance(61_000)
      await recoverMessages(world.rt)
    }
    expect(await record(id)).toMatchObject({ status: 'queued', outcome: 'unknown' })
    return id
  }
  const record = (id: string) => getMessage(world.rt, sender.accountId, id)
  const events = async () => {
    const rows = await world.rt.store.read(publishedEvents, { account_id: sender.accountId })
    return rows.map((row) => JSON.parse(bodyOf(row)))
  }
  const eventTypes = async () => (await events()).map(({ type }: { type: string }) => type)
  const counted = async () => (await world.rt.store.read(countedSteps, { account_id: sender.accountId }))[0]
  const unresolvedIds = async () => {
    const listing = { filters: { outcome: 'unknown' }, limit: 10, order: 'desc' as const, cursor: null }
    const { messages } = await listMessages(world.rt, sender.accountId, listing)
    return messages.map(({ message_id }) => message_id)
  }
  const report = (id: string, status: StatusItem['status'], over: Partial<StatusItem> = {}) => {
    const item: StatusItem = {
      kind: 'status',
      dedupeKey: `${id} ${status}`,
      wabaId: channel.wabaId,
      phoneNumberId: channel.phoneNumberId,
      channelMessageId: `wamid.${id}`,
      status,
      platformStatus: status,
      at: null,
      recipient: { phone: seededCustomer, userId: null },
      correlation: id,
      pricing: null,
      failures: [],
      ...over,
    }
    const context = {
      accountId: sender.accountId,
      channel: { id: channel.channelId, kind: 'sandbox' as const, wabaId: channel.wabaId },
      number: { id: channel.numberId, phoneNumber: '+15550000000', displayName: null },
      receivedAt: world.clock.now(),
    }
    return applyStatuses(world.rt, [{ item, context }])
  }
  const repeat = () => findEarlier(world.rt, key(), 0, null)
  const givenUp = async () => {
    const page = await world.rt.metrics.render()
    return Number(/^postern_messages_given_up_total (\d+)$/m.exec(page)?.[1])
  }

  describe.each(ways)('by %s', (way) => {
    test('ends after eight days and not before: failed, told once, and counted as no failure', async () => {
      const id = await unknownBy(way)
      world.clock.advance(8 * dayMs - 2 * minuteMs)
      await giveUpUnknown(world.rt)
      expect(await record(id)).toMatchObject({ status: 'queued', outcome: 'unknown', error: null })
      expect(await events()).toEqual([])
      const before = await givenUp()

      world.clock.advance(2 * minuteMs + 1)
      await giveUpUnknown(world.rt)
      await giveUpUnknown(world.rt)
      const error = { code: 'send_outcome_unknown', retryable: false }
      expect(await record(id)).toMatchObject({ status: 'failed', outcome: 'unknown', error, sent_at: null })
      expect(await events()).toMatchObject([
        { type: 'message.failed', data: { message_id: id, status: 'failed', error, sequence: 1 } },
      ])
      expect(await counted()).toEqual({ created: 1, sent: 0, failed: 0 })
      expect(await unresolvedIds()).toEqual([id])
      expect((await givenUp()) - before).toBe(1)
    })

    test('that has ended is corrected by a status that comes all the same', async () => {
      const id = await unknownBy(way)
      world.clock.advance(9 * dayMs)
      await giveUpUnknown(world.rt)
      await report(id, 'delivered')
      expect(await record(id)).toMatchObject({ status: 'delivered', outcome: null, error: null, failed_at: null })
      expect(await eventTypes()).toEqual(['message.failed', 'message.sent', 'message.delivered'])
      expect(await counted()).toEqual({ created: 1, sent: 1, failed: 0 })
      expect(await unresolvedIds()).toEqual([])
    })

    test('that has ended takes the reason that Meta reports late', async () => {
      const id = await unknownBy(way)
      world.clock.advance(9 * dayMs)
      await giveUpUnknown(world.rt)
      world.clock.advance(1_000)
      const upstream = { code: 131_026, title: null, detail: null, trace_id: null }
      await report(id, 'failed', { failures: [{ code: 'recipient_unreachable', retryable: false, upstream }] })
      const error = { code: 'recipient_unreachable' }
      expect(await record(id)).toMatchObject({ status: 'failed', outcome: null, error })
      expect(await counted()).toEqual({ created: 1, sent: 1, failed: 1 })
    })

    test('is settled as sent by a person: told, audited, counted, and open to what Meta reports', async () => {
      const id = await unknownBy(way)
      await settleMessage(world.rt, id, 'sent')
      expect(await record(id)).toMatchObject({ status: 'sent', outcome: null, error: null })
      expect(await events()).toMatchObject([{ type: 'message.sent', data: { message_id: id, inferred: true } }])
      expect(await counted()).toEqual({ created: 1, sent: 1, failed: 0 })
      expect(await world.rt.store.read(settledLines, { account_id: sender.accountId })).toHaveLength(1)
      expect(await verifyAudit(world.rt, sender.accountId)).toMatchObject({ ok: true })
      expect(await repeat()).toMatchObject({ kind: 'answer', data: { message_id: id, status: 'sent' } })
      await report(id, 'delivered')
      expect(await record(id)).toMatchObject({ status: 'delivered', message_id: `wamid.${id}` })
      expect(await counted()).toEqual({ created: 1, sent: 1, failed: 0 })
      await expect(settleMessage(world.rt, id, 'failed')).rejects.toMatchObject({
        message: 'The outcome of this message is known: it is delivered.',
      })
    })

    test('is settled as failed by a person, also after its end, and then a repeat of its key sends', async () => {
      const id = await unknownBy(way)
      expect(await repeat()).toMatchObject({ code: 'send_outcome_unknown' })
      await settleMessage(world.rt, id, 'failed')
      const error = { code: 'upstream_unavailable', retryable: true }
      expect(await record(id)).toMatchObject({ status: 'failed', outcome: null, error })
      expect(await counted()).toEqual({ created: 1, sent: 0, failed: 1 })
      expect(await repeat()).toMatchObject({ kind: 'refusal', code: 'upstream_unavailable' })
      expect(await repeat()).toBeNull()
    })

    test('after its end can still be settled by a person', async () => {
      const id = await unknownBy(way)
      world.clock.advance(9 * dayMs)
      await giveUpUnknown(world.rt)
      await settleMessage(world.rt, id, 'failed')
      expect(await record(id)).toMatchObject({ status: 'failed', outcome: null, error: { retryable: true } })
      expect(await eventTypes()).toEqual(['message.failed', 'message.failed'])
      expect(await counted()).toEqual({ created: 1, sent: 0, failed: 1 })
    })
  })

  test('keeps its record until its end, however short records are kept', async () => {
    const id = await unknownBy('a lost response')
    const rt = { ...world.rt, config: { ...world.rt.config, retentionMetadataDays: 1 } }
    world.clock.advance(2 * dayMs)
    await retainMessages(rt)
    expect(await record(id)).toMatchObject({ status: 'queued' })
    world.clock.advance(7 * dayMs)
    await giveUpUnknown(rt)
    await retainMessages(rt)
    await expect(record(id)).rejects.toMatchObject({ code: 'message_not_found' })
    expect(await eventTypes()).toEqual(['message.failed'])
  })

  test('that is still being sent is nothing for a person to settle', async () => {
    let id = ''
    void send((_number, _message, { correlation }) => {
      id = correlation
      return new Promise(() => {})
    })
    await waitFor(() => id !== '')
    await expect(settleMessage(world.rt, id, 'sent')).rejects.toMatchObject({ message: /still being sent/ })
    await expect(settleMessage(world.rt, 'out_none', 'sent')).rejects.toMatchObject({ code: 'message_not_found' })
  })

  test('of one crash is young for less time than the alert waits, and its runbook names what the log says', async () => {
    const gauges = async () => {
      await measureUnresolved(world.rt)
      const page = await world.rt.metrics.render()
      const of = (age: string) =>
        Number(new RegExp(`^postern_messages_unresolved\\{age="${age}"\\} (\\d+)`, 'm').exec(page)?.[1])
      return { young: of('young'), old: of('old') }
    }
    world.clock.advance(20 * minuteMs)
    await recoverMessages(world.rt)
    const before = await gauges()
    await unknownBy('a node that died before it called')
    expect(await gauges()).toEqual({ young: before.young + 1, old: before.old })
    world.clock.advance(15 * minuteMs)
    expect(await gauges()).toEqual({ young: 0, old: before.old + before.young + 1 })
    const alerts = readFileSync(join(root, 'deploy/prometheus-alerts.yaml'), 'utf8')
    const rule = alerts.slice(alerts.indexOf('PosternUnresolvedMessages')).split('- alert')[0]
    expect(rule).toContain('postern_messages_unresolved{age="young"}')
    expect(rule).toContain('for: 15m')
    const runbook = readFileSync(join(root, 'docs/monitoring.md'), 'utf8').split(/^### /m)
    const section = runbook.find((text) => text.startsWith('PosternUnresolvedMessages'))
    const logged = world.logLines.findLast((line) => line.includes('message.outcome_unknown_after_crash'))
    expect(logged).toBeDefined()
    expect(section).toContain('`message.outcome_unknown_after_crash`')
  })
})
