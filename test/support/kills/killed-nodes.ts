import { setTimeout as pause } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts'
import type { RunningProcess } from '../child-process.ts'
import { type EngineName, freshDatabase } from '../postgres/databases.ts'
import { waitFor } from '../wait-for.ts'
import { freePort, prepareAccount, startGateway } from './killed-gateway.ts'

type Options = {
  count: number
  /** How many the sandbox remembers. */
  messages: number
  /** What Meta lets the number send; without it, more than any machine can. */
  sendsPerSecond?: number
}

/** Processes of one gateway that can be killed, on a sandbox that outlives them, with an account that may send. */
export async function startNodes(
  engine: EngineName,
  cleanup: AsyncDisposableStack,
  { count, messages, sendsPerSecond }: Options,
) {
  const database = await freshDatabase(engine)
  cleanup.defer(() => database.remove())
  const sandbox = await startSandbox({
    port: 0,
    approved: true,
    development: true,
    scenario: {
      delays: { sent_ms: 0, delivered_ms: 5 },
      // What finds no gateway comes again soon, and not after Meta's seconds.
      callbacks: { flush_ms: 500, never_read: true, retry_scale: 0.01 },
      throttle: false,
    },
    messagesMax: messages,
  })
  cleanup.defer(() => sandbox.close())
  const ports = await Promise.all(Array.from({ length: 2 * count }, () => freePort()))
  const base = `http://127.0.0.1:${ports[0]}`
  const env: Record<string, string> = {
    POSTERN_DATA_DIR: database.folder,
    POSTERN_SANDBOX_LISTEN: 'off',
    POSTERN_BASE_URL: base,
    // How soon a send is answered is promised elsewhere: here a busy machine must not make an outcome unknown.
    POSTERN_CHANNEL_TIMEOUT_MS: '20000',
    POSTERN_SEND_TIMEOUT_MS: '20000',
    POSTERN_SEND_SETTLE_WAIT_MS: '1000',
    POSTERN_JOB_LEASE_MS: '3000',
    POSTERN_REQUEST_LOG: 'off',
    POSTERN_LOG_LEVEL: 'error',
    ...(database.database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.database.url } : {}),
  }
  const nodes = Array.from({ length: count }, (_, nth) => new Node(env, ports[2 * nth] ?? 0, ports[2 * nth + 1] ?? 0))
  cleanup.defer(async () => {
    await Promise.all(nodes.map(async (node) => node.process?.destroy()))
  })
  await Promise.all(nodes.map((node) => node.start()))
  const setup = await prepareAccount(env, sandbox.url, sendsPerSecond)
  cleanup.defer(() => setup.close())
  // A gateway that has just started would read the usual limit, and hold a broadcast for a day.
  sandbox.control.updateNumber(setup.numberId, { messaging_limit: 'TIER_UNLIMITED' })
  return { database, sandbox, env, nodes, setup, api: apiOf(base, () => setup.token) }
}

/** One process of the gateway, started again on the same ports. */
export class Node {
  process: RunningProcess | null = null
  #sent = 0
  readonly env: Record<string, string>
  readonly port: number
  readonly adminPort: number
  readonly #adminUrl: string

  constructor(common: Record<string, string>, port: number, adminPort: number) {
    const listen = { POSTERN_LISTEN: `127.0.0.1:${port}`, POSTERN_ADMIN_LISTEN: `127.0.0.1:${adminPort}` }
    this.port = port
    this.adminPort = adminPort
    this.env = { ...common, ...listen }
    this.#adminUrl = `http://127.0.0.1:${adminPort}/metrics`
  }

  async killAndRestart(): Promise<void> {
    this.process?.signal('SIGKILL')
    await this.process?.ended
    await this.start()
  }

  async start(): Promise<void> {
    this.#sent = 0
    this.process = await startGateway(this.env)
  }

  /** How many recipients it has called for since the last look. */
  async sentSince(): Promise<number> {
    const page = await (await fetch(this.#adminUrl)).text()
    const sent = Number(/^postern_broadcast_recipients_total\{result="sent"\} (\d+)$/m.exec(page)?.[1] ?? 0)
    const since = sent - this.#sent
    this.#sent = sent
    return since
  }
}

/** The one that has the lane of the number. */
export async function busiest(nodes: readonly Node[]): Promise<Node> {
  const sent = nodes.length > 1 ? await Promise.all(nodes.map((node) => node.sentSince())) : [0]
  return nodes[sent.indexOf(Math.max(...sent))] as Node
}

// biome-ignore lint/suspicious/noExplicitAny: answers are what tests look into
export type Api = (method: string, path: string, body?: object | string) => Promise<{ data: any }>

function apiOf(base: string, token: () => string): Api {
  return async (method, path, body) => {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json'
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    for (;;) {
      const headers = { authorization: `Bearer ${token()}`, ...(body === undefined ? {} : { 'content-type': type }) }
      const response = await fetch(`${base}${path}`, { method, headers, ...sent }).catch(() => null)
      // The process behind it was just killed; what is asked for here can be asked for again.
      if (response === null || response.status >= 500) await pause(100)
      else if (response.ok) return (await response.json()) as { data: object }
      else throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    }
  }
}

/** A template of the account that may be sent; gives its name. */
export async function approvedTemplate(sandbox: Sandbox, api: Api, fields: object): Promise<string> {
  const name = 'for_kills'
  await api('POST', '/v1/chat/templates', { name, language: 'en_US', ...fields })
  const status = async () => (await api('GET', `/v1/chat/templates?name=${name}`)).data.templates[0]?.status
  await waitFor(async () => ['pending', 'approved'].includes(await status()))
  if ((await status()) !== 'approved') sandbox.control.review(name, { decision: 'approve' })
  await waitFor(async () => (await status()) === 'approved')
  return name
}

/** Of everybody's messages the same words. */
export const plainTemplate = {
  category: 'utility',
  components: [{ type: 'body', text: 'Your order is on its way to you.' }],
}
