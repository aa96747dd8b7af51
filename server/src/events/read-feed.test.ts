import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { feedSettled } from '../../../test/support/feed.ts'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { publish } from '../../../test/support/webhook-world.ts'
import type { EventQuery } from '../contract/event-feed.ts'
import { dayMs, minuteMs } from '../lib/durations.ts'
import { readFeed } from './read-feed.ts'

const accountId = 'acc_one'
let world: TestRuntime & { accountId: string }

/** Publishes events and gives their ids. */
async function publishSome(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push(await publish(world, { data: { message_id: `m${index}` } }))
  await feedSettled(world.rt.store)
  return ids
}

async function read(query: EventQuery = {}) {
  const { events, pagination } = await readFeed(world.rt, accountId, query)
  return { ids: events.map(({ id }) => id), cursor: pagination.next_cursor, hasMore: pagination.has_more }
}

const now = () => new Date(world.clock.now()).toISOString()

describe.each(engines)('the event feed on %s', (engine) => {
  beforeEach(async () => {
    world = { ...(await aRuntime(engine)), accountId }
  })
  afterEach(() => world.dispose())

  test('a reader that started at a time resumes with the cursor, without that time or with any other', async () => {
    await publishSome(2)
    world.clock.advance(120_000)
    const since = now()
    const [first = '', ...rest] = await publishSome(3)
    const { ids, cursor } = await read({ since, limit: 1 })
    expect(ids).toEqual([first])
    world.clock.advance(60_000)
    for (const given of [{}, { since }, { since: now() }]) expect((await read({ ...given, cursor })).ids).toEqual(rest)
  })

  test('a reader that started at a time and found nothing gets only later events', async () => {
    await publishSome(3)
    world.clock.advance(120_000)
    const { ids, cursor } = await read({ since: now() })
    expect(ids).toEqual([])
    expect((await read({ cursor })).ids).toEqual([])
    const later = await publishSome(2)
    expect((await read({ cursor })).ids).toEqual(later)
  })

  test('a reader at the end stays there: empty pages neither repeat events nor skip any', async () => {
    const earlier = await publishSome(2)
    const first = await read()
    expect(first.ids).toEqual(earlier)
    const second = await read({ cursor: first.cursor })
    const third = await read({ cursor: second.cursor })
    expect([second, third]).toEqual(Array(2).fill({ ids: [], cursor: first.cursor, hasMore: false }))
    const later = await publishSome(1)
    expect((await read({ cursor: third.cursor })).ids).toEqual(later)
  })

  test('a page has more events behind it only if there are some', async () => {
    const ids = await publishSome(4)
    const first = await read({ limit: 2 })
    const last = await read({ limit: 2, cursor: first.cursor })
    expect([first.hasMore, last.hasMore]).toEqual([true, false])
    expect([...first.ids, ...last.ids]).toEqual(ids)
    expect((await read({ limit: 4 })).hasMore).toBe(false)
  })

  test('leads a reader past events that retention has not deleted yet', async () => {
    const first = await publishSome(1)
    world.clock.advance(world.rt.config.retentionDeliveriesDays * dayMs + minuteMs)
    const second = await publishSome(1)
    const page = await read({ limit: 1 })
    expect(page.ids).toEqual(first)
    expect((await read({ limit: 1, cursor: page.cursor })).ids).toEqual(second)
  })

  test('a cursor used with other filters is rejected with their names', async () => {
    await publishSome(2)
    const { cursor } = await read({ type: 'message.sent', limit: 1 })
    await expect(read({ cursor, type: 'message.read' })).rejects.toMatchObject({
      code: 'invalid_cursor',
      message:
        '`type` differs from the page that gave this cursor. Repeat the filters of that page, or start again without the cursor.',
    })
    await expect(read({ cursor, message_id: 'm1' })).rejects.toMatchObject({
      message: expect.stringMatching(/^`type`, `message_id` differ from/),
    })
  })

  test('a reader that asks once a week never loses its place, though nothing happens for two months', async () => {
    await publishSome(1)
    let { cursor } = await read()
    for (let week = 0; week < 9; week++) {
      world.clock.advance(7 * dayMs)
      ;({ cursor } = await read({ cursor }))
    }
    const later = await publishSome(1)
    expect((await read({ cursor })).ids).toEqual(later)
  })

  test('a reader that stayed away longer than events are kept is told that its cursor has expired', async () => {
    await publishSome(1)
    const { cursor } = await read()
    world.clock.advance(15 * dayMs)
    await expect(read({ cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
      message: expect.stringMatching(/^The cursor has expired\. Start again without it, or with `since`/),
    })
  })
})
