import { describeConnection } from '@postern/server/connections.ts'
import { isRecord } from '@postern/server/tools.ts'
import { type Host, textOption } from '../../command.ts'
import { type SetupCall, setupCallsOf } from '../../connections/setup-calls.ts'
import { carryOut, type DataCommand, dataCommand } from '../../data-command.ts'
import { readEnvironment } from '../../env.ts'
import { exitCodes, wrongUsage } from '../../exit-codes.ts'
import { settingsForData } from '../../find-data.ts'
import { askSecret } from '../../gateway/ask-secret.ts'
import { table } from '../../output/table.ts'
import { textFlag } from '../../read-flags.ts'
import { find, named } from './connections.ts'

const timeoutMs = 15_000

type Tried = { call: string; purpose: string; ok: boolean; status: number | null; problem: string | null }

const described = dataCommand({
  name: 'connections try',
  summary: "Make the calls of a tool's set-up, and report which fail. Nothing is sent or changed.",
  examples: [
    'postern connections try con_01jd40m1…',
    'POSTERN_CONNECTION_TOKEN=ptg_… postern connections try con_01jd40m1… --json',
  ],
  ...named,
  options: {
    ...named.options,
    address: textOption("Address to call instead of the connection's own, such as http://localhost:8080/graph."),
  },
  run: async (rt, args) => describeConnection(rt, await find(rt, args)),
  text: () => '',
})

/** The token is known to the tool alone, so it is asked for: with another one the trial would prove nothing. */
export const connectionsTry: DataCommand = {
  ...described,
  async run({ flags, positionals, output, host }) {
    const args = named.args(flags, positionals)
    const config = settingsForData(flags, host)
    const connection = (await carryOut(config, described, args)) as Awaited<ReturnType<typeof describeConnection>>
    const address = (textFlag(flags, 'address') ?? connection.address).replace(/\/+$/, '')
    const token = await tokenOf(host)
    const calls: Tried[] = []
    for (const call of setupCallsOf(connection, token)) {
      output.progress.step(call.purpose)
      const tried = await make(address, call)
      calls.push(tried)
      // With a wrong token all others fail in the same way.
      if (!tried.ok && call.path === '/me') break
    }
    output.progress.end()
    const callbacks = callbackState(connection.callback)
    const ok = calls.every((tried) => tried.ok) && callbacks === null && connection.numbers.length > 0
    output.result(
      { id: args.id, tool: connection.tool, ok, calls, callbacks: callbacks ?? 'ok' },
      textOf(calls, callbacks),
    )
    return ok ? exitCodes.ok : exitCodes.failure
  },
}

async function tokenOf(host: Host): Promise<string> {
  const { connectionToken } = readEnvironment(host.env)
  const token = connectionToken?.trim()
  if (token) return token
  if (!host.stdin.isTTY) throw wrongUsage('Set POSTERN_CONNECTION_TOKEN to the token that the tool has.')
  return askSecret('Token of the tool (ptg_…): ', { shown: false }, host)
}

async function make(
  address: string,
  { purpose, method, path, query = {}, bearer, body, expects }: SetupCall,
): Promise<Tried> {
  const search = new URLSearchParams(query).toString()
  const headers = {
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  const about = { call: `${method} ${path}`, purpose }
  try {
    const response = await fetch(`${address}${path}${search && `?${search}`}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer: unknown = await response.json().catch(() => null)
    const { code, problem } = errorIn(answer, response.status)
    const ok = code === expects
    return { ...about, ok, status: response.status, problem: ok ? null : problem }
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
    return { ...about, ok: false, status: null, problem: `No response: ${cause?.code ?? cause?.message ?? message}.` }
  }
}

/** What is not in Meta's shape comes from a proxy in front, or from another server. */
function errorIn(answer: unknown, status: number): { code: number; problem: string } {
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : null
  if (error && typeof error.code === 'number') {
    const data = isRecord(error.error_data) ? error.error_data : {}
    return { code: error.code, problem: String(data.details ?? error.message ?? `error ${error.code}`) }
  }
  if (answer === null) return { code: -1, problem: `Status ${status} without JSON: is this the gateway?` }
  return status < 300
    ? { code: 0, problem: 'It succeeded.' }
    : { code: -1, problem: `Status ${status}, not in Meta's shape.` }
}

function callbackState(callback: Awaited<ReturnType<typeof describeConnection>>['callback']): string | null {
  if (!callback) return 'There is no callback address: the tool receives nothing.'
  if (callback.state === 'active') return null
  return callback.state === 'unverified'
    ? `The callback address has not passed the handshake. ${callback.problem ?? ''}`.trim()
    : `Callbacks are ${callback.state}.`
}

function textOf(calls: readonly Tried[], callbacks: string | null): string {
  const rows = calls.map(({ call, purpose, ok, status, problem }) => [
    ok ? 'ok' : 'FAILED',
    call,
    String(status ?? '–'),
    problem ?? purpose,
  ])
  const all = [...rows, [callbacks === null ? 'ok' : 'FAILED', 'callbacks', '', callbacks ?? 'the address is verified']]
  return table(['', 'call', 'status', ''], all)
}
