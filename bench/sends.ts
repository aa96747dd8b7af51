import { Pool } from 'undici'
import { type PostgresServer, startPostgres } from '../test/support/postgres/postgres.ts'
import { startGateway } from './gateway.ts'
import { type Bench, type Contestant, compare, cpuSecondsOf, runLoad } from './harness.ts'
import { passthrough } from './passthrough.ts'

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
      const server = await startGateway(postgres)
      const { headers } = server
      const client = new Pool(server.url, { connections: concurrency })
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
          await server.stop()
        },
      }
    },
  }
}
