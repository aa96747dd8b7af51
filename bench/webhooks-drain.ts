import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { query } from '../server/src/store/engine/operation.ts'
import { cpuSecondsOf, cpuSecondsOfFamily, median, type Row } from './harness.ts'
import { publishMany } from './webhooks-load.ts'
import { aWebhookEach, type EngineName, onStage, type Stage, urlOf } from './webhooks-stage.ts'

export const backlog = Number(process.env.BENCH_BACKLOG ?? 20_000)
/** Delivered before the measurement: a gateway that runs for days has its code compiled, and so has its peer. */
const warmUp = Number(process.env.BENCH_WARM_UP_DELIVERIES ?? 20_000)

/** Deliveries a second, and CPU of each in microseconds: of the delivering process and of PostgreSQL. */
type Drain = { perSecond: number; cpuUs: number; databaseCpuUs: number }
type Contestant = { name: string; engine: EngineName; drain(stage: Stage, endpoints: number): Promise<Drain> }

/** All in turn, round by round. With BENCH_BESIDE the engine of another checkout takes part; BENCH_ENGINES leaves one out. */
export async function compareDrains(): Promise<Row[]> {
  const beside = process.env.BENCH_BESIDE
  const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
  const levels = (process.env.BENCH_ENDPOINTS ?? '1,40,400').split(',').map(Number)
  const engines = process.env.BENCH_ENGINES ?? 'postgres,sqlite'
  const known: Contestant[] = [
    peer,
    carefulPeer,
    gateway('PostgreSQL', 'postgres'),
    ...(beside ? [gateway('PostgreSQL, beside', 'postgres', resolve(beside))] : []),
    gateway('SQLite', 'sqlite'),
    ...(beside ? [gateway('SQLite, beside', 'sqlite', resolve(beside))] : []),
  ]
  const contestants = known.filter(({ engine }) => engines.includes(engine))
  const rows: Row[] = []
  for (const endpoints of levels) {
    const drains = new Map(contestants.map(({ name }): [string, Drain[]] => [name, []]))
    for (let round = 0; round < rounds; round++) {
      for (const { name, engine, drain } of contestants) {
        drains.get(name)?.push(await onStage(engine, (stage) => drain(stage, endpoints)))
      }
    }
    const base = drains.get(peer.name) ?? []
    rows.push(...contestants.map(({ name }) => toRow(name, endpoints, drains.get(name) ?? [], base)))
  }
  return rows
}

/** The same backlog as jobs of a general queue, on the same PostgreSQL, through the same client. */
const peer: Contestant = { name: 'pg-boss', engine: 'postgres', drain: (...on) => drainPeer(100, ...on) }
/** A crash repeats 32 of them and not 400: as many as the gateway repeats for one endpoint. */
const carefulPeer: Contestant = {
  name: 'pg-boss, batches of 8',
  engine: 'postgres',
  drain: (...on) => drainPeer(8, ...on),
}

function gateway(name: string, engine: EngineName, checkout = '.'): Contestant {
  return { name, engine, drain: (stage, endpoints) => drainBacklog(stage, endpoints, checkout) }
}

function toRow(name: string, endpoints: number, drains: readonly Drain[], base: readonly Drain[]): Row {
  const middle = (pick: (drain: Drain) => number) => Math.round(median(drains.map(pick)))
  const ratios = drains.map(({ perSecond }, round) => perSecond / (base[round]?.perSecond ?? Number.NaN))
  return {
    endpoints,
    contestant: name,
    'per second': middle(({ perSecond }) => perSecond),
    ratio: median(ratios).toFixed(2),
    'CPU us': middle(({ cpuUs }) => cpuUs),
    'CPU us of PostgreSQL': middle(({ databaseCpuUs }) => databaseCpuUs),
  }
}

function measureCpu(pid: number, { postgresPid }: Stage): () => { own: number; database: number } {
  const look = () => ({ own: cpuSecondsOf(pid), database: postgresPid ? cpuSecondsOfFamily(postgresPid) : 0 })
  const before = look()
  return () => {
    const now = look()
    return { own: now.own - before.own, database: now.database - before.database }
  }
}

function drainOf(delivered: number, ms: number, used: { own: number; database: number }): Drain {
  const each = (seconds: number) => (seconds / delivered) * 1e6
  return { perSecond: delivered / (ms / 1_000), cpuUs: each(used.own), databaseCpuUs: each(used.database) }
}

/** Everything is queued while the engine stands still; measured is the middle of the way, from the first to the last tenth. */
async function drainBacklog(stage: Stage, endpoints: number, checkout: string): Promise<Drain> {
  const accounts = await aWebhookEach(stage, endpoints, 'h')
  const { pid } = await stage.startEngine(checkout)
  const queueStill = async (count: number) => {
    process.kill(pid, 'SIGSTOP')
    await publishMany(stage.rt, count, accounts)
    process.kill(pid, 'SIGCONT')
  }
  await queueStill(warmUp)
  await untilDelivered(stage, warmUp)
  await queueStill(backlog)
  const first = await untilDelivered(stage, warmUp + backlog * 0.1)
  const used = measureCpu(pid, stage)
  const last = await untilDelivered(stage, warmUp + backlog * 0.9)
  return drainOf(last.delivered - first.delivered, last.at - first.at, used())
}

async function drainPeer(batchSize: number, stage: Stage, endpoints: number): Promise<Drain> {
  const peer = fork('bench/webhooks-peer.ts', [String(batchSize)], { env: { ...process.env, ...stage.env } })
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
    await ask({ urls, count: warmUp })
    peer.send({ run: true })
    await until(warmUp)
    await ask({ urls, count: backlog })
    peer.send({ run: true })
    const first = await until(warmUp + backlog * 0.1)
    const used = measureCpu(peer.pid ?? 0, stage)
    const last = await until(warmUp + backlog * 0.9)
    return drainOf(last.finished - first.finished, last.at - first.at, used())
  } finally {
    peer.kill('SIGKILL')
    await once(peer, 'exit')
  }
}

/** By the counters of the webhooks: to count the deliveries themselves would be a fifth of PostgreSQL's work. */
const delivered = query({
  name: 'bench.delivered',
  params: {},
  returns: { total: 'int' },
  lane: 'list',
  sql: `select coalesce(sum(total_sent - total_failed), 0) as total from webhook_states`,
})

async function untilDelivered(stage: Stage, count: number): Promise<{ delivered: number; at: number }> {
  for (;;) {
    const [row] = await stage.rt.store.read(delivered, {})
    const total = row?.total ?? 0
    if (total >= count) return { delivered: total, at: performance.now() }
    await delay(50)
  }
}
