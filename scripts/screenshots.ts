/**
 * Pictures of the console from seeded data: `node scripts/screenshots.ts [--out folder] [--only name]`, default
 * docs/images. Light and dark, wide and narrow; they are looked at, not compared.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { operator } from '../server/src/accounts/audit.ts'
import { createAccount } from '../server/src/accounts/create-account.ts'
import { addSetupLink } from '../server/src/accounts/setup-owner.ts'
import { loadConfig } from '../server/src/config.ts'
import { createRuntime } from '../server/src/create-runtime.ts'
import { createApp } from '../server/src/http/app.ts'
import { resources } from '../server/src/http/resources.ts'
import { createLogger } from '../server/src/log.ts'
import { Unit } from '../server/src/store/unit.ts'
import { CONTEXT, launchBrowser } from '../test/support/browser.ts'
import { seedConsole } from '../test/support/console-seed.ts'
import { buildConsole } from './build-console.ts'
import { root } from './run-command.ts'

const { values: flags } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string' } } })
const out = flags.out ?? join(root, 'docs/images')

const shots: readonly [name: string, path: string][] = [
  ['api-keys', '/api-keys'],
  ['create-key', '/api-keys?create'],
  ['api-requests', '/logs'],
  ['plan', '/settings/plan'],
  ['members', '/settings/members'],
  ['security', '/settings/security'],
  ['audit', '/settings/audit'],
  ['docs', '/docs'],
]
const sizes = [
  { suffix: '', viewport: { width: 1280, height: 800 } },
  { suffix: '-narrow', viewport: { width: 375, height: 812 } },
] as const

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
        await page.screenshot({ path: join(out, `${name}-${colorScheme}${suffix}.png`) })
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
  const context = await from.newContext({ ...CONTEXT, viewport: sizes[0].viewport })
  const page = await context.newPage()
  await page.goto(gateway.link)
  await page.getByLabel('Name').fill('Ana Sousa')
  await page.getByLabel('Email').fill('ana@acme.example')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.screenshot({ path: join(out, 'setup-light.png') })
  await page.getByRole('button', { name: 'Create owner account' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

async function startSeeded() {
  const folder = mkdtempSync(join(tmpdir(), 'postern-screenshots-'))
  const env = { POSTERN_DATA_DIR: folder, POSTERN_LOG_LEVEL: 'error' }
  const { config } = loadConfig({ env, terminal: false })
  const closers: (() => Promise<unknown>)[] = []
  const rt = await createRuntime(config, createLogger({ level: 'error', format: 'json' }), closers)
  const app = await createApp(rt, { readiness: { check: async () => [] }, resources })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://localhost:${(app.server.address() as AddressInfo).port}`
  Object.assign(rt.urls, { base: url, console: url })
  const { account, owner } = await createAccount(rt, { name: 'Acme Store', plan: 'starter', actor: operator })
  await seedConsole(rt, account.id, owner.id)
  const unit = new Unit()
  const { link } = addSetupLink(rt, unit, owner.id, 'owner')
  await rt.store.write(unit)
  return {
    url,
    link,
    async stop() {
      await app.close()
      for (const close of closers.reverse()) await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
