import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { feedSettled } from '../../../test/support/feed.ts'
import { type EngineName, engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { publish } from '../../../test/support/webhook-world.ts'
import { listenerStream } from '../http/v1/listening.ts'
import { operation } from '../store/engine/operation.ts'
import { Unit } from '../store/engine/unit.ts'
import { openListener } from '../webhooks/listen/open-listener.ts'
import { readFeed, resetFeed, resetForeignFeed } from './read-feed.ts'

const accountId = 'acc_one'
const owner = { accountId, keyId: 'key_one' }
let world: TestRuntime & { accountId: string }

async function start(engine: EngineName): Promise<void> {
  world = { ...(await aRuntime(engine)), accountId }
}
afterEach(() => world.dispose())

async function publishAndSettle(): Promise<string> {
  const id = await publish(world)
  await feedSettled(world.rt.store)
  return id
}

/** As pg_restore leaves them in a cluster that has run fewer transactions than the one of the backup. */
const moveToAnotherCluster = operation({
  name: 'test.move_to_another_cluster',
  input: { by: 'int' },
  alone: true,
  sql: 'update events set tx = tx + (select "by" from rows)',
})

describe.each(engines)('the event feed on %s', (engine) => {
  beforeEach(() => start(engine))

  test('refuses a cursor from before a reset, says what to do, and starts again with everything', async () => {
    const first = await publishAndSettle()
    const { pagination } = await readFeed(world.rt, accountId, {})
    await resetFeed(world.rt)
    const second = await publishAndSettle()
    await expect(readFeed(world.rt, accountId, { cursor: pagination.next_cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
      message: expect.stringContaining('Start again without it, or with `since`'),
    })
    const again = await readFeed(world.rt, accountId, {})
    expect(again.events.map(({ id }) => id)).toEqual([first, second])
    const third = await publishAndSettle()
    const next = await readFeed(world.rt, accountId, { cursor: again.pagination.next_cursor })
    expect(next.events.map(({ id }) => id)).toEqual([third])
  })

  test('ends the stream of a listener with a reset; with the time of its last event it misses nothing', async () => {
    const listener = await openListener(world.rt, owner)
    const options = {
      events: undefined,
      signal: new AbortController().signal,
      isAllowed: async () => true,
      isUnchanged: async () => true,
    }
    const stream = listenerStream(world.rt, listener, options)
    expect((await stream.next()).value).toContain('event: listening')
    const first = await publishAndSettle()
    expect((await stream.next()).value).toContain(first)
    const lastSeenAt = new Date(world.clock.now()).toISOString()
    await resetFeed(world.rt)
    expect((await stream.next()).done).toBe(true)
    world.clock.advance(1_000)
    const second = await publishAndSettle()
    await expect(openListener(world.rt, owner, { cursor: listener.cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
    const again = listenerStream(world.rt, await openListener(world.rt, owner, { since: lastSeenAt }), options)
    const texts = [(await again.next()).value, (await again.next()).value, (await again.next()).value].join()
    expect([texts.includes(first), texts.includes(second)]).toEqual([true, true])
    await again.return(undefined)
  })

  test('a listener that begins at a time gets nothing from before it', async () => {
    const before = await publishAndSettle()
    world.clock.advance(5_000)
    const since = new Date(world.clock.now()).toISOString()
    const after = await publishAndSettle()
    const options = {
      events: undefined,
      signal: new AbortController().signal,
      isAllowed: async () => true,
      isUnchanged: async () => true,
    }
    const stream = listenerStream(world.rt, await openListener(world.rt, owner, { since }), options)
    await stream.next()
    const next = (await stream.next()).value ?? ''
    expect([next.includes(before), next.includes(after)]).toEqual([false, true])
    await stream.return(undefined)
  })

  test('is not reset by a start on data of its own', async () => {
    await publishAndSettle()
    const { pagination } = await readFeed(world.rt, accountId, {})
    await resetForeignFeed(world.rt)
    expect((await readFeed(world.rt, accountId, { cursor: pagination.next_cursor })).events).toEqual([])
  })
})

describe('the event feed of a database restored into another PostgreSQL cluster', () => {
  beforeEach(() => start('postgres'))

  test('is reset by the start: old cursors are refused, and old events stand before new ones', async () => {
    const old = [await publishAndSettle(), await publishAndSettle()]
    const { pagination } = await readFeed(world.rt, accountId, {})
    const unit = new Unit()
    unit.add(moveToAnotherCluster, { by: 1_000_000_000 })
    await world.rt.store.write(unit)
    await resetForeignFeed(world.rt)
    expect(world.logLines.join('')).toContain('feed.reset_after_restore')
    const fresh = await publishAndSettle()
    await expect(readFeed(world.rt, accountId, { cursor: pagination.next_cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
    const { events } = await readFeed(world.rt, accountId, {})
    expect(events.map(({ id }) => id)).toEqual([...old, fresh])
  })

  test('is put in order by "postern feed reset" also when new events came first', async () => {
    const old = await publishAndSettle()
    const unit = new Unit()
    unit.add(moveToAnotherCluster, { by: 1_000_000_000 })
    await world.rt.store.write(unit)
    const fresh = await publishAndSettle()
    expect((await readFeed(world.rt, accountId, {})).events.map(({ id }) => id)).toEqual([fresh])
    expect(await resetFeed(world.rt)).toMatchObject({ settled: 2 })
    expect((await readFeed(world.rt, accountId, {})).events.map(({ id }) => id)).toEqual([old, fresh])
  })
})
