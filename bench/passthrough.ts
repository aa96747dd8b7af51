import { Pool } from 'undici'
import { startProcess } from '../test/support/child-process.ts'
import { type Bench, type Contestant, compare, cpuSecondsOf, runLoad } from './harness.ts'

const concurrency = 64

/** The base of the send ratio: fastify + undici to the same platform, without store and checks. */
export const passthroughBench: Bench = {
  name: 'passthrough',
  summary: 'a bare pass-through to the platform, the base that real sends are compared with',
  async run() {
    const rows = await compare({ contestants: [passthrough] })
    return [{ title: `Pass-through, concurrency ${concurrency}`, rows }]
  },
}

/** Also a contestant beside the gateway itself, in one interleaved run. */
export const passthrough: Contestant = {
  name: 'bare pass-through',
  async start() {
    const platform = await startServer('bench/processes/platform-server.ts')
    const gateway = await startServer('bench/processes/passthrough-server.ts', platform.url)
    const client = new Pool(gateway.url, { connections: concurrency })
    const body = JSON.stringify({ to: '+351912345678', message: 'Your order A-1001 has been shipped.' })
    const send = async () => {
      const headers = { 'content-type': 'application/json' }
      const answer = await client.request({ method: 'POST', path: '/v1/chat/messages/text', headers, body })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`the gateway answered ${answer.statusCode}`)
    }
    return {
      run: (seconds) => runLoad({ concurrency, seconds, operation: send, cpuSeconds: () => cpuSecondsOf(gateway.pid) }),
      async stop() {
        await client.destroy()
        await gateway.stop()
        await platform.stop()
      },
    }
  },
}

export type ServerProcess = { readonly url: string; readonly pid: number; stop(): Promise<void> }

/** A process of its own, because CPU is counted per process; its first line is its port. */
export async function startServer(file: string, ...args: string[]): Promise<ServerProcess> {
  const server = startProcess(process.execPath, [file, ...args])
  const port = await server.line((line) => /^\d+$/.test(line))
  return { url: `http://127.0.0.1:${port}`, pid: server.pid, stop: () => server.destroy() }
}
