import { Agent, request } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ItemHandlers, ItemInContext, ItemOutcome } from '../../server/src/channels/callbacks/callback-items.ts'
import { channelItemHandlers } from '../../server/src/channels/callbacks/channel-item-handlers.ts'
import { channelOfCallback } from '../../server/src/channels/callbacks/receive-callback.ts'
import { expireOldCallbacks } from '../../server/src/channels/callbacks/retry-items.ts'
import { listChannels, listNumbers } from '../../server/src/channels/channel-record.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { claimCallbacks, finishCallback, leaseCallback } from '../../server/src/store/channels/callbacks.ts'
import { StoreUnavailable } from '../../server/src/store/engine/store-error.ts'
import type { Touched } from '../../server/src/store/engine/topics.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { claimJobs } from '../../server/src/store/jobs/jobs.ts'
import { templateItemHandlers } from '../../server/src/templates/sync/template-item-handlers.ts'
import { type CallbackApplier, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import {
  aChannelWorld,
  aStatus,
  aText,
  type ChannelWorld,
  type Connected,
  eventBody,
  messagesBody,
  signature,
} from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks, listCallbackItems } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

describe.each(engines)('callbacks on %s', (engine) => {
  let world: ChannelWorld
  let accountId: string
  let channel: Connected
  let applier: CallbackApplier | null = null

  beforeAll(async () => {
    world = await aChannelWorld(engine)
  })
  beforeEach(async () => {
    accountId = await world.newAccount()
    channel = await world.connect(accountId)
  })
  afterEach(async () => {
    await applier?.drain(5_000)
    applier = null
  })
  afterAll(() => world.dispose())

  const counts = async () => (await world.rt.store.read(countCallbacks, {}))[0] ?? { stored: 0, applied: 0 }
  const items = (state: string) =>
    world.rt.store.read(listCallbackItems, { account_id: accountId, state, count: 10_000 })
  const metrics = async (name: string) =>
    (await world.rt.metrics.render()).split('\n').filter((line) => line.startsWith(name))

  /** Runs the applier until everything stored is applied. */
  async function apply(handlers: ItemHandlers): Promise<void> {
    applier ??= startCallbackApplier(world.rt, handlers)
    await waitFor(async () => {
      const { stored, applied } = await counts()
      return stored === applied
    })
  }

  /** A handler that remembers what it was given. */
  function collector(answer: (entry: ItemInContext) => ItemOutcome = () => 'applied') {
    const seen: ItemInContext[] = []
    const handler = async (_rt: Runtime, batch: readonly ItemInContext[]): Promise<ItemOutcome[]> => {
      seen.push(...batch)
      return batch.map(answer)
    }
    return {
      seen,
      ids: () => seen.map(({ item }) => ('channelMessageId' in item ? item.channelMessageId : '')),
      handler,
    }
  }

  describe('the handshake', () => {
    const ask = (query: string, url = channel.callbackUrl) => fetch(`${url}?${query}`)

    test('answers the verify token of the channel with the bare challenge', async () => {
      const id = channel.callbackUrl.split('/').at(-2) ?? ''
      const verifyToken = (await channelOfCallback(world.rt, id))?.verifyToken ?? ''
      const response = await ask(`hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${verifyToken}`)
      expect([response.status, await response.text()]).toEqual([200, '1158201444'])
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
      const other = await world.connect(await world.newAccount())
      const query = `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${verifyToken}`
      expect((await ask(query, other.callbackUrl)).status).toBe(403)
    })

    test('refuses a wrong token, a missing one, a repeated one and another mode', async () => {
      for (const query of [
        'hub.mode=subscribe&hub.challenge=1&hub.verify_token=wrong',
        'hub.mode=subscribe&hub.challenge=1',
        'hub.mode=subscribe&hub.challenge=1&hub.verify_token=a&hub.verify_token=b',
        'hub.mode=unsubscribe&hub.challenge=1&hub.verify_token=wrong',
        '',
      ]) {
        expect((await ask(query)).status, query).toBe(403)
      }
    })

    test('does not exist for an unknown address', async () => {
      const response = await ask('hub.mode=subscribe', `${world.baseUrl}/channel/${'0'.repeat(32)}/callback`)
      expect([response.status, await response.text()]).toEqual([404, ''])
    })
  })

  describe('the receiver', () => {
    test('keeps room for others while one account sends bodies that never end', async () => {
      await using cleanup = new AsyncDisposableStack()
      const patient = await aChannelWorld(engine)
      cleanup.defer(() => patient.dispose())
      const [crowd, other] = [
        await patient.connect(await patient.newAccount()),
        await patient.connect(await patient.newAccount()),
      ]
      const agent = new Agent({ keepAlive: false })
      cleanup.defer(() => agent.destroy())
      let cutOff = 0
      const slow = Array.from({ length: 40 }, () => {
        const headers = { 'content-length': '1000', 'content-type': 'application/json' }
        const one = request(crowd.callbackUrl, { agent, method: 'POST', headers })
        one.on('error', () => {}).on('close', () => cutOff++)
        one.write('{')
        return one
      })
      await waitFor(() => slow.every(({ socket }) => socket !== null && !socket.connecting && socket.bytesWritten > 0))
      const answer = await patient.post(other, messagesBody(other, { messages: [aText(`wamid.FREE${engine}`)] }))
      // None of the slow ones had to leave first.
      expect([answer.status, cutOff]).toEqual([200, 0])
      for (const one of slow) one.destroy()
    })

    test('answers 200 only when the bytes are stored, whatever a well-signed body says', async () => {
      const bodies = [
        '',
        '{}',
        '[]',
        'null',
        'not json',
        '{"object":"other"}',
        '\u0000',
        Buffer.from([0xff, 0xfe, 0x00]),
      ]
      for (const body of bodies) {
        const before = await counts()
        expect((await world.post(channel, body)).status, JSON.stringify(body)).toBe(200)
        expect((await counts()).stored, JSON.stringify(body)).toBe(before.stored + 1)
      }
    })

    test('refuses a body that is signed wrongly, stores nothing and counts it', async () => {
      const before = await counts()
      const body = messagesBody(channel, { messages: [aText('wamid.A')] })
      for (const header of [signature(body, 'wrong'), signature(`${body} `, channel.appSecret), 'sha256=', 'sha1=00']) {
        expect((await world.post(channel, body, { 'x-hub-signature-256': header })).status).toBe(401)
      }
      expect((await world.post(channel, body, {})).status).toBe(401)
      expect(await counts()).toEqual(before)
      expect((await metrics('postern_channel_events_received_total')).join('\n')).toContain('bad_signature')
    })

    test('refuses the signature of another tenant', async () => {
      const other = await world.connect(await world.newAccount())
      const body = messagesBody(channel, { messages: [aText('wamid.A')] })
      const response = await world.post(channel, body, { 'x-hub-signature-256': signature(body, other.appSecret) })
      expect(response.status).toBe(401)
    })

    test('takes a body of almost 3 MB and refuses a larger one before reading it', async () => {
      const large = JSON.stringify({ filler: 'x'.repeat(3 * 1024 * 1024 - 100) })
      expect((await world.post(channel, large)).status).toBe(200)
      expect((await world.post(channel, `${large}${' '.repeat(200)}`)).status).toBe(413)
    })

    test('stores a repeated body once', async () => {
      const body = messagesBody(channel, { messages: [aText('wamid.REPEATED')] })
      const before = await counts()
      const answers = await Promise.all(Array.from({ length: 5 }, () => world.post(channel, body)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect((await counts()).stored).toBe(before.stored + 1)
    })

    test('answers an unknown address with 404 and no body', async () => {
      const stranger = { ...channel, callbackUrl: `${world.baseUrl}/channel/${'a'.repeat(32)}/callback` }
      const response = await world.post(stranger, '{}')
      expect([response.status, await response.text()]).toEqual([404, ''])
    })

    test('answers 503 while the database is away, so that the platform comes again', async () => {
      const { write } = world.rt.store
      Object.assign(world.rt.store, {
        write: () => Promise.reject(new StoreUnavailable('not_stored', new Error('away'))),
      })
      try {
        expect((await world.post(channel, '{"a":1}')).status).toBe(503)
      } finally {
        Object.assign(world.rt.store, { write })
      }
      expect((await world.post(channel, '{"a":1}')).status).toBe(200)
    })

    test('reads many bodies at once without losing one', async () => {
      const before = await counts()
      const bodies = Array.from({ length: 200 }, (_, index) =>
        messagesBody(channel, { statuses: [aStatus(`wamid.${engine}${index}`)] }),
      )
      const answers = await Promise.all(bodies.map((body) => world.post(channel, body)))
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect((await counts()).stored).toBe(before.stored + 200)
    })

    test('never writes what customers wrote into the log', async () => {
      await world.post(
        channel,
        messagesBody(channel, { messages: [{ ...aText('wamid.L'), text: { body: 'sesame' } }] }),
      )
      await apply({})
      expect(world.logLines.join('')).not.toContain('sesame')
    })
  })

  describe('the applier', () => {
    test('hands over every item of a batch of 1,000, messages before statuses', async () => {
      const messages = Array.from({ length: 10 }, (_, index) => aText(`wamid.IN${index}`))
      const statuses = Array.from({ length: 990 }, (_, index) => aStatus(`wamid.OUT${index}`))
      await world.post(channel, messagesBody(channel, { statuses, messages }))
      const order: string[] = []
      const note = async (_rt: Runtime, batch: readonly ItemInContext[]): Promise<ItemOutcome[]> => {
        order.push(...batch.map(({ item }) => item.kind))
        return batch.map(() => 'applied')
      }
      await apply({ message: note, status: note })
      expect(order).toEqual([...Array(10).fill('message'), ...Array(990).fill('status')])
    })

    test('hands over what customers wrote in the order in which it came in', async () => {
      const ids = Array.from({ length: 12 }, (_, index) => `wamid.TURN${index}`)
      for (const id of ids) await world.post(channel, messagesBody(channel, { messages: [aText(id)] }))
      const { ids: handed, handler } = collector()
      await apply({ message: handler })
      expect(handed()).toEqual(ids)
    })

    test('tells each item its account, channel and number, and when it came in', async () => {
      const { seen, handler } = collector()
      await world.post(channel, messagesBody(channel, { messages: [aText('wamid.PLACE')] }))
      await apply({ message: handler })
      expect(seen.map(({ context }) => context)).toMatchObject([
        {
          accountId,
          channel: { id: channel.channelId, kind: 'sandbox', wabaId: channel.wabaId },
          number: { id: channel.numberId },
          receivedAt: world.clock.now(),
        },
      ])
      const [number] = await listNumbers(world.rt, accountId)
      expect(number?.last_inbound_at).toBe(new Date(world.clock.now()).toISOString())
      expect((await listChannels(world.rt, accountId))[0]?.last_event_at).toBe(number?.last_inbound_at)
    })

    test('applies an item for another number of the account there, and records one for a stranger as unhandled', async () => {
      const second = await world.connect(accountId)
      const foreign = await world.connect(await world.newAccount())
      const { seen, handler } = collector()
      await world.post(channel, messagesBody(second, { messages: [aText('wamid.SECOND')] }))
      await world.post(channel, messagesBody(foreign, { messages: [aText('wamid.FOREIGN')] }))
      await apply({ message: handler })
      expect(seen.map(({ context }) => context.number?.id)).toEqual([second.numberId])
      expect(await items('unhandled')).toMatchObject([{ kind: 'message', reason: 'no_place', account_id: accountId }])
    })

    test('routes events without a number by their business account', async () => {
      const { seen, handler } = collector()
      const value = { event: 'APPROVED', message_template_id: 5, message_template_name: 'a' }
      await world.post(channel, eventBody(channel, 'message_template_status_update', value))
      await apply({ template_status: handler })
      expect(seen.map(({ context }) => [context.channel.id, context.number])).toEqual([[channel.channelId, null]])
    })

    test('loses no neighbour to an item that makes its handler throw, and keeps the item itself', async () => {
      const { ids, handler } = collector()
      const picky = async (rt: Runtime, batch: readonly ItemInContext[]): Promise<ItemOutcome[]> => {
        if (batch.some(({ item }) => 'channelMessageId' in item && item.channelMessageId === 'wamid.BAD')) {
          throw new Error('I cannot read this.')
        }
        return handler(rt, batch)
      }
      const wanted = Array.from({ length: 20 }, (_, index) => `wamid.GOOD${index}`)
      const all = [...wanted.slice(0, 10), 'wamid.BAD', ...wanted.slice(10)]
      await world.post(channel, messagesBody(channel, { messages: all.map(aText) }))
      await apply({ message: picky })
      expect(ids()).toEqual(wanted)
      expect(await items('waiting')).toMatchObject([{ kind: 'message', reason: 'failed' }])
    })

    test('records what nobody understands, once, and counts it', async () => {
      const body = eventBody(channel, 'field_of_the_future', { new: true })
      await world.post(channel, body)
      await world.post(channel, `${body} `)
      await apply({})
      const recorded = await items('unhandled')
      expect(recorded).toMatchObject([{ kind: 'unhandled', reason: 'unknown_field' }])
      expect(recorded[0]?.item).toContain('field_of_the_future')
      const counted = (await metrics('postern_channel_events_received_total')).join('\n')
      expect(counted).toContain('kind="unhandled",outcome="unknown"')
    })

    test('applies an event once, however often and in whatever company it comes', async () => {
      const { seen, handler } = collector()
      const value = { display_phone_number: '15550100001', event: 'THROUGHPUT_UPGRADE' }
      const body = eventBody(channel, 'phone_number_quality_update', value)
      await world.post(channel, body)
      await apply({ number_quality: handler })
      await world.post(channel, ` ${body}`)
      await world.post(channel, `  ${body}`)
      await apply({ number_quality: handler })
      expect(seen).toHaveLength(1)
      expect(await items('applied')).toHaveLength(1)
    })

    test('hands a message that stands twice in a batch over once', async () => {
      const { ids, handler } = collector()
      await world.post(channel, messagesBody(channel, { messages: [aText('wamid.TWICE'), aText('wamid.TWICE')] }))
      await apply({ message: handler })
      expect(ids()).toEqual(['wamid.TWICE'])
    })

    test('brings a status that matches nothing again until it does', async () => {
      let known = false
      const { ids, handler } = collector(() => (known ? 'applied' : 'unmatched'))
      await world.post(channel, messagesBody(channel, { statuses: [aStatus('wamid.EARLY')] }))
      await apply({ status: handler })
      expect(await items('waiting')).toMatchObject([{ kind: 'status', reason: 'unmatched' }])
      known = true
      world.clock.advance(1_000)
      await waitFor(async () => (await items('waiting')).length === 0)
      expect(ids()).toEqual(['wamid.EARLY', 'wamid.EARLY'])
      expect(await items('unhandled')).toEqual([])
    })

    test('records a status that matched nothing for ten minutes as unhandled', async () => {
      const { ids, handler } = collector(() => 'unmatched')
      await world.post(channel, messagesBody(channel, { statuses: [aStatus('wamid.LOST')] }))
      await apply({ status: handler })
      world.clock.advance(600_000)
      await waitFor(async () => (await items('unhandled')).length === 1)
      expect(await items('unhandled')).toMatchObject([{ kind: 'status', reason: 'unmatched' }])
      const tries = ids().length
      world.clock.advance(3_600_000)
      await apply({ status: handler })
      expect(ids()).toHaveLength(tries)
    })

    test('tells those who look at the channel once it is applied, not when it comes in', async () => {
      const heard: Touched[] = []
      const stop = world.rt.store.onCommit('channels', (touched) => heard.push(touched))
      await world.post(channel, messagesBody(channel, { messages: [aText('wamid.SEEN')] }))
      expect(heard).toEqual([])
      await apply({ message: collector().handler })
      await waitFor(() => heard.length > 0)
      expect(heard).toEqual([new Set([accountId])])
      stop()
    })

    test('goes on after the database was away for a moment, without waiting for its own lease, and loses nothing', async () => {
      let calls = 0
      const { ids, handler } = collector(() => (calls <= 2 ? 'unmatched' : 'applied'))
      /** The callback is cut off once, and so is the status that it leaves waiting. */
      const cutOff = async (rt: Runtime, batch: readonly ItemInContext[]) => {
        calls++
        if (calls === 1 || calls === 3) throw new StoreUnavailable('not_stored', new Error('away'))
        return handler(rt, batch)
      }
      await world.post(channel, messagesBody(channel, { statuses: [aStatus('wamid.BLINK')] }))
      await apply({ status: cutOff })
      expect(await items('waiting')).toMatchObject([{ reason: 'unmatched' }])
      world.clock.advance(1_000)
      await waitFor(async () => (await items('waiting')).length === 0)
      expect(ids()).toEqual(['wamid.BLINK', 'wamid.BLINK'])
    })

    test('takes over within 15 s what a process had begun that died', async () => {
      const { ids, handler } = collector()
      const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await world.post(channel, messagesBody(channel, { messages: [aText('wamid.LEFT')] }))
      const dead = startCallbackApplier(world.rt, {
        message: async (_, batch) => {
          begun.resolve()
          await release.promise
          return batch.map((): ItemOutcome => 'applied')
        },
      })
      try {
        await begun.promise
        world.clock.advance(15_000)
        await apply({ message: handler })
        expect(ids()).toEqual(['wamid.LEFT'])
      } finally {
        release.resolve()
        await dead.drain(5_000)
      }
    })

    test('brings everything again when it is cut off between the handlers and the mark', async () => {
      const { ids, handler } = collector()
      await world.post(
        channel,
        messagesBody(channel, { messages: [aText('wamid.CUT')], statuses: [aStatus('wamid.S')] }),
      )
      const { write } = world.rt.store
      let cuts = 0
      Object.assign(world.rt.store, {
        write: (unit: Unit) => {
          const marks = unit.calls.some(({ operation }) => operation.name === finishCallback.name)
          return marks && cuts++ === 0 ? Promise.reject(new StoreUnavailable('unknown', new Error('cut'))) : write(unit)
        },
      })
      try {
        applier = startCallbackApplier(world.rt, { message: handler, status: handler })
        await waitFor(() => cuts === 1)
        world.clock.advance(world.rt.config.jobLeaseMs + 1)
        await apply({})
      } finally {
        Object.assign(world.rt.store, { write })
      }
      expect(ids()).toEqual(['wamid.CUT', 'wamid.S', 'wamid.CUT', 'wamid.S'])
    })

    test('goes on with what customers write while the platform does not say how a template is', async () => {
      const { ids, handler } = collector()
      const { getTemplate } = world.rt.platform
      const asked = Promise.withResolvers<never>()
      let questions = 0
      world.rt.platform.getTemplate = () => {
        questions++
        return asked.promise
      }
      try {
        const value = { message_template_id: 1, message_template_name: 'slow', message_template_language: 'en' }
        await world.post(channel, eventBody(channel, 'message_template_components_update', value))
        await apply({ ...templateItemHandlers, message: handler })
        await waitFor(() => questions === 1)
        await world.post(channel, messagesBody(channel, { messages: [aText('wamid.MEANWHILE')] }))
        await waitFor(() => ids().length === 1)
        expect(await items('waiting')).toMatchObject([{ kind: 'template_components', reason: 'ask' }])
        const gone = { kind: 'rejected', outcome: 'refused', code: 'template_not_found' } as const
        asked.reject(new PlatformError(gone))
        await waitFor(async () => (await items('applied')).length === 1)
      } finally {
        world.rt.platform.getTemplate = getTemplate
      }
    })

    test('asks the platform anew when it reports something about a number', async () => {
      const now = () => world.clock.now()
      const due = async () => {
        const unit = new Unit()
        const call = unit.add(claimJobs, { now: now(), lease_until: now() + 1, claim: 'test', count: 1_000 })
        return (await world.rt.store.write(unit)).rows(call).map(({ kind, subject }) => `${kind} ${subject}`)
      }
      await due()
      const value = { display_phone_number: '15550100001', event: 'FLAGGED' }
      await world.post(channel, eventBody(channel, 'phone_number_quality_update', value))
      await apply(channelItemHandlers)
      expect(await due()).toContain(`channels.refresh ${channel.channelId}`)
    })

    test('deletes callbacks and settled items after seven days, and nothing that still waits', async () => {
      await apply({})
      await world.post(channel, eventBody(channel, 'field_of_the_future', { old: true }))
      await apply({})
      await applier?.drain(5_000)
      await world.post(channel, messagesBody(channel, { messages: [aText('wamid.UNAPPLIED')] }))
      world.clock.advance(8 * dayMs)
      await expireOldCallbacks(world.rt)
      expect(await items('unhandled')).toEqual([])
      const { ids, handler } = collector()
      applier = null
      await apply({ message: handler })
      expect(ids()).toEqual(['wamid.UNAPPLIED'])
    })

    test('knows a repeat for eight days, also when its body is gone', async () => {
      const { ids, handler } = collector()
      const body = messagesBody(channel, { messages: [aText('wamid.AGAIN')] })
      await world.post(channel, body)
      await apply({ message: handler })
      for (const days of [7.5, 0.4]) {
        world.clock.advance(days * dayMs)
        await expireOldCallbacks(world.rt)
        await world.post(channel, body)
        await apply({ message: handler })
      }
      expect(ids()).toEqual(['wamid.AGAIN'])
      world.clock.advance(dayMs)
      await expireOldCallbacks(world.rt)
      await world.post(channel, body)
      await apply({ message: handler })
      expect(ids()).toEqual(['wamid.AGAIN', 'wamid.AGAIN'])
    })
  })

  describe('a claim', () => {
    const claim = async (name: string, count = 10, bytes = 1_000_000) => {
      const now = world.clock.now()
      const unit = new Unit()
      const call = unit.add(claimCallbacks, {
        account_id: accountId,
        now,
        lease_until: now + 1_000,
        claim: name,
        count,
        bytes,
      })
      return (await world.rt.store.write(unit)).rows(call)
    }

    test('is exclusive until its lease ends, and a late finish under it changes nothing', async () => {
      await apply({})
      await applier?.drain(5_000)
      await world.post(channel, messagesBody(channel, { messages: [aText(`wamid.CLAIM${engine}`)] }))
      const [first] = await claim('first')
      expect(await claim('second')).toEqual([])
      world.clock.advance(1_001)
      const [second] = await claim('second')
      expect([second?.id, second?.attempts]).toEqual([first?.id, 2])
      const finish = async (name: string) => {
        const unit = new Unit()
        unit.add(finishCallback, { account_id: accountId, id: first?.id ?? '', claim: name })
        await world.rt.store.write(unit)
        const { stored, applied } = await counts()
        return stored - applied
      }
      expect(await finish('first')).toBe(1)
      expect(await finish('second')).toBe(0)
    })

    test('takes from every account in turn, however many callbacks one of them has', async () => {
      const crowd = channel
      const quiet = await world.connect(await world.newAccount())
      for (let index = 0; index < 200; index++) {
        await world.post(crowd, messagesBody(crowd, { messages: [aText(`wamid.CROWD${engine}${index}`)] }))
      }
      await world.post(quiet, messagesBody(quiet, { messages: [aText(`wamid.QUIET${engine}`)] }))
      const { ids, handler } = collector()
      await apply({ message: handler as never })
      expect(ids().indexOf(`wamid.QUIET${engine}`)).toBeGreaterThanOrEqual(0)
      expect(ids().indexOf(`wamid.QUIET${engine}`)).toBeLessThanOrEqual(128)
      expect(ids()).toHaveLength(201)
    })

    test('ends with the body that fills its share of memory', async () => {
      await apply({})
      await applier?.drain(5_000)
      const body = (index: number) => messagesBody(channel, { messages: [aText(`wamid.SIZE${engine}${index}`)] })
      for (let index = 0; index < 4; index++) await world.post(channel, body(index))
      const size = Buffer.byteLength(JSON.stringify(body(0)))
      expect(await claim('one', 10, 1)).toHaveLength(1)
      expect(await claim('two', 10, size + 1)).toHaveLength(2)
      expect(await claim('rest', 10, 10 * size)).toHaveLength(1)
      world.clock.advance(1_001)
      applier = null
      await apply({})
    })

    test('of two processes at once never holds the same callback', async () => {
      await apply({})
      await applier?.drain(5_000)
      for (let index = 0; index < 20; index++) {
        await world.post(channel, messagesBody(channel, { messages: [aText(`wamid.SHARE${engine}${index}`)] }))
      }
      const claims = await Promise.all(['a', 'b', 'c', 'd'].map((name) => claim(name, 5)))
      const ids = claims.flat().map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      const back = new Unit()
      back.add(
        leaseCallback,
        ...claims.flat().map(({ account_id, id, claim: held }) => ({
          account_id,
          id,
          claim: held,
          claim_after: null,
          lease_until: 0,
        })),
      )
      await world.rt.store.write(back)
      applier = null
      await apply({})
      expect((await items('unhandled')).length).toBe(20)
    })
  })
})
