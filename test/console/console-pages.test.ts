import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  axeViolations,
  axeViolationsInBothThemes,
  type ConsolePage,
  follow,
  openConsole,
  overflowOnPhone,
  visit,
} from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { seedConsole } from '../support/console/console-seed.ts'
import { aMember, anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'

/**
 * A new page is a row here, unless it has a file of its own: console-templates.test.ts, console-broadcasts.test.ts,
 * console-pages-hostile.test.ts.
 */
const signedInPages = [
  '/api-keys',
  '/api-keys?create',
  '/logs',
  '/logs?search=nothing',
  '/settings/plan',
  '/settings/account',
  '/costs',
  '/costs?group_by=country',
  '/settings/rates',
  '/settings/members',
  '/settings/security',
  '/settings/audit',
  '/help',
]

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

  describe('to a person who is signed in', () => {
    // One window, in which axe stays compiled: a new one with axe in it takes 1.2 s of processor time.
    let opened: ConsolePage
    beforeAll(async () => {
      opened = await openConsole(browser, world, { cookie: owner.cookie })
      await visit(opened.page, `${world.url}/`)
    })
    afterAll(() => opened.close())

    test.each(signedInPages)('breaks no rule of axe and not its own policy, and fits into 320 px: %s', async (path) => {
      await follow(opened.page, path)
      expect(await axeViolationsInBothThemes(opened.page)).toEqual([])
      expect(await overflowOnPhone(opened.page)).toBe(0)
      expect(opened.faults).toEqual([])
    })

    test('is looked at in the dark as well: a heading that cannot be read there is found', async () => {
      await opened.page.evaluate("document.querySelector('h1').style.color = 'light-dark(black, #222)'")
      expect(await axeViolationsInBothThemes(opened.page)).toEqual([expect.stringMatching(/^dark color-contrast: <h1/)])
      await opened.page.evaluate("document.querySelector('h1').style.color = ''")
    })

    test('breaks no rule of axe either with what opens above it', async () => {
      const { page, faults } = opened
      const violations: string[] = []
      const check = async (what: string) =>
        violations.push(...(await axeViolationsInBothThemes(page)).map((violation) => `${what} ${violation}`))
      const leave = async () => {
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      // Eight rows: what is above a page does not depend on how long it is, and axe looks at each row.
      await follow(page, '/logs?search=template_not_found')
      await page.locator('.row-link').nth(1).click()
      await page.getByRole('dialog').getByText('Request id').waitFor()
      await check('drawer')
      await leave()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await check('palette')
      await leave()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Help' }).waitFor()
      await check('help')
      await leave()
      await follow(page, '/settings/plan')
      await page.getByRole('button', { name: 'View as table' }).first().click()
      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      await check('menu and table')
      expect(violations).toEqual([])
      expect(faults).toEqual([])
    })

    test('tells an unknown address from a page', async () => {
      const { page, faults } = opened
      await page.goto(`${world.url}/webhooks/no/such/page`)
      await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
      expect(await page.title()).toBe('Not found · Postern')
      expect(faults).toEqual([])
    })
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
})
