/**
 * Several nodes on one PostgreSQL behind one address, with a sandbox beside them: `npm run cluster [-- nodes]`. Takes
 * POSTERN_DATABASE_URL, or starts a PostgreSQL that is thrown away at the end.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/src/sandbox.ts'
import { createKey } from '../server/src/access/keys/create-key.ts'
import { operator } from '../server/src/audit/audit.ts'
import { loadConfig } from '../server/src/config/config.ts'
import { scopes } from '../server/src/contract/scopes.ts'
import { createRuntime } from '../server/src/create-runtime.ts'
import { createAccount } from '../server/src/installation/account.ts'
import { grantSandbox } from '../server/src/installation/first-run.ts'
import { createLogger } from '../server/src/observe/log.ts'
import { openSandboxNumber } from '../server/src/platform/sandbox-control.ts'
import { addSandboxTemplates } from '../server/src/platform/sandbox-templates.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { explainStartFailure, StartRefused } from '../server/src/start-failure.ts'
import { connectedNumbers } from '../server/src/store/channels/numbers.ts'
import { databaseServers } from '../server/src/store/postgres/postgres-primary.ts'
import { type RunningProcess, startPostern } from '../test/support/child-process.ts'
import { startPostgres } from '../test/support/postgres/postgres.ts'
import { startBalancer } from './balancer.ts'

type Env = Record<string, string>

export type ClusterOptions = {
  /** Null is SQLite, and one node. */
  databaseUrl: string | null
  nodes?: number
  /** Of the balancer; 0 is any free one. */
  port?: number
  env?: Env
  /** Of single nodes, by their place. */
  nodeEnv?: readonly Env[]
  sandbox?: SandboxOptions
  /** What the nodes run, such as the `cli/bin/postern.js` of a release; else this tree. */
  program?: string
}

export type ClusterNode = {
  readonly url: string
  readonly process: RunningProcess
  start(): Promise<void>
  kill(): Promise<void>
  /** Graceful, as a deployment does it; with another program, from then on. */
  restart(program?: string): Promise<void>
  destroy(): Promise<void>
}

export type Tenant = { name: string; accountId: string; numberId: string; apiKey: string; apiSecret: string }

export type Cluster = {
  /** The address of the balancer; clients and the sandbox may use it whichever nodes are up. */
  readonly url: string
  readonly nodes: readonly ClusterNode[]
  readonly sandbox: Sandbox
  /** The link of the first start that opens the console; null on a database in use. */
  readonly consoleLink: string | null
  /** An account with an API key and a number at the sandbox. */
  openTenant(name: string): Promise<Tenant>
  close(): Promise<void>
}

/** What was started is closed in reverse order, also when a later step fails. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { databaseUrl, nodes: count = databaseUrl === null ? 1 : 3, port = 0, env = {} } = options
  const cleanup = new AsyncDisposableStack()
  try {
    const folder = mkdtempSync(join(tmpdir(), 'postern-cluster-'))
    cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
    // As the sandbox of one node starts: callbacks go to this machine by plain http.
    const sandbox = await startSandbox({ approved: true, development: true, ...options.sandbox })
    cleanup.defer(() => sandbox.close())
    const ports = await Promise.all(Array.from({ length: count }, findFreePort))
    // A worker has no routes, and stands behind no balancer.
    const balancer = await startBalancer(
      ports.filter((_, index) => options.nodeEnv?.[index]?.POSTERN_ROLE !== 'worker'),
      port,
    )
    cleanup.defer(() => balancer.close())
    const url = `http://localhost:${balancer.port}`
    const shared: Env = {
      POSTERN_MASTER_KEY: randomBytes(32).toString('hex'),
      POSTERN_LOG_LEVEL: 'warn',
      ...env,
      ...(databaseUrl === null ? {} : { POSTERN_DATABASE_URL: databaseUrl }),
      POSTERN_BASE_URL: url,
      POSTERN_SANDBOX_LISTEN: 'off',
    }
    const nodes = ports.map((one, index) => {
      const env = { ...shared, POSTERN_DATA_DIR: join(folder, `node-${index + 1}`), ...options.nodeEnv?.[index] }
      return createNode(one, env, options.program)
    })
    cleanup.defer(async () => void (await Promise.all(nodes.map((node) => node.destroy()))))
    // The first migrates and makes the first account; the others would only wait for its lock.
    for (const node of nodes.slice(0, 1)) await node.start()
    await Promise.all(nodes.slice(1).map((node) => node.start()))
    const dataDir = join(folder, databaseUrl === null ? 'node-1' : 'setup')
    const asOperator = runtimeOn({ ...shared, POSTERN_DATA_DIR: dataDir })
    const first = firstRunOf(nodes[0])
    if (first) await asOperator((rt) => grantNumber(rt, first.account_id, sandbox))
    return {
      url,
      nodes,
      sandbox,
      consoleLink: first?.console_link ?? null,
      openTenant: (name) => asOperator((rt) => openTenant(rt, name, sandbox)),
      close: () => cleanup.disposeAsync(),
    }
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

function createNode(port: number, shared: Env, firstProgram?: string): ClusterNode {
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...shared,
    POSTERN_LISTEN: `127.0.0.1:${port}`,
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
  }
  let running: RunningProcess | null = null
  let program = firstProgram
  const node = {
    url,
    get process(): RunningProcess {
      if (!running) throw new Error('The node has not been started.')
      return running
    },
    async start() {
      running = startPostern(['serve', '--json'], { env, program })
      await running.line((line) => line.includes('"event":"ready"'))
    },
    async kill() {
      node.process.signal('SIGKILL')
      await node.process.ended
    },
    async restart(next = program) {
      program = next
      node.process.signal('SIGTERM')
      await node.process.ended
      await node.start()
    },
    destroy: async () => running?.destroy(),
  }
  return node
}

function firstRunOf(node: ClusterNode | undefined): { account_id: string; console_link: string } | null {
  const line = node?.process.output.stdout.split('\n').find((one) => one.includes('"event":"first_run"'))
  return line === undefined ? null : (JSON.parse(line) as { account_id: string; console_link: string })
}

type WithRuntime = <Result>(work: (rt: Runtime) => Promise<Result>) => Promise<Result>

/** The tools of a node without its listeners, for what an operator would do by command line, one after the other. */
function runtimeOn(env: Env): WithRuntime {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(() => withRuntime(env, work))
    last = done.catch(() => {})
    return done
  }
}

async function withRuntime<Result>(env: Env, work: (rt: Runtime) => Promise<Result>): Promise<Result> {
  const { config } = loadConfig({ env, terminal: false })
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await work(await createRuntime(config, createLogger({ level: 'silent', format: 'json' }), closers))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function openTenant(rt: Runtime, name: string, sandbox: Sandbox): Promise<Tenant> {
  const { account, owner } = await createAccount(rt, { name, plan: 'professional', actor: operator })
  const key = { accountId: account.id, name, scopes, createdBy: owner.id, actor: operator }
  const { row, secret } = await createKey(rt, key)
  await grantNumber(rt, account.id, sandbox)
  const [number] = await rt.store.read(connectedNumbers, { account_id: account.id })
  if (!number) throw new Error('The account has no number.')
  return { name, accountId: account.id, numberId: number.phone_number_id, apiKey: row.public_key, apiSecret: secret }
}

async function grantNumber(rt: Runtime, accountId: string, { url, numbers }: Sandbox): Promise<void> {
  const [first] = numbers
  if (!first) throw new Error('The sandbox has no number.')
  const firstNumber = {
    phoneNumberId: first.phone_number_id,
    phoneNumber: first.phone_number,
    wabaId: first.waba_id,
    accessToken: first.access_token,
    appSecret: first.app_secret,
    appId: first.app_id,
    graphVersion: first.graph_version,
  }
  await grantSandbox(rt, accountId, {
    url,
    firstNumber,
    openNumber: openSandboxNumber,
    addTemplates: addSandboxTemplates,
  })
}

export async function findFreePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function main(): Promise<void> {
  await using cleanup = new AsyncDisposableStack()
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('POSTERN_')) as [string, string][]
  const env = Object.fromEntries(settings)
  let databaseUrl = env.POSTERN_DATABASE_URL
  if (databaseUrl === undefined) {
    const server = await startPostgres({ durable: true })
    cleanup.defer(() => server.stop())
    databaseUrl = server.url
  } else if (env.POSTERN_MASTER_KEY === undefined) {
    throw new StartRefused('Set POSTERN_MASTER_KEY too: a database that is kept needs the same key at every start.')
  }
  const nodes = Number(process.argv[2] ?? 3)
  if (!(nodes >= 1 && nodes <= 9)) throw new StartRefused('Give a number of nodes from 1 to 9.')
  const cluster = await startCluster({ databaseUrl, nodes, port: Number(process.env.PORT ?? 8080), env })
  cleanup.defer(() => cluster.close())
  const tenant = await cluster.openTenant('Cluster')
  print(`All nodes   ${cluster.url}`)
  for (const [index, node] of cluster.nodes.entries()) {
    print(`Node ${index + 1}      ${node.url}, process ${node.process.pid}`)
  }
  print(`Sandbox     ${cluster.sandbox.url}/_sandbox`)
  print(
    `Database    ${databaseServers(databaseUrl)
      .map((url) => new URL(url).host)
      .join(', ')}`,
  )
  print(`API key     ${tenant.apiKey}`)
  print(`API secret  ${tenant.apiSecret}`)
  if (cluster.consoleLink !== null) print(`Console     ${cluster.consoleLink}`)
  print('Ctrl-C ends everything. Try `kill -9` with the process of a node while requests run.')
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** One sentence for what a person can fix; a bug keeps its stack. */
function explain(error: unknown): void {
  const { code, port } = error as { code?: string; port?: number }
  const taken = `Port ${port} is taken by another program: stop it, or choose another: PORT=9000 npm run cluster`
  const sentence = code === 'EADDRINUSE' ? taken : explainStartFailure(error)
  if (sentence === null) throw error
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}

if (import.meta.main) await main().catch(explain)
