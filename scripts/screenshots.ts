/**
 * Pictures of the console from seeded data: `node scripts/screenshots.ts [--out folder] [--only name] [--narrow] [--full]`,
 * default docs/images. Light and dark, with `--narrow` also as on a phone; they are looked at, not compared.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { startOwnSandbox } from '../cli/src/own-sandbox.ts'
import { loadConfig } from '../server/src/config.ts'
import { createLogger } from '../server/src/log.ts'
import { startService } from '../server/src/service.ts'
import { findOwner } from '../server/src/store/users.ts'
import { CONTEXT, launchBrowser } from '../test/support/browser.ts'
import { startHostileReceiver } from '../test/support/hostile-receiver.ts'
import { tokenOf } from '../test/support/serve.ts'
import { caFile, testCertificates } from '../test/support/tls.ts'
import { buildConsole } from './build-console.ts'
import { root } from './run-command.ts'
import { seedShop } from './seed-shop.ts'

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string' },
    only: { type: 'string' },
    narrow: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
  },
})
const out = flags.out ?? join(root, 'docs/images')

const shots: readonly [name: string, path: string][] = [
  ['home', '/'],
  ['messages', '/messages'],
  ['sandbox', '/sandbox'],
  ['templates', '/templates'],
  ['template-editor', '/templates/new'],
  ['analytics', '/analytics'],
  ['webhooks', '/webhooks'],
  ['channel', '/channel'],
  ['api-keys', '/api-keys'],
  ['create-key', '/api-keys?create'],
  ['api-requests', '/logs'],
  ['plan', '/settings/plan'],
  ['members', '/settings/members'],
  ['security', '/settings/security'],
  ['audit', '/settings/audit'],
  ['docs', '/docs'],
]
const wide = { suffix: '', viewport: { width: 1280, height: 800 } }
const narrow = { suffix: '-narrow', viewport: { width: 375, height: 812 } }
const sizes = flags.narrow ? [wide, narrow] : [wide]

await buildConsole({ ifNeeded: true })
mkdirSync(out, { recursive: true })
const gateway = await startSeeded()
const browser = await launchBrowser()
try {
  const storageState = await signIn(browser)
  for (const { suffix, viewport } of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ ...CONTEXT, viewport, colorScheme, storageState })
      const page = await context.newPage()
      for (const [name, path] of shots.filter(([name]) => flags.only === undefined || flags.only === name)) {
        await page.goto(`${gateway.url}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        await page.screenshot({ path: join(out, `${name}-${colorScheme}${suffix}.png`), fullPage: flags.full })
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await gateway.stop()
}

/** The owner's first visit; every other browser of this run shares the cookie. */
async function signIn(from: Browser) {
  const context = await from.newContext({ ...CONTEXT, viewport: wide.viewport })
  const page = await context.newPage()
  await page.goto(gateway.link)
  await page.getByLabel('Name').fill('Ana Sousa')
  await page.getByLabel('Email').fill('ana@acme.example')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.screenshot({ path: join(out, 'setup-light.png') })
  await page.getByRole('button', { name: 'Create owner account' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await talk(page)
  const state = await context.storageState()
  await context.close()
  return state
}

/** A conversation on the phone, so that it and the log show something that just happened. */
async function talk(page: Page): Promise<void> {
  const sends = [
    ['/v1/chat/messages/send', { message: 'Hello Ana, your order A-1001 has been shipped.' }],
    [
      '/v1/chat/messages/interactive',
      {
        type: 'buttons',
        body: 'When may we deliver it?',
        buttons: [
          { id: 'morning', title: 'In the morning' },
          { id: 'evening', title: 'In the evening' },
        ],
      },
    ],
  ] as const
  for (const [path, body] of sends) {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '+12025550100', ...body }),
    })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
  }
  await page.goto(`${gateway.url}/sandbox`)
  await page.getByRole('button', { name: 'In the morning' }).click()
  await page.getByText('In the morning').nth(1).waitFor()
}

async function startSeeded() {
  const folder = mkdtempSync(join(tmpdir(), 'postern-screenshots-'))
  const authority = await caFile()
  const receiver = await startHostileReceiver({ tls: (await testCertificates()).trusted })
  const env = {
    POSTERN_DATA_DIR: folder,
    POSTERN_LISTEN: 'localhost:0',
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_SANDBOX_LISTEN: '127.0.0.1:0',
    POSTERN_WEBHOOK_CA_FILE: authority.file,
  }
  const { config } = loadConfig({ env, terminal: false })
  const sandbox = await startOwnSandbox(config)
  const log = createLogger({ level: 'error', format: 'json' })
  const service = await startService(config, log, { sandbox: sandbox?.forService ?? null })
  const { accountId = '', consoleLink = '', credentials } = service.firstRun ?? {}
  const [owner] = await service.rt.store.read(findOwner, { account_id: accountId })
  await seedShop(service.rt, accountId, owner?.id ?? '')
  const token = await tokenOf(service.urls.base, { api_key: credentials?.apiKey, api_secret: credentials?.apiSecret })
  await fetch(`${service.urls.base}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.url}/hooks/orders`, events: ['*'], description: 'Order service' }),
  })
  return {
    url: service.urls.base,
    link: consoleLink,
    token,
    async stop() {
      await service.stop()
      await sandbox?.close()
      await receiver.close()
      authority.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
