import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, freshDatabase } from '../../../../test/support/postgres/databases.ts'
import { aWebhookWorld, deliveriesOf, publish, type WebhookWorld } from '../../../../test/support/webhook-world.ts'
import { hourMs } from '../../lib/durations.ts'
import { sqliteOperation } from '../../store/engine/dialect.ts'
import type { Operation } from '../../store/engine/operation.ts'
import { queueReplay } from '../../store/webhooks/webhook-replays.ts'
import { registerWebhook } from '../register-webhook.ts'
import { updateWebhook } from '../update-webhook.ts'
import { replayDeliveries } from './replay-deliveries.ts'

const iso = (at: number) => new Date(at).toISOString()

describe.each(engines)('a family of events on %s', (engine) => {
  let world: WebhookWorld
  beforeAll(async () => {
    world = await aWebhookWorld(engine, { idle: true, env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
  })
  afterAll(() => world.dispose())

  test('message.* brings every event of messages and no other, and a replay of it too', async () => {
    const draft = { url: 'https://hooks.test/', events: ['message.*', 'account.quota_warning'], active: false }
    const { id } = await registerWebhook(world.rt, world.accountId, draft)
    const types = ['message.sent', 'template.status_changed', 'message.read', 'account.quota_warning'] as const
    const published = new Map<string, string>()
    for (const type of types) published.set(await publish(world, { type }), type)
    const got = (await deliveriesOf(world, id)).map(({ event_id }) => published.get(event_id))
    expect(got.sort()).toEqual(['account.quota_warning', 'message.read', 'message.sent'])
    await updateWebhook(world.rt, world.accountId, id, { active: true })
    const since = iso(world.clock.now() - hourMs)
    const replay = { since, status: 'all' as const, events: ['message.*'] }
    expect(await replayDeliveries(world.rt, world.accountId, id, replay)).toMatchObject({ matched: 2, queued: 2 })
  })
})

describe.each(engines)('a replay on %s', (engine) => {
  let world: WebhookWorld
  beforeAll(async () => {
    world = await aWebhookWorld(engine, { idle: true, env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
  })
  afterAll(() => world.dispose())
  beforeEach(() => {
    world.accountId = world.rt.newId('acc')
  })

  /** A webhook that slept through events at these times. */
  async function asleep(times: readonly number[]): Promise<{ id: string; events: string[] }> {
    const draft = { url: 'https://hooks.test/', events: ['*'], active: false }
    const { id } = await registerWebhook(world.rt, world.accountId, draft)
    const events: string[] = []
    for (const at of times) {
      world.clock.set(at)
      events.push(await publish(world))
    }
    await updateWebhook(world.rt, world.accountId, id, { active: true })
    return { id, events }
  }

  test('takes exactly what lies from since to before until', async () => {
    const start = world.clock.now()
    const times = [0, 1, 2, 3].map((hours) => start + hours * hourMs)
    const { id, events } = await asleep(times)
    const range = { since: iso(start + hourMs), until: iso(start + 3 * hourMs) }
    expect(await replayDeliveries(world.rt, world.accountId, id, range)).toMatchObject({ matched: 2, queued: 2 })
    const queued = (await deliveriesOf(world, id)).filter(({ status }) => status === 'pending')
    expect(queued.map(({ event_id }) => event_id)).toEqual(events.slice(1, 3))
  })

  test('finds what happened while the clock was set back, although its ids are ahead of it', async () => {
    const start = world.clock.now() + 24 * hourMs
    const { id } = await asleep([start, start - 2 * hourMs])
    const range = { since: iso(start - 3 * hourMs), until: iso(start - hourMs) }
    expect(await replayDeliveries(world.rt, world.accountId, id, range)).toMatchObject({ matched: 1, queued: 1 })
  })
})

describe('the search of a replay', () => {
  test.each([
    ['failed', 'deliveries_replayable'],
    ['all', 'sqlite_autoindex_deliveries_1'],
  ] as const)(
    'of %s is a range of the index %s, so that the history of a webhook is not read',
    async (scope, index) => {
      const test = await freshDatabase('sqlite')
      if (test.database.kind !== 'sqlite') throw new Error('not SQLite')
      const database = new DatabaseSync(test.database.path)
      const { text } = sqliteOperation(queueReplay[scope] as unknown as Operation)
      const plan = database.prepare(`explain query plan ${text}`).all() as { detail: string }[]
      database.close()
      await test.remove()
      const details = plan.map(({ detail }) => detail)
      expect(details).toContainEqual(
        expect.stringMatching(new RegExp(`${index} \\(webhook_id=\\? AND id>\\? AND id<\\?\\)`)),
      )
    },
  )
})
