import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster, type Tenant } from '../../scripts/cluster.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { clusterSandbox, clusterSettings } from '../support/cluster/cluster-run.ts'
import { appCode } from '../support/console/authenticator.ts'
import { aWindow } from '../support/console/console-service.ts'
import { aVisitor, password, type Visitor } from '../support/console/console-world.ts'
import { smallDisk } from '../support/disk.ts'
import { dataFolder } from '../support/folders.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { scaled } from '../support/proof.ts'
import { openRaw } from '../support/raw-database.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { aPlayground, stop } from '../support/serve.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

/** In a proof, what is late has waited; in `npm test`, what waits is made a minute older. */
const isWhole = scaled(1) > 1
/** Six processes and a browser on two cores, behind a slow way to the database. */
const patienceMs = 120_000
const word = 'Zimtstern'
const customer = '+4930123456'

const cleanup = new AsyncDisposableStack()
afterAll(() => cleanup.disposeAsync())

/** A process whose clock is wrong by so much, whichever way it asks. */
const clockOff = (ms: number) => {
  const code = `const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() + ${ms}) }
      static now() { return Real.now() + ${ms} }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

/** Stands between the nodes and PostgreSQL; `delayMs` is how long each reply of it takes longer. */
async function slowPath(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const state = { delayMs: 0 }
  const sockets = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const database = net.connect(Number(target.port), target.hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.pipe(database)
    database.on('data', (bytes) => void setTimeout(() => client.write(bytes), state.delayMs))
    database.on('end', () => client.end())
    client.on('close', () => database.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(databaseUrl)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as net.AddressInfo).port)
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: through.href, state, close }
}

async function anOperator(url: string, link: string): Promise<Visitor> {
  const operator = aVisitor({ url })
  const person = { token: tokenOfLink(link), name: 'Ana', email: 'ana@acme.test', password }
  const entered = await operator.call('POST', '/setup', person)
  expect(entered.status, JSON.stringify(entered.json)).toBe(200)
  const begun = await operator.call('POST', '/me/two-factor')
  expect(begun.status, JSON.stringify(begun.json)).toBe(200)
  const { secret } = begun.json.data
  await operator.call('POST', '/me/two-factor/confirm', { code: appCode(secret, Date.now()) })
  return operator
}

type Trouble = { kind: string; text: string }
const kindsOf = async ({ call }: Visitor): Promise<string[]> =>
  (await call('GET', '/installation')).json.data.troubles.map(({ kind }: Trouble) => kind)

/** What stands under "Needs attention", as a person reads it. */
async function attention(page: Page): Promise<string> {
  return (await page.getByRole('region', { name: 'Needs attention' }).textContent()) ?? ''
}

async function requestOf({ url }: Cluster, { apiKey, apiSecret }: Tenant, path: string, body?: object) {
  const authorization = `Basic ${btoa(`${apiKey}:${apiSecret}`)}`
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return {
    status: response.status,
    json: (await response.json()) as { data: { id: string }; error?: { code: string } },
  }
}

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
  cleanup.defer(() => browser.close())
}, processTimeoutMs)

describe.concurrent('an operator with three accounts and four nodes', {
  timeout: processTimeoutMs * 3,
}, () => {
  test('reads eleven faults in the pages, each of them caused', async () => {
    const fresh = await freshDatabase('postgres', { withDays: true })
    cleanup.defer(() => fresh.remove())
    if (fresh.database.kind !== 'postgres') throw new Error('Not the database that was asked for.')
    const raw = await openRaw(fresh.database)
    cleanup.defer(() => raw.close())
    const path = await slowPath(fresh.database.url)
    cleanup.defer(() => path.close())
    const small = await mkdtemp(join(dataFolder(), 'postern-small-'))
    cleanup.defer(() => rm(small, { recursive: true, force: true }))
    const disk = await smallDisk(small, 32)
    if (disk) cleanup.defer(() => disk.remove())
    const api = { POSTERN_ROLE: 'api' }
    const worker = { POSTERN_ROLE: 'worker' }
    const cluster = await startCluster({
      databaseUrl: path.url,
      nodes: 4,
      sandbox: clusterSandbox,
      env: {
        ...clusterSettings,
        // Nobody listens there: the mails that wait are the job that keeps failing.
        POSTERN_SMTP_URL: 'smtp://127.0.0.1:9',
        POSTERN_MAIL_FROM: 'postern@gateway.test',
      },
      nodeEnv: [{ ...api, POSTERN_DATA_DIR: small }, { ...api, ...clockOff(7_000) }, worker, worker],
    })
    cleanup.defer(() => cluster.close())
    const [, , lastWorker, firstDead] = cluster.nodes
    const operator = await anOperator(cluster.url, cluster.consoleLink ?? '')
    const [red, blue] = [await cluster.openTenant('Red'), await cluster.openTenant('Blue')]
    const sandbox = (method: string, to: string, body: object) =>
      fetch(`${cluster.sandbox.url}/_sandbox/${to}`, { method, body: JSON.stringify(body) })
    const sees = (...kinds: string[]) =>
      waitFor(async () => {
        const found = await kindsOf(operator)
        return kinds.every((kind) => found.includes(kind))
      }, patienceMs)

    // A node dies: it is missed after three heartbeats.
    await firstDead?.kill()
    // The disk of a node fills up.
    if (disk) await writeFile(join(small, 'ballast'), Buffer.alloc(30 * 1024 * 1024))
    // Mail has no server.
    await operator.call('POST', '/members', { name: 'Ben', email: 'ben@acme.test', role: 'viewer' })
    // Meta restricts an account.
    const violation_info = { violation_type: 'UTILITY_TEMPLATE_ABUSE' }
    const value = { event: 'ACCOUNT_RESTRICTION', violation_info }
    await sandbox('POST', 'events', { field: 'account_update', value })
    // A receiver that was verified goes away.
    const receiver = await startHostileReceiver()
    const webhook = { url: receiver.url, events: ['message.sent'] }
    const { id } = (await requestOf(cluster, blue, '/v1/webhooks', webhook)).json.data
    await waitFor(async () => {
      const { data } = (await requestOf(cluster, blue, `/v1/webhooks/${id}`)).json
      return JSON.stringify(data).includes('"status":"verified"')
    }, patienceMs)
    await receiver.close()
    const send = (tenant: Tenant, fields: object = {}) => {
      cluster.sandbox.control.setCustomer({ phone_number_id: tenant.numberId, phone_number: customer, window: 'open' })
      return requestOf(cluster, tenant, '/v1/chat/messages/send', { to: customer, message: word, ...fields })
    }
    expect((await send(blue)).status).toBe(200)
    // Meta ends a token: the next call shows it.
    await sandbox('PATCH', `numbers/${red.numberId}`, { token_expired: true })
    expect((await send(red)).json.error?.code).toBe('channel_auth_failed')
    // An account uses more than its next plan has.
    let asked = 0
    const ask = async () => {
      while (asked++ < 1_000) await requestOf(cluster, red, '/v1/auth/me')
    }
    await Promise.all(Array.from({ length: 16 }, ask))
    const changed = await operator.call('PUT', `/installation/accounts/${red.accountId}/plan`, { plan: 'free' })
    expect(changed.status).toBe(200)
    await sees('restricted', 'webhook_failing', 'token_lost', 'plan_used_up', 'clocks_apart', 'job_failing')

    // The last worker dies: nothing is sent and nothing applied any more.
    await lastWorker?.kill()
    expect((await send(blue, { queue: true })).status).toBe(200)
    await sandbox('POST', 'inbound', { to: blue.numberId, from: customer, text: word })
    await waitFor(async () => {
      const [row] = await raw.run(
        'select (select count(*) from waiting_sends) as sends, (select count(*) from callback_queue) as callbacks',
      )
      return Number(row?.sends) > 0 && Number(row?.callbacks) > 0
    }, patienceMs)
    if (!isWhole) {
      await raw.run('update waiting_sends set due_at = due_at - 60000')
      await raw.run('update callback_queue set received_at = received_at - 60000')
    }
    await sees('sends_late', 'callbacks_late', 'node_down', ...(disk ? ['disk_full'] : []))

    // The way to the database becomes slow, for all of them.
    path.state.delayMs = 300
    await sees('database_slow')
    const { page, go, faults, context } = await aWindow(browser, { url: cluster.url }, operator)
    await go('/installation')
    const sentences = [
      /A webhook of Blue at \S+ fails/,
      /Meta rejects the access token of a channel of Red/,
      /Meta reported account\.restricted for a number or account of My business/,
      /The node \S+ does not respond/,
      /Waiting messages are late/,
      /Callbacks of Meta are late/,
      /The job mail\.send keeps failing/,
      /The database took \d+ ms/,
      /The clock of the node \S+ is [67]\.\d s ahead of the database/,
      /Red has used up its requests of today of the plan free/,
      // Without the right to mount there is no disk that could be full.
      ...(disk ? [/The disk of the node \S+ is 9\d% full/] : []),
    ]
    await waitFor(async () => {
      const text = await attention(page)
      return sentences.every((sentence) => sentence.test(text))
    }, patienceMs)
    const accounts = page.getByRole('table', { name: 'Accounts', exact: true })
    expect(await accounts.locator('tbody tr').count()).toBe(3)
    expect(await page.getByRole('table', { name: 'Nodes' }).locator('tbody tr').count()).toBe(4)
    const whole = (await page.locator('main').textContent()) ?? ''
    expect([whole.includes(word), whole.includes(customer.slice(1))]).toEqual([false, false])
    expect(faults).toEqual([])
    await context.close()
  })

  test('reads that the last backup is old, after one was made three days ago', async () => {
    const play = await aPlayground()
    cleanup.defer(() => play.dispose())
    const first = await play.serve()
    await stop(first)
    const made = await play.run(['backup', join(play.folder, 'backup'), '--json'], clockOff(-3 * 86_400_000))
    expect(made.code, made.stderr).toBe(0)
    const gateway = await play.serve()
    const url = gateway.console_url
    const operator = await anOperator(url, first.firstRun?.console_link ?? '')
    expect(await kindsOf(operator)).toContain('backup_old')
    const { page, go, context } = await aWindow(browser, { url }, operator)
    await go('/installation')
    await page.getByText('The last backup is more than two days old.').waitFor()
    await page.getByRole('region', { name: 'Backup' }).getByText('3 days ago').waitFor()
    await context.close()
    await stop(gateway)
  })
})
