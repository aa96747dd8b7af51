import net from 'node:net'
import { createKey } from '../../../server/src/access/keys/create-key.ts'
import { operator } from '../../../server/src/audit/audit.ts'
import { loadConfig } from '../../../server/src/config/config.ts'
import { connectSandboxChannel } from '../../../server/src/connect/connect-channel.ts'
import { addConnection } from '../../../server/src/connections/change-connection.ts'
import type { ConnectionOptions } from '../../../server/src/contract/connections.ts'
import { scopes } from '../../../server/src/contract/scopes.ts'
import { createRuntime } from '../../../server/src/create-runtime.ts'
import { createAccount } from '../../../server/src/installation/account.ts'
import { createLogger } from '../../../server/src/observe/log.ts'
import { openSandboxNumber } from '../../../server/src/platform/sandbox-control.ts'
import type { Runtime } from '../../../server/src/runtime.ts'
import { connectedNumbers, noteNumberHealth } from '../../../server/src/store/channels/numbers.ts'
import { Unit } from '../../../server/src/store/engine/unit.ts'
import { type RunningProcess, startPostern } from '../child-process.ts'

export async function startGateway(env: Record<string, string>): Promise<RunningProcess> {
  const gateway = startPostern(['serve', '--json'], { env })
  await gateway.line((line) => line.includes('"ready"'), 60_000)
  return gateway
}

/** An account on a number of the sandbox that outlives the gateway; made by a second process on the same database. */
export async function prepareAccount(env: Record<string, string>, sandboxUrl: string, sendsPerSecond = 100_000) {
  const { config } = loadConfig({ env: { ...env, POSTERN_DATA_DIR: env.POSTERN_DATA_DIR ?? '' }, terminal: false })
  const closers: (() => Promise<unknown>)[] = []
  const rt = await createRuntime(config, createLogger({ level: 'silent', format: 'json' }), closers)
  const { account, owner } = await createAccount(rt, { name: 'Kills', plan: 'enterprise', actor: operator })
  const { row, secret } = await createKey(rt, {
    accountId: account.id,
    name: 'k',
    scopes,
    createdBy: owner.id,
    actor: operator,
  })
  const { channel, steps } = await connectSandboxChannel(rt, account.id, {
    url: sandboxUrl,
    openNumber: openSandboxNumber,
  })
  if (!channel) throw new Error(JSON.stringify(steps))
  // The gateway asks the platform for the rate limit of the number soon after every start.
  const numberId = await quicken(rt, account.id, sendsPerSecond)
  const quickening = setInterval(() => void quicken(rt, account.id, sendsPerSecond).catch(() => {}), 1_000)
  const setup = {
    token: '',
    /** On the same database, for what no client is told. */
    rt,
    accountId: account.id,
    /** The number that sends, by the id of the platform. */
    numberId,
    /** The token of a tool that speaks Meta's dialect. */
    async connect(options: Partial<ConnectionOptions>): Promise<string> {
      const wanted = { accountId: account.id, name: 'Tool', tool: 'generic' as const, options }
      return (await addConnection(rt, { ...wanted, createdBy: owner.id, actor: operator })).token
    },
    async renewToken() {
      const response = await fetch(`${env.POSTERN_BASE_URL}/v1/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: row.public_key, api_secret: secret }),
      })
      const { data } = (await response.json()) as { data: { access_token: string } }
      setup.token = data.access_token
    },
    async close() {
      clearInterval(quickening)
      for (const close of closers.reverse()) await close()
    },
  }
  await setup.renewToken()
  return setup
}

/** The platform's own limits would make this a test of patience. Gives the number that it is about. */
async function quicken(rt: Runtime, accountId: string, sendsPerSecond: number): Promise<string> {
  const [number] = await rt.store.read(connectedNumbers, { account_id: accountId })
  if (!number) throw new Error('no number')
  const unit = new Unit()
  const free = { sends_per_second: sendsPerSecond, messaging_limit: 'TIER_UNLIMITED' }
  unit.add(noteNumberHealth, { ...number, ...free, now: rt.clock.now() } as never)
  await rt.store.write(unit)
  return number.phone_number_id
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}
