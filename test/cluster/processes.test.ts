import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../../scripts/cluster.ts'
import { processTimeoutMs, type RunningProcess } from '../support/child-process.ts'
import { clusterSandbox, shortLeases, startRun } from '../support/cluster/cluster-run.ts'
import { freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { answerOfBurst, aPlayground, type Gateway, type Playground, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const urlOf = ({ database }: TestDatabase) => (database.kind === 'postgres' ? database.url : '')

type LogLine = { msg: string; process?: number; pid?: number; route?: string }
function logOf({ output }: RunningProcess): LogLine[] {
  return output.stderr.split('\n').flatMap((line) => (line.startsWith('{') ? (JSON.parse(line) as LogLine) : []))
}

/** By number, as the log told last. */
function pidsOf(process: RunningProcess): Map<number, number> {
  const started = logOf(process).filter(({ msg }) => msg === 'process.started')
  return new Map(started.map((line) => [line.process ?? 0, line.pid ?? 0]))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('two processes behind one port', { timeout: processTimeoutMs }, () => {
  let database: TestDatabase
  let play: Playground
  let gateway: Gateway
  let env: Record<string, string>

  beforeAll(async () => {
    database = await freshDatabase('postgres')
    play = await aPlayground()
    env = { POSTERN_DATABASE_URL: urlOf(database), POSTERN_MASTER_KEY: 'd'.repeat(64) }
    gateway = await play.serve(['--processes', '2'], { ...env, POSTERN_SHUTDOWN_DELAY: '2s' })
  }, processTimeoutMs)
  afterAll(async () => {
    await play.dispose()
    await database.remove()
  })

  /** Answered requests of each process, by the label of their series. */
  async function answeredBy(): Promise<Record<string, number>> {
    const page = await (await fetch(`${gateway.admin_url}/metrics`)).text()
    const counts: Record<string, number> = {}
    for (const [, process = '', value] of page.matchAll(/^postern_http_requests_total\{.*process="(\d)"\} (\d+)$/gm)) {
      counts[process] = (counts[process] ?? 0) + Number(value)
    }
    return counts
  }

  test('say once that they are ready, and each line of their log has their number', async () => {
    const said = gateway.process.output.stdout.trim().split('\n')
    expect(said.map((line) => JSON.parse(line).event)).toEqual(['first_run', 'ready'])
    expect([...pidsOf(gateway.process).keys()].sort()).toEqual([1, 2])
    await Promise.all(Array.from({ length: 8 }, () => fetch(`${gateway.base_url}/v1/auth/me`)))
    const requests = () => logOf(gateway.process).filter(({ route }) => route === '/v1/auth/me')
    // A line of the log is on its way when the answer has come.
    await waitFor(() => requests().length === 8)
    expect(new Set(requests().map(({ process }) => process))).toEqual(new Set([1, 2]))
  })

  test('answer in turn, and one page of metrics counts both', async () => {
    const before = await answeredBy()
    await Promise.all(Array.from({ length: 40 }, () => fetch(`${gateway.base_url}/livez`)))
    const after = await answeredBy()
    const answered = ['1', '2'].map((process) => (after[process] ?? 0) - (before[process] ?? 0))
    expect(answered[0]).toBeGreaterThan(0)
    expect(answered[1]).toBeGreaterThan(0)
    expect((answered[0] ?? 0) + (answered[1] ?? 0)).toBe(40)
    const page = await (await fetch(`${gateway.admin_url}/metrics`)).text()
    expect(page.match(/^# TYPE process_cpu_seconds_total /gm)).toHaveLength(1)
    expect(page.match(/^process_cpu_seconds_total\{process="[012]"\}/gm)).toHaveLength(3)
  })

  test('send through the one sandbox they have', async () => {
    const { api_key, api_secret } = gateway.firstRun ?? {}
    const authorization = `Basic ${Buffer.from(`${api_key}:${api_secret}`).toString('base64')}`
    const send = async (message: string) => {
      const response = await fetch(`${gateway.base_url}/v1/chat/messages/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ to: '+12025550100', message }),
      })
      return response.status
    }
    expect(await Promise.all(['one', 'two', 'three', 'four'].map(send))).toEqual([200, 200, 200, 200])
  })

  test('let exactly 100 of a burst of 150 on Free pass', async () => {
    const cli = async (...args: string[]) => (await play.runHere([...args, '--json'], env)).json
    const account = await cli('accounts', 'create', '--name', 'Bursting', '--plan', 'free')
    const key = await cli('keys', 'create', '--name', 'Burst', '--account', String(account.id))
    const token = await tokenOf(gateway.base_url, key)
    const hour = () => Math.floor(Date.now() / 3_600_000)
    const begunIn = hour()
    const ask = () => answerOfBurst(`${gateway.base_url}/v1/auth/me`, token)
    const answers = await Promise.all(Array.from({ length: 150 }, ask))
    // Counts are per UTC hour: a burst across its end may pass as many again.
    const quota = hour() === begunIn ? 100 : answers.length
    expect(answers.filter((answer) => answer === '200 ok')).toHaveLength(quota)
  })

  test('end together on SIGTERM, after both have said that they are not ready', async () => {
    const { process, base_url } = gateway
    const pids = [...pidsOf(process).values()]
    expect((await fetch(`${base_url}/readyz`)).status).toBe(200)
    process.signal('SIGTERM')
    await waitFor(async () => (await fetch(`${base_url}/readyz`)).status === 503)
    expect(await process.ended).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    const lines = logOf(process).map(({ msg }) => msg)
    expect(lines.filter((line) => line === 'stopping' || line === 'stopped')).toEqual(['stopping', 'stopped'])
  })
})

describe('a process that is killed', { timeout: processTimeoutMs }, () => {
  const cleanup = new AsyncDisposableStack()
  let cluster: Cluster

  beforeAll(async () => {
    const database = await freshDatabase('postgres')
    cleanup.defer(() => database.remove())
    const env = { ...shortLeases, POSTERN_PROCESSES: '2', POSTERN_LOG_LEVEL: 'info' }
    cluster = await startCluster({ databaseUrl: urlOf(database), nodes: 1, env, sandbox: clusterSandbox })
    cleanup.defer(() => cluster.close())
  }, processTimeoutMs)
  afterAll(() => cleanup.disposeAsync())

  test('is started again; meanwhile the other answers, and nothing is lost or sent twice', async () => {
    await using run = await startRun(cluster)
    const [node] = cluster.nodes
    if (!node) throw new Error('There is no node.')
    let over = false
    const load = run.load(() => !over)
    const killed = pidsOf(node.process).get(2) ?? 0
    await waitFor(() => run.begun > 20)
    process.kill(killed, 'SIGKILL')
    // A question that the killed process had taken gets no answer.
    await waitFor(async () => (await fetch(`${node.url}/readyz`).catch(() => null))?.status === 503)
    const begunWithout = run.begun
    await waitFor(() => (pidsOf(node.process).get(2) ?? killed) !== killed)
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
    await waitFor(() => run.begun > begunWithout + 20)
    over = true
    await load
    const [ended] = logOf(node.process).filter(({ msg }) => msg === 'process.ended')
    expect(ended).toMatchObject({ process: 2, pid: killed, signal: 'SIGKILL', restart_in_ms: 100 })
    const refusals = ['429 idempotency_in_progress', '500 send_outcome_unknown']
    const verdict = await run.verdict({ repeatsMax: 2 * 16, refusals })
    expect(verdict.findings).toEqual([])
    expect(verdict.counts.accepted).toBeGreaterThan(20)
  })

  test('does not keep a client waiting whose connection it had not taken yet', { timeout: 30_000 }, async () => {
    const [node] = cluster.nodes
    if (!node) throw new Error('There is no node.')
    const pid = pidsOf(node.process).get(2) ?? 0
    process.kill(pid, 'SIGSTOP')
    let answered = 0
    const ask = async () => {
      const [response] = (await once(get(`${node.url}/livez`, { agent: false }), 'response')) as [IncomingMessage]
      response.resume()
      answered++
      return String(response.statusCode)
    }
    const asked = Array.from({ length: 4 }, () => ask().catch(() => 'closed'))
    await waitFor(() => answered === 3)
    process.kill(pid, 'SIGKILL')
    expect((await Promise.all(asked)).sort()).toEqual(['200', '200', '200', 'closed'])
  })
})
