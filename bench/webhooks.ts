import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { query } from '../server/src/store/engine/operation.ts'
import { type Bench, cpuSecondsOf, type Row, round } from './harness.ts'
import { publishMany } from './webhooks-load.ts'
import { aWebhookEach, type EngineName, onStage, type Stage, urlOf } from './webhooks-stage.ts'

const engines: EngineName[] = ['sqlite', 'postgres']
const flooded = Number(process.env.BENCH_FLOOD ?? 300_000)

/** Deliveries over TLS: how many, at what cost, and whether one bad receiver costs the others anything. */
export const webhooksBench: Bench = {
  name: 'webhooks',
  summary: 'deliveries over TLS to 1, 40 and 400 endpoints beside pg-boss; dead and slow receivers; a flood',
  async run() {
    const throughput: Row[] = []
    const fairness: Row[] = []
    const floods: Row[] = []
    for (const endpoints of [1, 40, 400]) {
      for (const engine of engines) throughput.push(await onStage(engine, (stage) => drainBacklog(stage, endpoints)))
      throughput.push(await onStage('postgres', (stage) => drainPeer(stage, endpoints)))
    }
    for (const engine of engines) {
      for (const bad of [false, true]) fairness.push(await onStage(engine, (stage) => steadyLoad(stage, bad)))
    }
    for (const engine of engines) floods.push(await onStage(engine, flood))
    return [
      { title: `A backlog of ${backlog}, 600 bytes each, one process`, rows: throughput },
      {
        title:
          '40 healthy receivers (20 ms) at 800 a second, alone and beside one dead (100 a second) and three slow ones (60)',
        rows: fairness,
      },
      { title: `One account with ${flooded} queued; 50 others publish one event each`, rows: floods },
    ]
  },
}

const backlog = 20_000

/** Everything is queued first; measured is the middle of the way, from the first to the last tenth. */
async function drainBacklog(stage: Stage, endpoints: number): Promise<Row> {
  const accounts = await aWebhookEach(stage, endpoints, 'h')
  await publishMany(stage.rt, backlog, accounts)
  const worker = await stage.startEngine()
  const first = await waitUntilLeft(stage, backlog * 0.9)
  const cpuBefore = cpuSecondsOf(worker.pid)
  const last = await waitUntilLeft(stage, backlog * 0.1)
  const delivered = first.left - last.left
  const seconds = (last.at - first.at) / 1_000
  return {
    engine: stage.engine,
    endpoints,
    'per second': Math.round(delivered / seconds),
    'CPU us each': round(((cpuSecondsOf(worker.pid) - cpuBefore) / delivered) * 1e6, 0),
  }
}

/** The same backlog as jobs of a general queue, on the same PostgreSQL, through the same client. */
async function drainPeer(stage: Stage, endpoints: number): Promise<Row> {
  const peer = fork('bench/webhooks-peer.ts', { env: { ...process.env, ...stage.env } })
  const ask = async (message: object): Promise<unknown> => {
    peer.send(message)
    return (await once(peer, 'message'))[0]
  }
  const until = async (count: number): Promise<{ finished: number; at: number }> => {
    for (;;) {
      const { finished } = (await ask({})) as { finished: number }
      if (finished >= count) return { finished, at: performance.now() }
      await delay(50)
    }
  }
  try {
    await once(peer, 'message')
    const urls = Array.from({ length: endpoints }, (_, index) => urlOf(stage, 'h', index))
    await ask({ urls, count: backlog })
    peer.send({ run: true })
    const first = await until(backlog * 0.1)
    const cpuBefore = cpuSecondsOf(peer.pid ?? 0)
    const last = await until(backlog * 0.9)
    const delivered = last.finished - first.finished
    return {
      engine: 'pg-boss, same PostgreSQL',
      endpoints,
      'per second': Math.round(delivered / ((last.at - first.at) / 1_000)),
      'CPU us each': round(((cpuSecondsOf(peer.pid ?? 0) - cpuBefore) / delivered) * 1e6, 0),
    }
  } finally {
    peer.kill('SIGKILL')
    await once(peer, 'exit')
  }
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

/** Who has one event to deliver must not wait for who has hundreds of thousands. */
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

const undelivered = query({
  name: 'bench.undelivered',
  params: {},
  returns: { waiting: 'int' },
  lane: 'list',
  sql: `select count(*) as waiting from deliveries where status <> 'delivered'`,
})

async function waitUntilLeft(stage: Stage, few: number): Promise<{ left: number; at: number }> {
  for (;;) {
    const [row] = await stage.rt.store.read(undelivered, {})
    const left = row?.waiting ?? 0
    if (left <= few) return { left, at: performance.now() }
    await delay(50)
  }
}
