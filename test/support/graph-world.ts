import { expect } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { addConnection, type NewConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import { createAccount } from '../../server/src/installation/account.ts'
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
  /** Refuses to end if a secret was seen where it must not be. */
  stop(): Promise<void>
}

/**
 * A world with a tool that speaks Meta's dialect. Every answer and every line of the log is searched: Meta's token and app
 * secret are in none, the token of a connection is in no line and only in answers to requests that carried it in their
 * address, and the secrets of connections are in no line.
 */
export async function aGraphWorld(
  engine: EngineName,
  ...rest: DropFirst<Parameters<typeof aWorld>>
): Promise<GraphWorld> {
  const world = await aWorld(engine, ...rest)
  const { rt, urls } = world.service
  const { body } = await world.control('GET', '/_sandbox')
  const [first] = body.numbers
  const theirs: string[] = [first.access_token, first.app_secret]
  const tools: Tool[] = []
  const seen: { text: string; url: string }[] = []
  const connect = async (input: ToolInput = {}) => {
    const usual = { accountId: world.accountId, name: 'Help desk', tool: 'generic' as const }
    const made = await addConnection(rt, { ...usual, ...input, actor: operator, createdBy: '' })
    tools.push(made)
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
      const answer = await world.call(method, `/graph${path}`, { body: sent, headers, token: tool.token })
      seen.push({ text: textOf(answer.headers, JSON.stringify(answer.body)), url: path })
      return answer
    },
    async fetchGraph(path, init) {
      const url = path.startsWith('http') ? path : `${urls.base.replace('localhost', '127.0.0.1')}/graph${path}`
      const response = await fetch(url, init)
      const text = await response.clone().text()
      seen.push({ text: textOf(response.headers, text), url })
      return response
    },
    async meta(method, path, sent) {
      const headers = { authorization: `Bearer ${first.access_token}`, 'content-type': 'application/json' }
      const init = { method, headers, ...(sent !== undefined && { body: JSON.stringify(sent) }) }
      const response = await fetch(`${world.sandboxUrl}/v26.0${path}`, init)
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    saw: (text) => void seen.push({ text, url: '' }),
    async stop() {
      await world.stop()
      const lines = world.logLines.join('\n')
      const secretOf = ({ token }: Tool) => token.split('_').at(-1) ?? token
      const kept = tools.map(({ row }) => openConnection(rt, row).appSecret)
      const inLog = [...theirs, ...tools.map(secretOf), ...kept].filter((secret) => lines.includes(secret))
      expect(inLog.map(shortened), 'secrets in the log').toEqual([])
      const inAnswers = seen.flatMap(({ text, url }) =>
        [...theirs, ...tools.map(secretOf).filter((secret) => !url.includes(secret))].filter((one) =>
          text.includes(one),
        ),
      )
      expect(inAnswers.map(shortened), 'secrets in answers').toEqual([])
      expect(seen.length, 'answers that were searched').toBeGreaterThan(0)
    },
  }
}

type DropFirst<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never

function textOf(headers: Headers, body: string): string {
  return `${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n${body}`
}

/** A failing test tells no secret either. */
function shortened(secret: string): string {
  return `${secret.slice(0, 4)}…`
}
