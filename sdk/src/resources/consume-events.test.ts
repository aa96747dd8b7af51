import { describe, expect, test } from 'vitest'
import type { Postern } from '../client.ts'
import { FakeGateway, type Reply, rejection, type SeenRequest, WoundClock } from '../testing/fake-gateway.ts'
import type { EventConsumer } from './consume-events.ts'
import type { PosternEvent } from './event-types.ts'

const startAt = '2026-01-01T00:00:00.000Z'
const timeOf = (id: string) => new Date(Date.parse(startAt) + Number(id.slice(1)) * 60_000).toISOString()
const queryOf = ({ url }: SeenRequest) => Object.fromEntries(new URL(url, 'http://gateway.test').searchParams)

/** Pages of events; the cursor is the number of the page. Behind them nothing new, and the same cursor. */
function feedOf(...pages: string[][]) {
  return (request: SeenRequest): Reply => {
    const position = Number(queryOf(request).cursor ?? 0)
    const events = (pages[position] ?? []).map((id) => ({ id, type: 'message.sent', timestamp: timeOf(id), data: {} }))
    const next = Math.min(position + 1, pages.length)
    const pagination = { limit: 2, has_more: next < pages.length, next_cursor: String(next) }
    return { data: { events, pagination }, headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' } }
  }
}

/** A program with a place for its position. It is stopped when the feed is quiet. */
function aProgram(over: Partial<EventConsumer> = {}) {
  const handled: string[] = []
  const saved: string[] = []
  const stopping = new AbortController()
  const clock = new WoundClock()
  const quiet = {
    ...clock,
    sleep: async (ms: number) => {
      await clock.sleep(ms)
      // A rest of the feed is a second; what follows a failure is shorter by chance.
      if (ms === 1_000) stopping.abort()
      stopping.signal.throwIfAborted()
    },
  }
  const handle = (event: PosternEvent) => void handled.push(event.id)
  const consumer = { load: () => saved.at(-1), save: (position: string) => void saved.push(position), handle, ...over }
  const run = (client: Postern) => client.events.consume({ since: startAt, signal: stopping.signal, ...consumer })
  return { handled, saved, clock, quiet, stopping, run }
}

describe('a consumer of events', () => {
  test('hands over every event, and saves its position after each of them', async () => {
    await using gateway = await FakeGateway.start(feedOf(['e1', 'e2'], ['e3']))
    const program = aProgram({ type: 'message.sent' })
    await program.run(gateway.client({}, program.quiet))
    expect(program.handled).toEqual(['e1', 'e2', 'e3'])
    expect(program.saved).toEqual([
      startAt,
      `${startAt}  e1`,
      `${startAt}  e2`,
      `${timeOf('e2')} 1`,
      `${timeOf('e2')} 1 e3`,
      `${timeOf('e3')} 2`,
    ])
    expect(gateway.seen.map(queryOf)).toEqual([
      { type: 'message.sent', since: startAt },
      { type: 'message.sent', cursor: '1' },
    ])
  })

  test('repeats after a crash only the event in hand, on the first page and on later ones', async () => {
    await using gateway = await FakeGateway.start(feedOf(['e1', 'e2'], ['e3', 'e4']))
    const seen: string[] = []
    const crashes = ['e2', 'e4']
    const program = aProgram({
      handle: ({ id }) => {
        seen.push(id)
        if (id === crashes[0]) throw new Error(`crash at ${crashes.shift()}`)
      },
    })
    const client = gateway.client({}, program.quiet)
    expect(await rejection(program.run(client))).toEqual(new Error('crash at e2'))
    expect(await rejection(program.run(client))).toEqual(new Error('crash at e4'))
    await program.run(client)
    expect(seen).toEqual(['e1', 'e2', 'e2', 'e3', 'e4', 'e4'])
    // The time of an event is no place to start from: one that was recorded earlier can stand behind it.
    expect(queryOf(gateway.seen[1] as SeenRequest)).toEqual({ since: startAt })
  })

  test('saves its start before the first event, so that a program that is stopped at once skips nothing', async () => {
    await using gateway = await FakeGateway.start(feedOf())
    const program = aProgram()
    await gateway.client({}, program.quiet).events.consume({
      load: () => undefined,
      save: (position) => void program.saved.push(position),
      handle: () => {},
      signal: program.stopping.signal,
    })
    expect(gateway.seen.map(queryOf)).toEqual([{ limit: '1' }, { since: startAt }])
    expect(program.saved).toEqual([startAt, `${startAt} 0`])
  })

  test('waits for a gateway that is away, longer each time up to a minute, and tells about it', async () => {
    let down = 9
    const feed = feedOf(['e1'])
    await using gateway = await FakeGateway.start((request) => (down-- > 0 ? 'reset' : feed(request)))
    const waits: number[] = []
    const codes = new Set<string>()
    const program = aProgram({
      onRetry: ({ error, waitMs }) => {
        waits.push(waitMs)
        codes.add(error.code)
      },
    })
    await program.run(gateway.client({ maxRetries: 0 }, program.quiet))
    expect(waits).toEqual([750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000])
    expect([...codes, ...program.handled]).toEqual(['connection_failed', 'e1'])
  })

  test('waits as long as the gateway asks, at most an hour', async () => {
    const refusals = [30, 90_000].map((retry_after) => ({
      error: { code: 'rate_limit_exceeded', status: 429, type: 'rate_limit', retryable: true, retry_after },
    }))
    const feed = feedOf(['e1'])
    await using gateway = await FakeGateway.start((request) => refusals.shift() ?? feed(request))
    const program = aProgram()
    await program.run(gateway.client({ maxRetries: 0 }, program.quiet))
    expect(program.clock.sleptMs).toEqual([30_000, 3_600_000, 1_000])
  })

  test('hands an event over again when a call of the handler failed for a moment', async () => {
    const feed = feedOf(['e1'])
    const replies: Reply[] = ['reset', { data: { message_id: 'm', status: 'sent' } }]
    await using gateway = await FakeGateway.start((request) =>
      request.method === 'POST' ? (replies.shift() ?? 'hang') : feed(request),
    )
    const program = aProgram()
    const client = gateway.client({ maxRetries: 0 }, program.quiet)
    const handle = async ({ id }: PosternEvent) => {
      await client.messages.send({ to: '+12025550100', message: 'Hello' }, { idempotencyKey: id })
      program.handled.push(id)
    }
    await client.events.consume({
      load: () => startAt,
      save: (position) => void program.saved.push(position),
      handle,
      signal: program.stopping.signal,
    })
    expect(program.handled).toEqual(['e1'])
    const keys = gateway.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['e1', 'e1'])
  })

  test('ends with an error that will not pass, and saves nothing', async () => {
    const error = { code: 'insufficient_scope', status: 403, type: 'permission' }
    await using gateway = await FakeGateway.start(() => ({ error }))
    const program = aProgram()
    expect(await rejection(program.run(gateway.client({}, program.quiet)))).toMatchObject({
      code: 'insufficient_scope',
    })
    expect([program.saved, program.clock.sleptMs]).toEqual([[startAt], []])
  })

  test('continues a minute before its last event when the gateway no longer knows the position', async () => {
    const refusal = { code: 'invalid_cursor', status: 400, type: 'invalid_request', message: 'Restored.' }
    const feed = feedOf(['e6', 'e7'])
    await using gateway = await FakeGateway.start((request) =>
      queryOf(request).cursor === 'old' ? { error: refusal } : feed(request),
    )
    const notices: unknown[] = []
    const program = aProgram({
      load: () => `${timeOf('e6')} old e5`,
      onRestart: ({ error, since }) => void notices.push([error.message, since]),
    })
    await program.run(gateway.client({}, program.quiet))
    expect(notices).toEqual([['Restored.', timeOf('e5')]])
    expect(gateway.seen.map(queryOf)).toEqual([{ cursor: 'old' }, { since: timeOf('e5') }])
    expect(program.handled).toEqual(['e6', 'e7'])
    expect(program.saved.at(-1)).toBe(`${timeOf('e7')} 1`)
  })

  test('finishes and saves the event in hand when it is stopped', async () => {
    await using gateway = await FakeGateway.start(feedOf(['e1', 'e2', 'e3']))
    const program = aProgram({
      handle: async ({ id }) => {
        program.handled.push(id)
        if (id === 'e2') program.stopping.abort()
      },
    })
    await program.run(gateway.client({}, program.quiet))
    expect([program.handled, program.saved.at(-1)]).toEqual([['e1', 'e2'], `${startAt}  e2`])
  })

  test('stops at once while it waits for a gateway that is away', async () => {
    await using gateway = await FakeGateway.start(() => 'reset')
    const stopping = new AbortController()
    const onRetry = () => stopping.abort()
    const consumer = { load: () => startAt, save: () => {}, handle: () => {}, signal: stopping.signal, onRetry }
    expect(await gateway.client({ maxRetries: 0 }).events.consume(consumer)).toBeUndefined()
  })

  test('saves nothing while the feed is quiet', async () => {
    await using gateway = await FakeGateway.start(feedOf(['e1']))
    const program = aProgram({ load: () => `${startAt} 1` })
    await program.run(gateway.client({}, program.quiet))
    expect([gateway.seen.length, program.saved]).toEqual([1, []])
  })

  test.each(['', 'c1.abc.def', 'not a position'])(
    'refuses the position %j instead of skipping events',
    async (text) => {
      await using gateway = await FakeGateway.start(feedOf(['e1']))
      expect(await rejection(aProgram({ load: () => text }).run(gateway.client()))).toBeInstanceOf(TypeError)
      expect(gateway.seen).toEqual([])
    },
  )
})
