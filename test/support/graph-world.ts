import { operator } from '../../server/src/audit/audit.ts'
import { addConnection, type NewConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { keepSecrets, searchAnswer } from './leaks/leaks.ts'
import type { EngineName } from './postgres/databases.ts'
import { type Answer, aWorld, type World } from './world.ts'

export type Tool = Awaited<ReturnType<typeof addConnection>>
type ToolInput = Partial<Omit<NewConnection, 'actor' | 'createdBy'>>

export type GraphWorld = World & {
  /** Meta's ids of the sandbox's number and of its business account. */
  number: string
  waba: string
  connect(input?: ToolInput): Promise<Tool>
  /** A tool of another account. */
  connectStranger(): Promise<Tool>
  /** A call below /graph; the token is in the header. */
  graph(method: string, path: string, body?: unknown, tool?: { token: string }): Promise<Answer>
  /** The same as the tool would make it itself. */
  fetchGraph(path: string, init?: RequestInit): Promise<Response>
  /** The same call to Meta itself, with the gateway's own token. */
  meta(method: string, path: string, body?: unknown): Promise<Answer>
  /** What left the gateway on another way, to be searched for secrets too. */
  saw(text: string): void
}

/** A world with a tool that speaks Meta's dialect. */
export async function aGraphWorld(
  engine: EngineName,
  ...rest: DropFirst<Parameters<typeof aWorld>>
): Promise<GraphWorld> {
  const world = await aWorld(engine, ...rest)
  const { rt, urls } = world.service
  const { body } = await world.control('GET', '/_sandbox')
  const [first] = body.numbers
  const ends: (() => void)[] = []
  const connect = async (input: ToolInput = {}) => {
    const usual = { accountId: world.accountId, name: 'Help desk', tool: 'generic' as const }
    const made = await addConnection(rt, { ...usual, ...input, actor: operator, createdBy: '' })
    ends.push(keepSecrets('connection', openConnection(rt, made.row).appSecret, made.token.split('_').at(-1) ?? ''))
    return made
  }
  const usual = await connect()

  return {
    ...world,
    number: first.phone_number_id,
    waba: first.waba_id,
    connect,
    async connectStranger() {
      const { account } = await createAccount(rt, { name: 'Other', plan: 'enterprise', actor: operator })
      return connect({ accountId: account.id })
    },
    async graph(method, path, sent, tool = usual) {
      // Node's client announces no body of a DELETE by itself.
      const headers = sent === undefined ? {} : { 'content-length': String(Buffer.byteLength(JSON.stringify(sent))) }
      return world.call(method, `/graph${path}`, { body: sent, headers, token: tool.token })
    },
    fetchGraph: (path, init) =>
      fetch(path.startsWith('http') ? path : `${urls.base.replace('localhost', '127.0.0.1')}/graph${path}`, init),
    async meta(method, path, sent) {
      const headers = { authorization: `Bearer ${first.access_token}`, 'content-type': 'application/json' }
      const init = { method, headers, ...(sent !== undefined && { body: JSON.stringify(sent) }) }
      const response = await fetch(`${world.sandboxUrl}/v26.0${path}`, init)
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    saw: (text) => searchAnswer(text, '/graph'),
    async stop() {
      await world.stop()
      for (const end of ends) end()
    },
  }
}

type DropFirst<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never
