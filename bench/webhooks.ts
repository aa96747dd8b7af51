import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../server/src/config.ts'
import { createRuntime } from '../server/src/create-runtime.ts'
import { createLogger } from '../server/src/log.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { query } from '../server/src/store/operation.ts'
import { registerWebhook } from '../server/src/webhooks/register-webhook.ts'
import { startProcess } from '../test/support/child-process.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { testCertificates } from '../test/support/tls.ts'
import { type Bench, cpuSecondsOf, type Row, round } from './harness.ts'
import { publishMany } from './webhooks-load.ts'

type EngineName = 'sqlite' | 'postgres'
const engines: EngineName[] = ['sqlite', 'postgres']
const flooded = Number(process.env.BENCH_FLOOD ?? 300_000)

/** Deliveries over TLS: how many, at what cost, and whether one bad receiver costs the others anything. */
export const webhooksBench: Bench = {
  name: 'webhooks',
  summary: 'deliveries over TLS to 1, 40 and 400 endpoints; dead and slow receivers beside healthy ones; a flood',
  async run() {
    const throughput: Row[] = []
    const fairness: Row[] = []
    const floods: Row[] = []
    for (const engine of engines) {
      for (const endpoints of [1, 40, 400]) throughput.push(await onStage(engine, (s) => drainBacklog(s, endpoints)))
      for (const bad of [false, true]) fairness.push(await onStage(engine, (stage) => steadyLoad(stage, bad)))
      floods.push(await onStage(engine, flood))
    }
    throughput.push(await onStage('postgres', drainPeer))
    return [
      { title: 'A backlog of 20,000, 600 bytes each, one process', rows: throughput },
      {
        title: '40 healthy receivers (20 ms) at 400 a second, alone and beside one dead and three slow ones',
        rows: fairness,
      },
      { title: `One account with ${flooded} queued; 50 others publish one event each`, rows: floods },
    ]
  },
}

type Stage = {
  engine: EngineName
  env: Record<string, string>
  rt: Runtime
  ports: number[]
  startEngine(): Promise<Engine>
  /** What receivers saw since the last call, by the first part of the path. */
  report(): Promise<Record<string, { count: number; p50Ms: number; p99Ms: number; maxMs: number }>>
}

type Engine = { pid: number; publish(count: number, accounts: readonly string[]): Promise<void> }

/** A database, a TLS receiver and a delivering process, each on its own; all gone afterwards. */
async function onStage(engine: EngineName, run: (stage: Stage) => Promise<Row>): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'))
  const { ca, trusted } = await testCertificates()
  const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  for (const [name, text] of Object.entries({ ca, ...trusted })) writeFileSync(files[name as keyof typeof files], text)
  const server = engine === 'postgres' ? await startPostgres({ durable: true }) : null
  const env: Record<string, string> = {
    POSTERN_DATA_DIR: folder,
    POSTERN_MASTER_KEY: randomBytes(32).toString('hex'),
    POSTERN_WEBHOOK_VERIFICATION: 'off',
    POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8',
    POSTERN_WEBHOOK_CA_FILE: files.ca,
    ...(server ? { POSTERN_DATABASE_URL: server.url } : {}),
  }
  const closers: (() => Promise<unknown>)[] = []
  const log = createLogger({ level: 'silent', format: 'json' })
  const rt = await createRuntime(loadConfig({ env, terminal: false }).config, log, closers)
  const receiver = startProcess(process.execPath, ['bench/webhooks-receiver.ts', files.cert, files.key, '8'])
  const { ports } = JSON.parse(await receiver.line((line) => line.includes('ports'))) as { ports: number[] }
  const children: ChildProcess[] = []
  let reports = 0
  try {
    return await run({
      engine,
      env,
      rt,
      ports,
      async startEngine() {
        const child = fork('bench/webhooks-engine.ts', { env: { ...process.env, ...env } })
        children.push(child)
        await once(child, 'message')
        return {
          pid: child.pid ?? 0,
          async publish(count, accounts) {
            child.send({ count, accounts })
            await once(child, 'message')
          },
        }
      },
      async report() {
        const wanted = `{"report":${++reports},`
        receiver.signal('SIGUSR2')
        return JSON.parse(await receiver.line((line) => line.startsWith(wanted) || line === `{"report":${reports}}`))
      },
    })
  } finally {
    for (const child of children) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await receiver.destroy()
    for (const close of closers.reverse()) await close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Everything is queued first; measured is the middle of the way, from the first to the last tenth. */
async function drainBacklog(stage: Stage, endpoints: number): Promise<Row> {
  const total = 20_000
  const accounts = await aWebhookEach(stage, endpoints, 'h')
  await publishMany(stage.rt, total, accounts)
  const worker = await stage.startEngine()
  const first = await waitUntilLeft(stage, total * 0.9)
  const cpuBefore = cpuSecondsOf(worker.pid)
  const last = await waitUntilLeft(stage, total * 0.1)
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
async function drainPeer(stage: Stage): Promise<Row> {
  const [total, endpoints] = [20_000, 40]
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
    const urls = Array.from(
      { length: endpoints },
      (_, index) => `https://localhost:${stage.ports[index % stage.ports.length]}/h/${index}`,
    )
    await ask({ urls, count: total })
    peer.send({ run: true })
    const first = await until(total * 0.1)
    const cpuBefore = cpuSecondsOf(peer.pid ?? 0)
    const last = await until(total * 0.9)
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
  const others = bad ? [...(await aWebhookEach(stage, 1, 'dead')), ...(await aWebhookEach(stage, 3, 'slow'))] : []
  const engine = await stage.startEngine()
  await engine.publish(80, [...healthy, ...others])
  await delay(2_000)
  await stage.report()
  for (let tick = 0; tick < 120; tick++) {
    const from = performance.now()
    await engine.publish(40, healthy)
    if (others.length > 0) await engine.publish(10, others)
    await delay(Math.max(0, 100 - (performance.now() - from)))
  }
  await delay(1_000)
  const { h } = await stage.report()
  return { engine: stage.engine, beside: bad ? 'one dead, three slow' : 'nobody', published: 4_800, ...h }
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

async function aWebhookEach(stage: Stage, count: number, kind: string, search = ''): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const accountId = stage.rt.newId('acc')
      const url = `https://localhost:${stage.ports[index % stage.ports.length]}/${kind}/${index}${search}`
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      await registerWebhook(stage.rt, accountId, { url, events: ['*'], secret })
      return accountId
    }),
  )
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
