import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { startProcess } from '../test/support/child-process.ts'
import { type PostgresServer, startPostgres } from '../test/support/postgres.ts'
import { type Bench, type Contestant, compare, cpuSecondsOf, runLoad } from './harness.ts'
import { passthrough, startServer } from './passthrough.ts'

const concurrency = 64

/** Sends with all duties: token, quota, window, two durable commits, event, deliveries, counters. */
export const sendsBench: Bench = {
  name: 'sends',
  summary: 'text sends with all duties, beside a bare pass-through to the same platform',
  async run() {
    const postgres = await startPostgres({ durable: true })
    try {
      const contestants = [passthrough, gateway('gateway, SQLite'), gateway('gateway, PostgreSQL', postgres)]
      const rows = await compare({ contestants, rounds: 5, seconds: 3, warmUpSeconds: 2 })
      return [{ title: `Sends, concurrency ${concurrency}`, rows }]
    } finally {
      await postgres.stop()
    }
  },
}

function gateway(name: string, postgres?: PostgresServer): Contestant {
  return {
    name,
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
      const platform = await startServer('bench/processes/platform-server.ts')
      const database = postgres ? [postgres.url] : []
      const server = startProcess(process.execPath, [
        'bench/processes/gateway-server.ts',
        folder,
        platform.url,
        ...database,
      ])
      const { port, token } = JSON.parse(await server.line((line) => line.startsWith('{'), 60_000)) as {
        port: number
        token: string
      }
      const client = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency })
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      let serial = 0
      const send = async () => {
        // Another customer each time: the platform's limit per pair is not what is measured.
        const to = `+1555${String(serial++ % 10_000_000).padStart(7, '0')}`
        const body = JSON.stringify({ to, message: 'Your order A-1001 has been shipped.' })
        const answer = await client.request({ method: 'POST', path: '/v1/chat/messages/send', headers, body })
        if (answer.statusCode !== 200)
          throw new Error(`the gateway answered ${answer.statusCode}: ${await answer.body.text()}`)
        await answer.body.dump()
      }
      return {
        run: (seconds) =>
          runLoad({ concurrency, seconds, operation: send, cpuSeconds: () => cpuSecondsOf(server.pid) }),
        async stop() {
          await client.destroy()
          await server.destroy()
          await platform.stop()
          await rm(folder, { recursive: true, force: true })
        },
      }
    },
  }
}
