import { afterEach, describe, expect, test } from 'vitest'
import { feedSettled } from '../../../test/support/feed.ts'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { publish } from '../../../test/support/webhook-world.ts'
import { dayMs, minuteMs } from '../lib/durations.ts'
import { readFeed } from './read-feed.ts'

const accountId = 'acc_one'
let world: TestRuntime
afterEach(() => world.dispose())

describe.each(engines)('the event feed on %s', (engine) => {
  test('leads a reader past events that retention has not deleted yet', async () => {
    world = await aRuntime(engine)
    const first = await publish({ ...world, accountId })
    world.clock.advance(world.rt.config.retentionDeliveriesDays * dayMs + minuteMs)
    const second = await publish({ ...world, accountId })
    await feedSettled(world.rt.store)
    const page = await readFeed(world.rt, accountId, { limit: 1 })
    expect(page.events.map(({ id }) => id)).toEqual([first])
    const next = await readFeed(world.rt, accountId, { limit: 1, cursor: page.pagination.next_cursor })
    expect(next.events.map(({ id }) => id)).toEqual([second])
  })
})
