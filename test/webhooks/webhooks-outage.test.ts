import { afterEach, describe, expect, test } from 'vitest'
import type { Runtime } from '../../server/src/runtime.ts'
import { StoreUnavailable } from '../../server/src/store/engine/store-error.ts'
import type { Unit } from '../../server/src/store/engine/unit.ts'
import { engines } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { answerAfter, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  allDelivered,
  aReceiver,
  attemptsOf,
  aVerifiedWebhook,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  eventually,
  expectRecountToAgree,
  publish,
  statusesOf,
  type WebhookWorld,
  webhookNow,
} from '../support/webhook-world.ts'

let world: WebhookWorld
let receiver: CheckedReceiver
afterEach(async () => {
  await world.dispose()
  await receiver.close()
})

/** Puts a switch between engine and database; the test itself keeps its own way in. */
function switchable(rt: Runtime) {
  const state = { down: false, loseAnswerTo: '', refuse: '', refused: 0 }
  const refuse = () => {
    state.refused++
    throw new StoreUnavailable('not_stored', new Error('switched off'))
  }
  const store: Runtime['store'] = {
    ...rt.store,
    async write(unit: Unit) {
      if (state.down || unit.calls.some(({ operation }) => operation.name === state.refuse)) refuse()
      const result = await rt.store.write(unit)
      if (unit.calls.some(({ operation }) => operation.name === state.loseAnswerTo)) {
        state.loseAnswerTo = ''
        throw new StoreUnavailable('unknown', new Error('the answer was lost'))
      }
      return result
    },
    async read(query, params) {
      if (state.down) refuse()
      return rt.store.read(query, params)
    },
  }
  return { rt: { ...rt, store }, state }
}

describe.each(engines)('without the database on %s', (engine) => {
  async function open() {
    receiver = await aReceiver()
    world = await aWebhookWorld(engine)
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    await world.engine.drain(1_000)
    const { rt, state } = switchable(world.rt)
    const own = world.rt
    world.rt = rt
    world.restart()
    return { id, state, outside: { ...world, rt: own } }
  }

  test('away while results wait: they are kept, nobody is charged, and recorded when it is back', async () => {
    const { id, state, outside } = await open()
    const away = Promise.withResolvers<void>()
    receiver.on('/hook', { run: (exchange) => away.promise.then(() => respond({}).run(exchange)) })
    const events = [await publish(outside), await publish(outside)]
    await eventually(() => eventsAt(receiver).length === 2)
    state.down = true
    away.resolve()
    await eventually(() => world.logLines.some((line) => line.includes('webhook.results_waiting')))
    expect(await statusesOf(outside, id)).toEqual(['sending', 'sending'])
    state.down = false
    await allDelivered(outside, id)
    expect(eventsAt(receiver).map(({ headers }) => headers['webhook-id'])).toEqual(events)
    expect(await attemptsOf(outside, id)).toHaveLength(2)
    await expectRecountToAgree(outside, id)
  })

  test('away at the claim: the worker backs off, never gives up, and resumes by itself', async () => {
    const { id, state, outside } = await open()
    state.down = true
    await publish(outside)
    await eventually(() => state.refused >= 4)
    const before = state.refused
    state.down = false
    await allDelivered(outside, id)
    expect(before).toBeLessThan(40)
    expect(await attemptsOf(outside, id)).toHaveLength(1)
  })

  test('the answer to a claim was lost: the lease covers it, and the event is delivered once', async () => {
    const { id, state, outside } = await open()
    state.loseAnswerTo = 'deliveries.claim'
    await publish(outside)
    await eventually(async () => (await statusesOf(outside, id))[0] === 'sending')
    await eventually(() => state.loseAnswerTo === '')
    expect(eventsAt(receiver)).toHaveLength(0)
    world.pass(60_001)
    await allDelivered(outside, id)
    expect(eventsAt(receiver)).toHaveLength(1)
  })

  test('the answer to a result was lost: recorded once all the same', async () => {
    const { id, state, outside } = await open()
    state.loseAnswerTo = 'deliveries.finish'
    await publish(outside)
    await eventually(() => world.logLines.some((line) => line.includes('webhook.attempted')))
    expect(state.loseAnswerTo).toBe('')
    expect(await attemptsOf(outside, id)).toHaveLength(1)
    expect((await webhookNow(outside, id)).stats).toEqual({ total_sent: 1, total_failed: 0, success_rate: 100 })
    await expectRecountToAgree(outside, id)
  })

  test('away when a receiver says it is gone: the gateway lives on, and the next 410 disables it', async () => {
    const { id, state, outside } = await open()
    receiver.on('/hook', respond({ status: 410 }))
    state.refuse = 'webhooks.disable'
    await publish(outside)
    await eventually(() => world.logLines.some((line) => line.includes('webhook.not_disabled')))
    expect((await webhookNow(outside, id)).active).toBe(true)
    state.refuse = ''
    await publish(outside)
    await eventually(async () => (await webhookNow(outside, id)).disabled_reason === 'gone')
    expect(await attemptsOf(outside, id)).toHaveLength(2)
    expect(await statusesOf(outside, id)).toEqual(['cancelled', 'cancelled'])
  })

  test('the clock jumps an hour ahead and back: nothing is lost, nothing runs twice', async () => {
    const { id, outside } = await open()
    receiver.on('/hook', answerAfter(200, respond({})))
    const events = [await publish(outside), await publish(outside)]
    await eventually(() => eventsAt(receiver).length === 2)
    world.pass(3_600_000)
    events.push(await publish(outside))
    await allDelivered(outside, id)
    world.pass(-7_200_000)
    events.push(await publish(outside))
    await allDelivered(outside, id)
    expect(eventsAt(receiver).map(({ headers }) => headers['webhook-id'])).toEqual(events)
    expect((await deliveriesOf(outside, id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1])
  })
})
