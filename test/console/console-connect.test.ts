import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { axeViolations } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { aConsoleService, aWindow, type ConsoleService } from '../support/console/console-service.ts'

const shared = { app_id: '4711', app_secret: '5'.repeat(32) }
let browser: Browser
let meta: Sandbox
let world: ConsoleService

beforeAll(async () => {
  browser = await connectBrowser()
  meta = await startSandbox({ approved: true, development: true })
  meta.control.createNumber(shared)
  world = await aConsoleService('sqlite', {
    POSTERN_CHANNEL_BASE_URL: meta.url,
    POSTERN_SHARED_APP_ID: shared.app_id,
    POSTERN_SHARED_APP_SECRET: shared.app_secret,
    POSTERN_SIGNUP_CONFIG_ID: '99',
    POSTERN_SIGNUP_URL: `${meta.url}/messaging/whatsapp/onboard/`,
  })
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

test('an owner connects at Meta: the browser leaves and returns, the code leaves its history, and a PIN finishes it', async () => {
  const { page, go, context, faults } = await aWindow(browser, world, world.owner)
  await go('/connect')
  await page.getByRole('button', { name: 'Continue at Meta' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText("It was canceled on Meta's page.").waitFor()
  await page.getByRole('button', { name: 'Continue at Meta' }).click()
  await page.getByRole('link', { name: 'A new account with a new number' }).click()
  const pin = page.getByLabel(/^PIN for/)
  await pin.waitFor()
  await page.waitForURL(({ search }) => search === '')
  expect(await axeViolations(page)).toEqual([])
  // What Meta granted is kept when the page is left, as when the browser is closed.
  await go('/channel')
  await go('/connect')
  await page.getByRole('button', { name: 'Show the numbers' }).click()
  await pin.fill('12')
  await page.getByRole('button', { name: 'Connect the number' }).click()
  await page.getByText('Write 6 digits.').waitFor()
  await pin.fill('123456')
  await page.getByRole('button', { name: 'Connect the number' }).click()
  await page.getByText('Connected. See the channel').waitFor()
  await context.close()
  expect(faults).toEqual([])
})
