import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { type SharedWorld, shareDatabase } from '../support/delivery-process.ts'
import { type EngineName, engines, freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { answerAfter, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  allDelivered,
  aReceiver,
  attemptsOf,
  attemptsReach,
  deliveriesOf,
  eventsAt,
  eventually,
  expectRecountToAgree,
  publish,
  secret,
  statusesOf,
  webhookNow,
} from '../support/webhook-world.ts'

let world: SharedWorld
let database: TestDatabase
let receiver: CheckedReceiver

async function open(engine: EngineName): Promise<void> {
  database = await freshDatabase(engine)
  world = await shareDatabase(database.database, database.folder)
  receiver = await aReceiver()
}

afterEach(async () => {
  await world.close()
  await receiver.close()
  await database.remove()
})

async function aWebhook(over = {}): Promise<string> {
  const draft = { url: `${receiver.url}/hook`, events: ['*'], secret, ...over }
  return (await registerWebhook(world.rt, world.accountId, draft)).id
}

const idsAt = () => eventsAt(receiver).map(({ headers }) => headers['webhook-id'] ?? '')

describe.each(engines)('workers that die on %s', (engine) => {
  beforeEach(() => open(engine))

  test('killed between claim and request: delivered once, after the lease', async () => {
    const id = await aWebhook()
    const event = await publish(world)
    const first = await world.startWorker({ stopAt: 'request' })
    await eventually(() => first.said.includes('request'))
    expect(await statusesOf(world, id)).toEqual(['sending'])
    first.kill()
    await world.startWorker()
    await allDelivered(world, id)
    expect(idsAt()).toEqual([event])
    expect(await attemptsOf(world, id)).toHaveLength(1)
    await expectRecountToAgree(world, id)
  })

  test('killed between answer and commit: delivered again with the same id and a new timestamp, counted once', async () => {
    const id = await aWebhook()
    const event = await publish(world)
    const first = await world.startWorker({ stopAt: 'record' })
    await eventually(() => first.said.includes('record'))
    first.kill()
    await world.startWorker()
    await allDelivered(world, id)
    expect(idsAt()).toEqual([event, event])
    const [before, after] = eventsAt(receiver).map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(after).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY)
    expect((await webhookNow(world, id)).stats).toEqual({ total_sent: 1, total_failed: 0, success_rate: 100 })
    await expectRecountToAgree(world, id)
  })

  test('killed between the commit of an event and its dispatch: delivered after a restart', async () => {
    const id = await aWebhook()
    const first = await world.startWorker({ stopAt: 'claim', publishFor: world.accountId })
    const committed = () => first.said.find((word) => word.startsWith('evt_'))
    await eventually(() => committed() !== undefined)
    first.kill('SIGKILL')
    await first.exited
    expect(await statusesOf(world, id)).toEqual(['pending'])
    expect(receiver.requests).toEqual([])
    await world.startWorker()
    await allDelivered(world, id)
    expect(idsAt()).toEqual([committed()])
    expect(await attemptsOf(world, id)).toHaveLength(1)
    await expectRecountToAgree(world, id)
  })

  test('SIGTERM with a hundred in flight: within 20 s they finish, nothing starts, nothing stays claimed', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => aWebhook()))
    const worker = await world.startWorker({ patient: true })
    await publish(world)
    for (const id of ids) await attemptsReach(world, id, 1)
    receiver.on('/hook', answerAfter(300, respond({})))
    await Promise.all(Array.from({ length: 60 }, () => publish(world)))
    await eventually(() => eventsAt(receiver).length >= 108)
    const askedAt = performance.now()
    worker.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    expect(performance.now() - askedAt).toBeLessThan(20_000)
    const log = (await Promise.all(ids.map((id) => attemptsOf(world, id)))).flat()
    expect(log.filter(({ status_code }) => status_code === 200)).toHaveLength(eventsAt(receiver).length)
    const statuses = (await Promise.all(ids.map((id) => statusesOf(world, id)))).flat()
    expect(new Set(statuses)).toEqual(new Set(['delivered', 'pending']))
    for (const id of ids) await expectRecountToAgree(world, id)
  })
})

describe('two workers on postgres', () => {
  beforeEach(() => open('postgres'))

  test('one stopped beyond its lease and resumed: its late finish is rejected, the log shows both attempts', async () => {
    const id = await aWebhook()
    const first = await world.startWorker()
    receiver.on('/hook', answerAfter(200, respond({})))
    const event = await publish(world)
    await eventually(() => eventsAt(receiver).length === 1)
    first.kill('SIGSTOP')
    await world.startWorker()
    await allDelivered(world, id)
    const [done] = await deliveriesOf(world, id)
    first.kill('SIGCONT')
    const log = await attemptsReach(world, id, 2)
    expect(log.map(({ late }) => late).sort()).toEqual([0, 1])
    expect(idsAt()).toEqual([event, event])
    expect(await deliveriesOf(world, id)).toEqual([done])
    expect((await webhookNow(world, id)).stats).toEqual({ total_sent: 1, total_failed: 0, success_rate: 100 })
    await expectRecountToAgree(world, id)
  })

  test('together they deliver each event once', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => aWebhook()))
    await Promise.all([world.startWorker({ patient: true }), world.startWorker({ patient: true })])
    const events = await Promise.all(Array.from({ length: 100 }, () => publish(world)))
    for (const id of ids) await allDelivered(world, id)
    expect(idsAt()).toHaveLength(400)
    expect(new Set(idsAt())).toEqual(new Set(events))
    for (const id of ids) await expectRecountToAgree(world, id)
  })
})
