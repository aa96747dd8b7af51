import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { axeViolations } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { aConsoleService, aWindow, type ConsoleService } from '../support/console/console-service.ts'

let browser: Browser
let meta: Sandbox
let world: ConsoleService

beforeAll(async () => {
  browser = await connectBrowser()
  meta = await startSandbox({ approved: true, development: true })
  world = await aConsoleService('sqlite', { POSTERN_CHANNEL_BASE_URL: meta.url })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.stop()
  await meta?.close()
})

test('an owner goes live step by step: what is wrong is said where it is entered, and the first message is seen to arrive', async () => {
  const { page, go, load, context, faults } = await aWindow(browser, world, world.owner)
  await go('/channel')
  await page.getByRole('link', { name: 'Connect a number' }).click()
  const step = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })
  const [number] = meta.numbers
  if (!number) throw new Error('The sandbox starts with a number.')
  // What is missing stands above the screen by then; the focus leads there.
  await page.getByRole('button', { name: 'Check and connect' }).click()
  const businessId = page.getByLabel('WhatsApp Business account id')
  await businessId.and(page.locator('[aria-invalid=true]:focus')).waitFor()
  await businessId.fill(number.waba_id)
  await page.getByLabel('Phone number id').fill(number.phone_number_id)
  await page.getByLabel('Access token').fill('not-a-token')
  await page.getByLabel('App secret').fill(number.app_secret)
  await page.getByRole('button', { name: 'Check and connect' }).click()
  await page.getByText('Fix what failed above and try again: Access token.').waitFor()
  await step('Create a token').getByText('Failed').first().waitFor({ state: 'attached' })
  expect(await axeViolations(page)).toEqual([])
  // Leaving the page keeps what is no secret.
  await load('/connect')
  expect(await page.getByLabel('Phone number id').inputValue()).toBe(number.phone_number_id)
  expect(await page.getByLabel('App secret').inputValue()).toBe('')
  await page.getByLabel('Access token').fill(number.access_token)
  await page.getByLabel('App secret').fill(number.app_secret)
  await page.getByRole('button', { name: 'Check and connect' }).click()
  await page.getByText('Connected. All checks passed.').waitFor()
  await page.getByText('Waiting for your message…').waitFor()
  meta.control.inbound({ from: '12025550188', text: 'Hi', to: number.phone_number_id })
  await page.getByText('Your message arrived.').waitFor()
  const { live, steps } = (await world.owner.call('GET', '/progress')).json.data
  expect(live).toBe(true)
  const channel = { id: 'channel', state: 'done', text: expect.stringContaining(number.phone_number) }
  expect(steps).toContainEqual(expect.objectContaining(channel))
  await context.close()
  expect(faults).toEqual([])
})
