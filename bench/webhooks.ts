import { setTimeout as delay } from 'node:timers/promises'
import type { Bench, Row } from './harness.ts'
import { backlog, compareDrains } from './webhooks-drain.ts'
import { publishMany } from './webhooks-load.ts'
import { aWebhookEach, type EngineName, onStage, type Stage } from './webhooks-stage.ts'

const engines: EngineName[] = ['sqlite', 'postgres']
const flooded = Number(process.env.BENCH_FLOOD ?? 300_000)

/** Deliveries over TLS: how many, at what cost, and whether one bad receiver costs the others anything. */
export const webhooksBench: Bench = {
  name: 'webhooks',
  summary: 'deliveries over TLS to 1, 40 and 400 endpoints beside pg-boss; dead and slow receivers; a flood',
  async run() {
    const fairness: Row[] = []
    const floods: Row[] = []
    for (const engine of engines) {
      for (const bad of [false, true]) fairness.push(await onStage(engine, (stage) => steadyLoad(stage, bad)))
    }
    for (const engine of engines) floods.push(await onStage(engine, flood))
    return [
      { title: `A backlog of ${backlog}, 600 bytes each, one process`, rows: await compareDrains() },
      {
        title:
          '40 healthy receivers (20 ms) at 800 a second, alone and beside one dead (100 a second) and three slow ones (60)',
        rows: fairness,
      },
      { title: `One account with ${flooded} queued; 50 others publish one event each`, rows: floods },
    ]
  },
}

/** The experiment of fairness: what healthy receivers notice of bad ones. */
async function steadyLoad(stage: Stage, bad: boolean): Promise<Row> {
  const healthy = await aWebhookEach(stage, 40, 'h', '?ms=20')
  const dead = await aWebhookEach(stage, bad ? 1 : 0, 'dead')
  const slow = await aWebhookEach(stage, bad ? 3 : 0, 'slow')
  const engine = await stage.startEngine()
  await engine.publish(80, [...healthy, ...dead, ...slow])
  await delay(2_000)
  await stage.report()
  const ticks = 240
  for (let tick = 0; tick < ticks; tick++) {
    const from = performance.now()
    await engine.publish(healthy.length, healthy)
    if (bad) await Promise.all([engine.publish(5, dead), engine.publish(slow.length, slow)])
    await delay(Math.max(0, 50 - (performance.now() - from)))
  }
  await delay(1_000)
  const { h } = await stage.report()
  return {
    engine: stage.engine,
    beside: bad ? 'one dead, three slow' : 'nobody',
    published: ticks * healthy.length,
    ...h,
  }
}

/** An account with one event to deliver must not wait for one with hundreds of thousands. */
async function flood(stage: Stage): Promise<Row> {
  const flooder = await aWebhookEach(stage, 1, 'flood')
  await publishMany(stage.rt, flooded, flooder)
  const others = await aWebhookEach(stage, 50, 'h')
  const engine = await stage.startEngine()
  await delay(2_000)
  await stage.report()
  await engine.publish(50, others)
  await delay(2_000)
  const { h } = await stage.report()
  return { engine: stage.engine, queued: flooded, ...h }
}
