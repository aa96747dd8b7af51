import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operator } from '../server/src/audit/audit.ts'
import type { ItemInContext } from '../server/src/channels/callbacks/callback-items.ts'
import { loadConfig } from '../server/src/config/config.ts'
import { createRuntime } from '../server/src/create-runtime.ts'
import { createAccount } from '../server/src/installation/account.ts'
import { applyStatuses } from '../server/src/messages/apply-statuses.ts'
import { ownStep } from '../server/src/messages/message-record.ts'
import { createLogger } from '../server/src/observe/log.ts'
import type { StatusItem } from '../server/src/platform/callback-item.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { Unit } from '../server/src/store/engine/unit.ts'
import { insertMessage, type MessageRow, newMessage } from '../server/src/store/messages/messages.ts'
import { type PostgresServer, startPostgres } from '../test/support/postgres/postgres.ts'
import { type Bench, type Contestant, compare, runLoad } from './harness.ts'

const batch = 100
/** The applier of the gateway has 1 MB of callbacks in hand, some 30 of this size. */
const parallel = 8
/** More than any machine of today applies. */
const perSecondMax = 30_000

/** What a status costs once it is parsed: read, state machine, update, history, event, deliveries, counters, durable. */
export const statusesBench: Bench = {
  name: 'statuses',
  summary: `statuses applied to stored messages in batches of ${batch}, durable`,
  async run() {
    const postgres = await startPostgres({ durable: true })
    try {
      const contestants = [applier('SQLite'), applier('PostgreSQL', postgres)]
      // In the first seconds the code is not compiled yet, at a third more CPU.
      const rows = await compare({ contestants, rounds: 5, warmUpSeconds: 3 })
      return [{ title: `Statuses applied per second, batches of ${batch}, ${parallel} at once`, rows }]
    } finally {
      await postgres.stop()
    }
  },
}

function applier(name: string, postgres?: PostgresServer): Contestant {
  return {
    name,
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
      const env = { POSTERN_DATA_DIR: folder, ...(postgres ? { POSTERN_DATABASE_URL: postgres.url } : {}) }
      const closers: (() => Promise<unknown>)[] = []
      const { config } = loadConfig({ env, terminal: false })
      const rt = await createRuntime(config, createLogger({ level: 'silent', format: 'json' }), closers)
      const { account } = await createAccount(rt, { name: 'Bench', plan: 'enterprise', actor: operator })
      const batches: string[][] = []
      const apply = async () => {
        const ids = batches.pop()
        if (!ids) throw new Error('All messages are used up: store more of them before the turn.')
        await applyStatuses(
          rt,
          ids.map((id) => delivered(rt, account.id, id)),
        )
      }
      let serial = 0
      return {
        async run(seconds) {
          // Every status meets a message, which was stored before the turn.
          while (batches.length * batch < perSecondMax * seconds) {
            const ids = Array.from({ length: batch }, () => `wamid.bench.${serial++}`)
            await storeSent(rt, account.id, ids)
            batches.push(ids)
          }
          const sample = await runLoad({ concurrency: parallel, seconds, operation: apply })
          return { ...sample, operations: sample.operations * batch }
        },
        async stop() {
          for (const close of closers.reverse()) await close()
          await rm(folder, { recursive: true, force: true })
        },
      }
    },
  }
}

async function storeSent(rt: Runtime, accountId: string, ids: readonly string[]): Promise<void> {
  const now = rt.clock.now()
  const history = `[${ownStep('sent', now)}]`
  const rows = ids.map(
    (id): MessageRow => ({
      ...blank,
      id: rt.newId('out'),
      account_id: accountId,
      channel_message_id: id,
      created_at: now,
      sent_at: now,
      history,
    }),
  )
  const unit = new Unit()
  unit.add(insertMessage, ...rows.map((row) => ({ ...row, customer_address: null })))
  await rt.store.write(unit)
}

const blank = newMessage({
  id: '',
  account_id: '',
  number_id: 'pn_bench',
  direction: 'outbound',
  type: 'text',
  status: 'sent',
  phone: '+12025550100',
  country: 'US',
  content: '{"text":"Your order A-1001 has been shipped."}',
  history: '[]',
  event_sequence: 1,
  created_at: 0,
})

function delivered(rt: Runtime, accountId: string, id: string): ItemInContext<StatusItem> {
  const at = rt.clock.now()
  return {
    context: {
      accountId,
      channel: { id: 'chn_bench', kind: 'cloud', wabaId: '9001' },
      number: { id: 'pn_bench', phoneNumber: '+15550100001', displayName: null },
      receivedAt: at,
    },
    item: {
      kind: 'status',
      dedupeKey: id,
      wabaId: '9001',
      phoneNumberId: '1065',
      channelMessageId: id,
      status: 'delivered',
      platformStatus: 'delivered',
      at,
      recipient: { phone: '+12025550100', userId: null },
      correlation: null,
      failures: [],
      pricing: { type: 'regular', category: 'utility' },
    },
  }
}
