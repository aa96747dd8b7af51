import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { startProcess } from '../test/support/child-process.ts'
import { type Bench, type Contestant, compare, cpuSecondsOf, runLoad } from './harness.ts'

const concurrency = 16
const batch = 100

/** How fast the platform may speak: every body is new, signed, durable before its 200. */
export const callbacksBench: Bench = {
  name: 'callbacks',
  summary: `status callbacks in batches of ${batch}, stored raw on SQLite and acknowledged`,
  async run() {
    const contestants = [receiver('stored and acknowledged'), receiver('the same while they are applied', 'apply')]
    const rows = await compare({ contestants, rounds: 3 })
    return [{ title: `Statuses per second, batches of ${batch}, ${concurrency} connections`, rows }]
  },
}

type Place = { port: number; path: string; wabaId: string; phoneNumberId: string; appSecret: string }

function receiver(name: string, ...mode: string[]): Contestant {
  return {
    name,
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
      const server = startProcess(process.execPath, ['bench/processes/callback-server.ts', folder, ...mode])
      const place = JSON.parse(await server.line((line) => line.startsWith('{'))) as Place
      const client = new Pool(`http://127.0.0.1:${place.port}`, { connections: concurrency })
      let serial = 0
      const post = async () => {
        const body = statusBody(place, serial++)
        const signature = `sha256=${createHmac('sha256', place.appSecret).update(body).digest('hex')}`
        const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
        const answer = await client.request({ method: 'POST', path: place.path, headers, body })
        await answer.body.dump()
        if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`)
      }
      return {
        async run(seconds) {
          const cpuSeconds = () => cpuSecondsOf(server.pid)
          const sample = await runLoad({ concurrency, seconds, operation: post, cpuSeconds })
          return { ...sample, operations: sample.operations * batch }
        },
        async stop() {
          await client.destroy()
          await server.destroy()
          await rm(folder, { recursive: true, force: true })
        },
      }
    },
  }
}

/** About 36 KB, as the platform writes them. */
function statusBody({ wabaId, phoneNumberId }: Place, serial: number): string {
  const statuses = Array.from({ length: batch }, (_, index) => ({
    id: `wamid.HBgLMTU1NTAwMDExMTEVAgARGBI${String(serial * batch + index).padStart(12, '0')}A=`,
    status: 'delivered',
    timestamp: '1763200000',
    recipient_id: '15550001111',
    recipient_user_id: 'US.1349123456789',
    biz_opaque_callback_data: `out_01jd4kb2c4d6e8f0${String(index).padStart(10, '0')}`,
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
  }))
  const metadata = { display_phone_number: '15550100001', phone_number_id: phoneNumberId }
  const value = { messaging_product: 'whatsapp', metadata, statuses }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: wabaId, changes: [{ field: 'messages', value }] }],
  })
}
