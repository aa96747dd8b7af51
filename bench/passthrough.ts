import { Pool } from 'undici'
import { startProcess } from '../test/support/child-process.ts'
import { type Bench, type Contestant, compareAt, cpuSecondsOf, type Running, runLoad } from './harness.ts'

/** The base of the send ratio: fastify + undici to the same platform, without store and checks. */
export const passthroughBench: Bench = {
  name: 'passthrough',
  summary: 'a bare pass-through to the platform, the base that real sends are compared with',
  async run() {
    const rows = (await compareAt([callersMax], { contestants: [passthrough] })).get(callersMax) ?? []
    return [{ title: `Pass-through, ${callersMax} callers`, rows }]
  },
}

/** Also a contestant beside the gateway itself, in one interleaved run. */
export const passthrough: Contestant = {
  name: 'bare pass-through',
  does: 'passes on and answers; no token, no checks, keeps nothing',
  async start() {
    const platform = await startServer('bench/processes/platform-server.ts')
    const gateway = await startServer('bench/processes/passthrough-server.ts', platform.url)
    return sendTo({ ...gateway, headers: jsonHeaders, path: '/v1/chat/messages/text' }, () => platform.stop())
  },
}

export const jsonHeaders = { 'content-type': 'application/json' }

/** Whom the bench has written to: the windows of these many customers are open. */
const customers = 50_000
const callersMax = 64
/** With BENCH_KEYS=on every send has an Idempotency-Key, as those of the SDK have. */
const keysOn = process.env.BENCH_KEYS === 'on'

export type SendTarget = ServerProcess & {
  readonly headers: Record<string, string>
  readonly path: string
  readonly withKeys?: boolean
  /** What is sent, where it is not the body of /v1. */
  readonly bodyOf?: (to: string, serial: number) => object
  /** Of `pid` when left out. */
  readonly cpuSeconds?: () => number
  readonly databaseCpuSeconds?: () => number
}

/** Sends to customers in turn: no platform takes many messages in a row to the same one. */
export function sendTo(target: SendTarget, stopped: () => Promise<void> = async () => {}): Running {
  const { url, pid, headers, path, withKeys = keysOn, bodyOf = textTo } = target
  const { cpuSeconds = () => cpuSecondsOf(pid), databaseCpuSeconds } = target
  const client = new Pool(url, { connections: callersMax })
  let serial = 0
  const operation = async () => {
    const to = `+1555${String(serial++ % customers).padStart(7, '0')}`
    const body = JSON.stringify(bodyOf(to, serial))
    const own = withKeys ? { ...headers, 'idempotency-key': `send-${serial}` } : headers
    const answer = await client.request({ method: 'POST', path, headers: own, body })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`a send was answered ${answer.statusCode}: ${text}`)
  }
  return {
    run: (seconds, concurrency) => runLoad({ concurrency, seconds, operation, cpuSeconds, databaseCpuSeconds }),
    async stop() {
      await client.destroy()
      await target.stop()
      await stopped()
    },
  }
}

function textTo(to: string) {
  return { to, message: 'Your order A-1001 has been shipped.' }
}

export type ServerProcess = { readonly url: string; readonly pid: number; stop(): Promise<void> }

/** A process of its own, because CPU is counted per process; its first line is its port. */
export async function startServer(file: string, ...args: string[]): Promise<ServerProcess> {
  const server = startProcess(process.execPath, [file, ...args])
  const port = await server.line((line) => /^\d+$/.test(line))
  return { url: `http://127.0.0.1:${port}`, pid: server.pid, stop: () => server.destroy() }
}
