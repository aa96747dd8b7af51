/**
 * The whole gateway in a process of its own, on SQLite in the folder of the first argument or on the PostgreSQL of the
 * third, with one account on the plan of the fourth whose numbers, as many as the seventh says, speak to the platform of the
 * second, and as many customers who have just written as the fifth says, beside as many other accounts as the sixth says. Its settings are the usual ones and its workers run: counts are folded, requests
 * are logged. Prints one line of JSON.
 */
import { openSync, writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { saveChannel } from '../../server/src/channels/save-channel.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { addConnection } from '../../server/src/connections/change-connection.ts'
import { plans } from '../../server/src/contract/plans.ts'
import { scopes } from '../../server/src/contract/scopes.ts'
import { createRuntime } from '../../server/src/create-runtime.ts'
import { createApp } from '../../server/src/http/app.ts'
import { resources } from '../../server/src/http/v1/resources.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { createGate } from '../../server/src/limits/quota-shared.ts'
import { noteWritten } from '../../server/src/messages/customers/as-customer.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { operation } from '../../server/src/store/engine/operation.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { callbackHandlers, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { startDeliveryEngine } from '../../server/src/workers/delivery-engine.ts'
import { jobDefinitions } from '../../server/src/workers/jobs.ts'
import { startRunner } from '../../server/src/workers/runner.ts'
import { startSendLanes } from '../../server/src/workers/send-lanes.ts'

const [
  folder = '',
  platformUrl = '',
  databaseUrl,
  plan = 'professional',
  customers = '50000',
  others = '0',
  numbers = '1',
] = process.argv.slice(2)
const env = {
  POSTERN_DATA_DIR: folder,
  // Every send has to find that its customer wrote within 24 hours.
  POSTERN_WINDOW_POLICY: 'strict',
  // A webhook of a bench is on this machine and expects no challenge.
  POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8',
  POSTERN_WEBHOOK_VERIFICATION: 'off',
  ...(databaseUrl ? { POSTERN_DATABASE_URL: databaseUrl } : {}),
}
const { config } = loadConfig({ env, terminal: false })
const logFile = openSync(join(folder, 'log'), 'a')
const destination = { write: (line: string) => writeSync(logFile, line) }
const rt = await createRuntime(config, createLogger({ level: config.logLevel, format: 'json', destination }), [])
// Counted as every plan with limits is; where they lie is not what is measured.
Object.assign(plans.professional, { hour: 1e12, day: 1e12 })
const { account, owner } = await createAccount(rt, {
  name: 'Bench',
  plan: plan as keyof typeof plans,
  actor: operator,
})
const place = { wabaId: '9001', phoneNumberId: '1065', appSecret: 'bench' }
const phones = Array.from({ length: Number(numbers) }, (_, nth) => `+1555010${String(nth + 1).padStart(4, '0')}`)
const [{ channel, numberId }] = (await oneByOne(phones, saveNumber)) as [Awaited<ReturnType<typeof saveNumber>>]
await openWindows(Number(customers))
// As if Meta had approved the catalog.
const approve = operation({
  name: 'bench.approve',
  input: { status: 'text', channel_id: 'text' },
  sql: `update templates set status = rows.status, channel_id = rows.channel_id, channel_kind = 'cloud' from rows`,
})
await rt.store.write(unitOf(approve, { status: 'approved', channel_id: channel.id }))
const metrics: (typeof resources)[number] = (one) =>
  void one.get('/v1/bench/metrics', { config: { access: 'public' } }, () => rt.metrics.render())
const retention: (typeof resources)[number] = (one) =>
  void one.get('/v1/bench/retention', { config: { access: 'public' } }, () => retain())
const own = [...resources, metrics, retention]
const app = await createApp(rt, { readiness: { check: async () => [] }, resources: own })
startCallbackApplier(rt, callbackHandlers)
startRunner(rt, jobDefinitions)
startDeliveryEngine(rt)
startSendLanes(rt, createGate(rt))
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
const callback = `/channel/${channel.callbackId}/callback`
const token = await tokenOf(account.id, owner.id)
const usual = { accountId: account.id, name: 'Bench', tool: 'generic' as const }
const { token: toolToken } = await addConnection(rt, { ...usual, createdBy: owner.id, actor: operator })
const tokens: string[] = []
for (let other = 0; other < Number(others); other++) {
  const made = await createAccount(rt, { name: `Other ${other}`, plan: 'professional', actor: operator })
  tokens.push(await tokenOf(made.account.id, made.owner.id))
}
process.stdout.write(
  `${JSON.stringify({ ...place, port, callback, token, toolToken, others: tokens, numbers: phones })}\n`,
)

/** One more number of the same business account; the first has the id of the place. */
function saveNumber(phone: string, nth: number) {
  return saveChannel(rt, {
    ...place,
    phoneNumberId: nth === 0 ? place.phoneNumberId : `${place.phoneNumberId}${nth}`,
    accountId: account.id,
    kind: 'cloud',
    accessToken: 'bench',
    appId: null,
    baseUrl: platformUrl,
    graphVersion: 'v26.0',
    app: null,
    tokenExpiresAt: null,
    health: {
      phone_number: phone,
      display_name: null,
      status: 'CONNECTED',
      quality: null,
      // The platform's own rate limit is not what is measured.
      sends_per_second: 1_000_000,
      messaging_limit: null,
    },
    actor: operator,
  })
}

async function oneByOne<One, Result>(
  all: readonly One[],
  work: (one: One, nth: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [nth, one] of all.entries()) results.push(await work(one, nth))
  return results
}

/** Every job that deletes by age, until it has nothing left to do, and how long each took. */
async function retain(): Promise<{ kind: string; seconds: number }[]> {
  const took: { kind: string; seconds: number }[] = []
  for (const { kind, run } of jobDefinitions.filter(({ deletesByAge }) => deletesByAge)) {
    const at = performance.now()
    for (let again = true; again; ) {
      // Regular jobs do not look at theirs.
      const outcome = await run(rt, {} as Parameters<typeof run>[1])
      again = outcome !== 'done' && outcome.againAt <= rt.clock.now()
    }
    took.push({ kind, seconds: (performance.now() - at) / 1_000 })
  }
  return took.sort((a, b) => b.seconds - a.seconds)
}

async function tokenOf(accountId: string, createdBy: string): Promise<string> {
  const { row, secret } = await createKey(rt, { accountId, name: 'Bench', scopes, createdBy, actor: operator })
  const payload = { api_key: row.public_key, api_secret: secret }
  return (await app.inject({ method: 'POST', url: '/v1/auth/token', payload })).json().data.access_token
}

/** Customers +15550000000 and up have just written. */
async function openWindows(count: number): Promise<void> {
  const at = rt.clock.now()
  for (let from = 0; from < count; from += 1_000) {
    const written = Array.from({ length: Math.min(1_000, count - from) }, (_, index) => {
      const phone = `+1555${String(from + index).padStart(7, '0')}`
      return noteWritten(rt, { accountId: account.id, numberId, identity: { phone, userId: null, at }, unread: 0 })
    })
    await Promise.all(written)
  }
}
