import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOwnSandbox } from '../cli/src/own-sandbox.ts'
import { createKey } from '../server/src/access/keys/create-key.ts'
import { newApiSecret } from '../server/src/access/keys/credentials.ts'
import { operator } from '../server/src/audit/audit.ts'
import { loadConfig } from '../server/src/config/config.ts'
import { scopes } from '../server/src/contract/scopes.ts'
import { createAccount } from '../server/src/installation/account.ts'
import { createLogger } from '../server/src/observe/log.ts'
import { addUser } from '../server/src/people/create-user.ts'
import { addSetupLink } from '../server/src/people/setup-link.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { startService } from '../server/src/service.ts'
import { findOwner } from '../server/src/store/accounts/users.ts'
import { Unit } from '../server/src/store/engine/unit.ts'
import { startHostileReceiver } from '../test/support/receiver/hostile-receiver.ts'
import { respond } from '../test/support/receiver/hostile-receiver-reactions.ts'
import { tokenOf } from '../test/support/serve.ts'
import { caFile, testCertificates } from '../test/support/tls.ts'
import { waitFor } from '../test/support/wait-for.ts'
import { seedConnections } from './seed-connections.ts'
import { seedShop } from './seed-shop.ts'

export type Shop = Awaited<ReturnType<typeof startShop>>

/**
 * A gateway with a busy shop on its sandbox, a webhook that works and one that fails, and an account nobody has used.
 */
export async function startShop() {
  const folder = mkdtempSync(join(tmpdir(), 'postern-screenshots-'))
  const authority = await caFile()
  const receiver = await startHostileReceiver({ tls: (await testCertificates()).trusted })
  const env = {
    POSTERN_DATA_DIR: folder,
    POSTERN_LISTEN: 'localhost:0',
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_SANDBOX_LISTEN: '127.0.0.1:0',
    POSTERN_WEBHOOK_CA_FILE: authority.file,
    POSTERN_RELAY_ALLOW: 'localhost',
  }
  const { config } = loadConfig({ env, terminal: false })
  const sandbox = await startOwnSandbox(config)
  const log = createLogger({ level: 'error', format: 'json' })
  const service = await startService(config, log, { sandbox: sandbox?.forService ?? null })
  const { accountId = '', consoleLink = '', credentials } = service.firstRun ?? {}
  const [owner] = await service.rt.store.read(findOwner, { account_id: accountId })
  await seedShop(service.rt, accountId, owner?.id ?? '')
  const token = await tokenOf(service.urls.base, { api_key: credentials?.apiKey, api_secret: credentials?.apiSecret })
  const call = callAs(service.urls.base, token)
  await call('/v1/webhooks', { url: `${receiver.url}/hooks/orders`, events: ['*'], description: 'Order service' })
  const { id: failing } = await call('/v1/webhooks', {
    url: `${receiver.url}/hooks/stock`,
    events: ['message.read', 'message.failed'],
    description: 'Stock',
    secret: `whsec_${randomBytes(32).toString('base64')}`,
  })
  await waitFor(async () => (await call(`/v1/webhooks/${failing}`)).verification.status === 'verified', 10_000)
  receiver.on('/hooks/stock', respond({ status: 503, body: '{"error":"the stock database is being moved"}' }))
  const messageId = await writeToCustomers(call)
  const { broadcastId, draftId } = await makeBroadcasts(call)
  const number = sandbox?.forService.firstNumber.phoneNumberId ?? ''
  const at = { accountId, url: service.urls.base, number, to: '+12025550100' }
  const { closeTool, ...connections } = await seedConnections(service.rt, at)
  return {
    url: service.urls.base,
    links: {
      owner: consoleLink,
      viewer: await invite(service.rt, accountId),
      newcomer: (await openEmptyAccount(service.rt, 'Corner Bakery')).link,
      stuck: await openStuckAccount(service.rt, service.urls.base),
      unused: (await openEmptyAccount(service.rt, 'My business')).link,
    },
    failingWebhook: String(failing),
    messageId,
    broadcastId,
    draftId,
    ...connections,
    async stop() {
      await service.stop()
      await sandbox?.close()
      await receiver.close()
      await closeTool()
      authority.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Call = ReturnType<typeof callAs>

function callAs(url: string, token: string) {
  return async (path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: never }).data as Record<string, string> & {
      verification: { status: string }
    }
  }
}

/** A text, and a question the customer of the sandbox can answer with a tap. */
/** One that has ended, with a failure, and one that is being prepared. */
async function makeBroadcasts(call: Call): Promise<{ broadcastId: string; draftId: string }> {
  const text = (value: string) => ({ type: 'text', text: value })
  const draft = {
    template: 'order_confirmation',
    language: 'en_US',
    components: [{ type: 'body', parameters: [text('{{name|customer}}'), text('{{order}}'), text('{{total}}')] }],
  }
  const recipients = Array.from({ length: 60 }, (_, nth) => ({
    to: nth % 3 === 0 ? `+34612345${100 + nth}` : `+351912345${100 + nth}`,
    values: { name: 'Ana', order: `A-${nth}`, total: '9.00 EUR' },
  }))
  const ended = await call('/v1/chat/broadcasts', { name: 'Orders of May', ...draft, recipients, start: true })
  await waitFor(async () => (await call(`/v1/chat/broadcasts/${ended.id}`)).status === 'completed', 30_000)
  const prepared = await call('/v1/chat/broadcasts', { name: 'Orders of June', ...draft, recipients })
  return { broadcastId: String(ended.id), draftId: String(prepared.id) }
}

async function writeToCustomers(call: Call): Promise<string> {
  const to = '+12025550100'
  const text = await call('/v1/chat/messages/send', { to, message: 'Hello Ana, your order A-1001 has been shipped.' })
  await call('/v1/chat/messages/interactive', {
    to,
    type: 'buttons',
    body: 'When may we deliver it?',
    buttons: [
      { id: 'morning', title: 'In the morning' },
      { id: 'evening', title: 'In the evening' },
    ],
  })
  return String(text.message_id)
}

async function invite(rt: Runtime, accountId: string): Promise<string> {
  const unit = new Unit()
  const at = rt.clock.now()
  const id = rt.newId('usr')
  const member = {
    id,
    account_id: accountId,
    person_id: rt.newId('per'),
    name: 'Eva Lund',
    role: 'viewer',
    joined_at: null,
  }
  const person = { email: 'eva@acme.example', password_hash: null, created_at: at, updated_at: at }
  addUser(unit, { ...member, ...person })
  const { link } = addSetupLink(rt, unit, id, 'invite')
  await rt.store.write(unit)
  return link
}

async function openEmptyAccount(rt: Runtime, name: string) {
  const { account, owner } = await createAccount(rt, { name, plan: 'free', actor: operator })
  const unit = new Unit()
  const { link } = addSetupLink(rt, unit, owner.id, 'owner')
  await rt.store.write(unit)
  return { account, owner, link }
}

/** Has a key, and a caller that names it with a wrong secret. */
async function openStuckAccount(rt: Runtime, url: string): Promise<string> {
  const { account, owner, link } = await openEmptyAccount(rt, 'Harbour Café')
  const input = { accountId: account.id, name: 'Orders', scopes, createdBy: owner.id, actor: operator }
  const { row } = await createKey(rt, input)
  await fetch(`${url}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: row.public_key, api_secret: newApiSecret() }),
  })
  return link
}
