import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations, type ConsolePage, openConsole, overflowX, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { seedConsole } from '../support/console/console-seed.ts'
import { aMember, anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'

/** A new page is a row here, unless it has a file of its own: console-templates.test.ts, console-pages-stories.test.ts. */
const signedInPages = [
  '/api-keys',
  '/api-keys?create',
  '/logs',
  '/logs?search=nothing',
  '/settings/plan',
  '/settings/account',
  '/settings/members',
  '/settings/security',
  '/settings/audit',
  '/help',
]

/** The widest of the guides: tables, code, long addresses. */
const guidePages = ['/docs', '/docs/webhooks', '/docs/go-live']

describe('every page of the console', () => {
  let world: ConsoleWorld
  let owner: Visitor
  let viewer: Visitor
  let browser: Browser
  beforeAll(async () => {
    world = await startConsole()
    owner = await anOwner(world)
    viewer = await aMember(world, 'viewer')
    await seedConsole(world.rt, world.accountId, world.ownerId)
    browser = await connectBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.dispose()
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    let opened: ConsolePage
    beforeAll(async () => {
      opened = await openConsole(browser, world, { colorScheme, cookie: owner.cookie })
    })
    afterAll(() => opened.close())

    test.each(signedInPages)('breaks no rule of axe and not its own policy: %s', async (path) => {
      await visit(opened.page, `${world.url}${path}`)
      expect(await axeViolations(opened.page)).toEqual([])
      expect(opened.faults).toEqual([])
    })
  })

  test.each(['light', 'dark'] as const)('also before anybody has signed in, in %s', async (colorScheme) => {
    const { page, faults, close } = await openConsole(browser, world, { colorScheme })
    const violations: string[] = []
    const pages = [`${world.url}/`, await world.ownerLink(), `${world.url}/setup#token=spent`]
    for (const address of [...pages, ...guidePages.map((path) => `${world.url}${path}`)]) {
      await visit(page, address)
      violations.push(...(await axeViolations(page)).map((violation) => `${address} ${violation}`))
    }
    await close()
    expect(violations).toEqual([])
    expect(faults).toEqual([])
  })

  test('of the guides has a button at each example that copies it, by pointer and by keyboard', async () => {
    const { page, faults, close } = await openConsole(browser, world)
    await visit(page, `${world.url}/docs/sending`)
    const examples = page.locator('pre')
    const buttons = page.getByRole('button', { name: /^Copy: Example/ })
    expect(await buttons.count()).toBe(await examples.count())
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    await buttons.nth(1).click()
    await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
    expect(await clipboard()).toBe(await examples.nth(1).textContent())
    await examples.nth(2).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await buttons.nth(2).getByText('Copied').waitFor()
    expect(await clipboard()).toBe(await examples.nth(2).textContent())
    await close()
    expect(faults).toEqual([])
  })

  test.each(['light', 'dark'] as const)('nor does what opens above a page, in %s', async (colorScheme) => {
    const { page, faults, close } = await openConsole(browser, world, { colorScheme, cookie: owner.cookie })
    const violations: string[] = []
    const check = async (what: string) =>
      violations.push(...(await axeViolations(page)).map((violation) => `${what} ${violation}`))
    await visit(page, `${world.url}/logs`)
    await page.locator('.row-link').nth(1).click()
    await check('drawer')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await check('palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await check('help')
    await page.keyboard.press('Escape')
    await visit(page, `${world.url}/settings/plan`)
    await page.getByRole('button', { name: 'View as table' }).first().click()
    await page.getByRole('button', { name: 'Your account' }).click()
    await check('menu and table')
    await close()
    expect(violations).toEqual([])
    expect(faults).toEqual([])
  })

  test('fits into 320 px without scrolling sideways', async () => {
    const { page, close } = await openConsole(browser, world, { width: 320, cookie: owner.cookie })
    const wide: string[] = []
    for (const path of [...signedInPages, ...guidePages]) {
      await visit(page, `${world.url}${path}`)
      if ((await overflowX(page)) > 0) wide.push(path)
    }
    await close()
    expect(wide).toEqual([])
  })

  test('says what a role may not see and whom to ask, and offers only what it may', async () => {
    const { page, faults, close } = await openConsole(browser, world, { cookie: viewer.cookie })
    await page.goto(`${world.url}/api-keys`)
    await page.getByRole('heading', { name: "You don't have access" }).waitFor()
    expect(await page.getByText('Owners: Ana Sousa.').count()).toBe(1)
    const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()
    expect(links).not.toContain('API Keys')
    expect(links).toContain('Settings')
    expect(await axeViolations(page)).toEqual([])
    await close()
    expect(faults).toEqual([])
  })

  test('tells an unknown address from a page', async () => {
    const { page, close } = await openConsole(browser, world, { cookie: owner.cookie })
    await page.goto(`${world.url}/webhooks/no/such/page`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    expect(await page.title()).toBe('Not found · Postern')
    await close()
  })
})
