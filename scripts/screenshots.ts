/**
 * Pictures of the console from seeded data:
 * `node scripts/screenshots.ts [--out folder] [--only name,name] [--all] [--narrow] [--wide] [--full]`, default docs/images.
 * Light and dark; with `--all` also dialogs, empty pages and refusals, with `--narrow` also as on a phone, with
 * `--wide` as on a large screen. They are looked at, not compared.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { CONTEXT, launchBrowser } from '../test/support/browser/browser.ts'
import { buildConsole } from './build-console.ts'
import { type Scene, scenes, type Visitor } from './console-scenes.ts'
import { root } from './run-command.ts'
import { startShop } from './shop-gateway.ts'

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    narrow: { type: 'boolean', default: false },
    wide: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
  },
})
const out = flags.out ?? join(root, 'docs/images')

const usual = { suffix: '', viewport: { width: 1280, height: 800 } }
const narrow = { suffix: '-narrow', viewport: { width: 375, height: 812 } }
const wide = { suffix: '-wide', viewport: { width: 1920, height: 1080 } }
const sizes = [usual, ...(flags.narrow ? [narrow] : []), ...(flags.wide ? [wide] : [])]

await buildConsole({ ifNeeded: true })
mkdirSync(out, { recursive: true })
const only = flags.only?.split(',')
const wanted = scenes.filter(({ name, shown = false }) => only?.includes(name) ?? (flags.all || shown))
const gateway = await startShop()
const browser = await launchBrowser()
try {
  const visitors = await signInAll(browser)
  for (const scene of wanted) await take(scene, visitors[scene.as ?? 'owner'])
} finally {
  await browser.close()
  await gateway.stop()
}

/** Colours and width change under an open page, as they do on the screens of people; one visit gives all pictures. */
async function take({ name, path, act }: Scene, storageState: StorageState): Promise<void> {
  const context = await browser.newContext({ ...CONTEXT, viewport: usual.viewport, storageState })
  const page = await context.newPage()
  await page.goto(new URL(typeof path === 'string' ? path : path(gateway), gateway.url).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await act?.(page)
  for (const { suffix, viewport } of sizes) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: join(out, `${name}-${colorScheme}${suffix}.png`), fullPage: flags.full })
    }
  }
  await context.close()
}

/** The cookies of everybody the scenes are seen by. */
async function signInAll(from: Browser): Promise<Record<Visitor, StorageState>> {
  return {
    owner: await signIn(from, gateway.links.owner, 'ana@acme.example', talk),
    viewer: await signIn(from, gateway.links.viewer, ''),
    newcomer: await signIn(from, gateway.links.newcomer, 'rui@bakery.example'),
    stuck: await signIn(from, gateway.links.stuck, 'ines@harbour.example'),
    nobody: { cookies: [], origins: [] },
  }
}

async function signIn(
  from: Browser,
  link: string,
  email: string,
  then?: (page: Page) => Promise<void>,
): Promise<StorageState> {
  const context = await from.newContext({ ...CONTEXT, viewport: usual.viewport })
  const page = await context.newPage()
  await page.goto(link)
  if ((await page.getByLabel('Name').inputValue()) === '') await page.getByLabel('Name').fill('Ana Sousa')
  await page.getByLabel('Password').fill('correct horse battery')
  if (await page.getByLabel('Email').isEditable()) await page.getByLabel('Email').fill(email)
  await page.getByRole('main').locator('button[type=submit]').click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await then?.(page)
  const state = await context.storageState()
  await context.close()
  return state
}

/** A conversation on the phone, so that it and the log show something that just happened. */
async function talk(page: Page): Promise<void> {
  await page.goto(`${gateway.url}/sandbox`)
  await page.getByRole('button', { name: 'In the morning' }).click()
  await page.getByText('In the morning').nth(1).waitFor()
}
