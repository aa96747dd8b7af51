import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolationsInBothThemes, openConsole, overflowOnPhone, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { anOwner, type ConsoleWorld, password, startConsole, withNewAccount } from '../support/console/console-world.ts'

const longName = 'Norddeutsche Blumenhandelsgesellschaft für Hochzeiten und Jubiläen GmbH'
const arabicName = 'متجر الأزهار في الميناء القديم'

let browser: Browser
let world: ConsoleWorld

beforeAll(async () => {
  browser = await connectBrowser()
  world = await startConsole()
})
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
})

test('a person joins a second account through a link, switches with the mouse, and an older tab says so', async () => {
  const ana = await anOwner(world)
  await ana.call('PUT', '/account', { name: longName })
  const second = await withNewAccount(world)
  const bea = await anOwner(second, 'bea@acme.test')
  await bea.call('PUT', '/account', { name: arabicName })
  const invitation = { name: 'Ana', email: 'ana@acme.test', role: 'viewer' }
  const { link } = (await bea.call('POST', '/members', invitation)).json.data

  const { page, context, faults, close } = await openConsole(browser, world)
  await visit(page, link)
  await page.getByText('If you already sign in here with this address').waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  const menu = page.getByRole('button', { name: /switch account$/ })
  await menu.waitFor()
  expect(await menu.textContent()).toBe(arabicName)

  const older = await context.newPage()
  await visit(older, `${world.url}/analytics`)
  await menu.click()
  expect(await axeViolationsInBothThemes(page)).toEqual([])
  expect(await overflowOnPhone(page)).toBe(0)
  await page.getByRole('menuitemradio', { name: longName }).click()
  await page
    .getByRole('button', { name: /switch account$/ })
    .filter({ hasText: longName })
    .waitFor()

  await older.bringToFront()
  await older.getByRole('heading', { name: 'You switched accounts' }).waitFor()
  expect(await axeViolationsInBothThemes(older)).toEqual([])
  await older.getByRole('button', { name: 'Back to' }).click()
  await older.getByRole('heading', { name: 'Analytics' }).waitFor()
  expect(await older.getByRole('button', { name: /switch account$/ }).textContent()).toBe(arabicName)
  await close()
  expect(faults).toEqual([])
})
