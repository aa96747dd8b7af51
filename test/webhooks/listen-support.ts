import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import type { Scope } from '../../server/src/contract/scopes.ts'
import { startPostern } from '../support/child-process.ts'
import type { EngineName } from '../support/postgres/databases.ts'
import { type HostileReceiver, startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { type RunningCommand, startHere } from '../support/run-postern.ts'
import { waitFor } from '../support/wait-for.ts'
import { localReceivers } from '../support/webhook-world.ts'
import { aWorld, type World } from '../support/world.ts'

export type Credentials = { api_key: string; api_secret: string }
type Line = Record<string, unknown> & { event: string }

export const patienceMs = 30_000
export const closers: (() => Promise<unknown>)[] = []

/** For `afterEach`: what a test has opened, the last first. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

export async function theWorld(engine: EngineName): Promise<World> {
  const world = await aWorld(engine, localReceivers)
  closers.push(world.stop)
  return world
}

export async function aReceiver(): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver()
  closers.push(receiver.close)
  return receiver
}

export function envOf(baseUrl: string, { api_key, api_secret }: Credentials) {
  return { POSTERN_BASE_URL: baseUrl, POSTERN_API_KEY: api_key, POSTERN_API_SECRET: api_secret }
}

export function ownEnv({ service, apiKey, apiSecret }: World) {
  return envOf(service.urls.base, { api_key: apiKey, api_secret: apiSecret })
}

/** `postern listen` in the process of the test, once it has said its secret. */
export function listening(forwardTo: string, env: Record<string, string>, ...args: string[]) {
  const command = startHere(wordsOf(forwardTo, args), { env })
  closers.push(async () => {
    command.signal('SIGINT')
    await command.ended
  })
  return saidSecret(command)
}

/** The same as a process of its own, which takes half a second of processor time. */
export function listeningAlone(forwardTo: string, env: Record<string, string>) {
  const process = startPostern(wordsOf(forwardTo, []), { env })
  closers.push(process.destroy)
  return saidSecret(process)
}

function wordsOf(forwardTo: string, args: readonly string[]): string[] {
  return ['listen', '--forward-to', forwardTo, '--json', ...args]
}

async function saidSecret(command: RunningCommand) {
  const lines = () => command.output.stdout.split('\n').filter(Boolean).map(toLine)
  const hasEnded = command.ended.then(() => Promise.reject(new Error(`ended\n${command.output.stderr}`)))
  await Promise.race([waitFor(() => command.output.stdout.includes('\n'), patienceMs), hasEnded])
  hasEnded.catch(() => {})
  return {
    ...(lines()[0] as Line & { secret: string; webhook_id: string }),
    output: command.output,
    /** Those after the first. */
    lines: () => lines().slice(1),
    /** Ctrl+C, and what it came to. */
    async stop() {
      command.signal('SIGINT')
      return command.ended
    },
  }
}

function toLine(text: string): Line {
  return JSON.parse(text) as Line
}

export async function aKey(world: World, accountId: string, scopes: readonly Scope[]): Promise<Credentials> {
  const input = { accountId, name: 'Laptop', scopes, createdBy: '', actor: operator }
  const { row, secret } = await createKey(world.service.rt, input)
  return { api_key: row.public_key, api_secret: secret }
}

export const idsAt = ({ requests }: HostileReceiver) => requests.map(({ headers }) => headers['webhook-id'])
export const publisher = ({ service, accountId }: World) => ({ rt: service.rt, accountId })
