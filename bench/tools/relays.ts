import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { operator } from '../../server/src/audit/audit.ts'
import { applyCallbacks } from '../../server/src/channels/callbacks/apply-callbacks.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { setCallback } from '../../server/src/connections/callback-address.ts'
import { addConnection, requireConnection } from '../../server/src/connections/change-connection.ts'
import { createRuntime } from '../../server/src/create-runtime.ts'
import { publishEvent } from '../../server/src/events/publish-event.ts'
import { publishRelays } from '../../server/src/events/publish-relay.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { findWebhook } from '../../server/src/store/webhooks/webhooks.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { callbackHandlers } from '../../server/src/workers/callback-applier.ts'
import { startDeliveryEngine } from '../../server/src/workers/delivery-engine.ts'
import { startProcess } from '../../test/support/child-process.ts'
import { saveCloudChannel } from '../../test/support/save-cloud-channel.ts'
import { type Bench, type Contestant, compare, runLoad } from '../harness.ts'

const batch = 100
const drained = 1_000

/** What it costs to pass callbacks on to a tool, beside what is done anyway. */
export const relaysBench: Bench = {
  name: 'relays',
  summary:
    'callbacks applied with and without a tool that gets them, and deliveries to tools beside those to webhooks, on SQLite',
  async run() {
    const applied = [applying('no tool', 0), applying('one tool', 1), applying('three tools', 3)]
    const delivered = [delivering('webhook'), delivering('relay')]
    return [
      {
        title: 'Inbound messages applied per second, one in each callback',
        rows: await compare({ contestants: applied }),
      },
      { title: 'Deliveries per second', rows: await compare({ contestants: delivered, rounds: 7, seconds: 1 }) },
    ]
  },
}

type Place = { rt: Runtime; accountId: string; channelId: string; close(): Promise<void> }

async function aPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
  const env = {
    POSTERN_DATA_DIR: folder,
    POSTERN_LOG_LEVEL: 'error',
    POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8',
    POSTERN_WEBHOOK_VERIFICATION: 'off',
  }
  const { config } = loadConfig({ env, terminal: false })
  const closers: (() => Promise<unknown>)[] = []
  const log = createLogger({ level: 'error', format: 'json' })
  const rt = await createRuntime(config, log, closers)
  const { account } = await createAccount(rt, { name: 'Bench', plan: 'free', actor: operator })
  const { channel } = await saveCloudChannel(rt, account.id, nth)
  return {
    rt,
    accountId: account.id,
    channelId: channel.id,
    async close() {
      for (const close of closers.reverse()) await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const nth = 65
const metadata = { display_phone_number: '15550100001', phone_number_id: `10${nth}` }

function callbackText(serial: number): string {
  const from = `1555${String(1_000_000 + (serial % 500))}`
  const message = {
    from,
    id: `wamid.bench${serial}`,
    timestamp: '1763200000',
    type: 'text',
    text: { body: 'Is it ready?' },
  }
  const contacts = [{ profile: { name: 'Ann' }, wa_id: from }]
  const value = { messaging_product: 'whatsapp', metadata, contacts, messages: [message] }
  const change = { field: 'messages', value }
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: `90${nth}`, changes: [change] }] })
}

/** The address of a tool that nobody asked. */
async function addTool({ rt, accountId }: Place, url: string): Promise<string> {
  const wanted = { actor: operator, accountId, name: 'Tool', tool: 'generic' as const, createdBy: '' }
  const { row } = await addConnection(rt, wanted)
  const stored = await requireConnection(rt, accountId, row.id)
  await setCallback(rt, stored, { url }, { actor: operator, waive: true })
  return (await requireConnection(rt, accountId, row.id)).row.relay_id ?? ''
}

function applying(name: string, tools: number): Contestant {
  return {
    name,
    async start() {
      const place = await aPlace()
      const { rt, accountId, channelId } = place
      for (let nthTool = 0; nthTool < tools; nthTool++) await addTool(place, 'http://127.0.0.1:9/webhook')
      let serial = 0
      const apply = () => {
        const callbacks = Array.from({ length: batch }, () => ({
          id: rt.newId('cbk'),
          channel_id: channelId,
          account_id: accountId,
          body: Buffer.from(callbackText(serial++)),
          received_at: rt.clock.now(),
          attempts: 1,
          claim: 'bench',
        }))
        return applyCallbacks(rt, callbackHandlers, callbacks)
      }
      return {
        async run(seconds) {
          const sample = await runLoad({ concurrency: 1, seconds, operation: apply })
          return { ...sample, operations: sample.operations * batch }
        },
        stop: place.close,
      }
    },
  }
}

const receiver = `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.end('ok'))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

function delivering(kind: 'webhook' | 'relay'): Contestant {
  return {
    name: kind,
    async start() {
      const place = await aPlace()
      const { rt, accountId, channelId } = place
      const server = startProcess(process.execPath, ['-e', receiver])
      const url = `http://127.0.0.1:${(await server.line((line) => /^\d+$/.test(line))).trim()}/hook`
      const id =
        kind === 'relay' ? await addTool(place, url) : (await registerWebhook(rt, accountId, webhookTo(url))).id
      const engine = startDeliveryEngine(rt)
      let serial = 0
      // As callbacks are applied: many at a time, in one unit.
      const publish = async () => {
        const texts = Array.from({ length: batch }, () => callbackText(serial++))
        const unit = new Unit()
        if (kind === 'webhook') {
          for (const text of texts) {
            publishEvent(rt, unit, { accountId, type: 'message.received', subject: null, sequence: 1, data: { text } })
          }
        } else {
          const items = texts.flatMap((text) =>
            rt.platform.relay
              .split(text, `${rt.urls.base}/graph/media`)
              .map((piece) => ({ accountId, channelId, numberId: null, key: rt.newId('key'), piece })),
          )
          const add = await publishRelays(rt, items)
          add(unit)
        }
        return rt.store.write(unit)
      }
      const drain = async () => {
        const goal = serial + drained
        await Promise.all(Array.from({ length: drained / batch }, publish))
        const sent = async () => (await rt.store.read(findWebhook, { id, account_id: accountId }))[0]?.total_sent ?? 0
        while ((await sent()) < goal) await delay(5)
      }
      return {
        async run(seconds) {
          const sample = await runLoad({ concurrency: 1, seconds, operation: drain })
          return { ...sample, operations: sample.operations * drained }
        },
        async stop() {
          await engine.drain(5_000)
          await server.destroy()
          await place.close()
        },
      }
    },
  }
}

function webhookTo(url: string) {
  return { url, events: ['*'], secret: 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=' }
}
