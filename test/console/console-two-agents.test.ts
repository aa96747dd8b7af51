import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../server/src/config/config.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { type Service, startService } from '../../server/src/service.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
import { aVisitor, password, type Visitor } from '../support/console/console-world.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

const key = 'c4'.repeat(32)
const customer = '+12025550141'
const address = `/conversations?customer=${encodeURIComponent(customer)}`
let browser: Browser
let first: ConsoleService
let second: Service
let folder: string
let ben: Visitor
let numberId: string
/** Ben has this conversation open all along. */
let bens: OpenPage

/** Two nodes on one PostgreSQL: Ana works on the first, Ben on the second. */
beforeAll(async () => {
  browser = await connectBrowser()
  first = await aConsoleService('postgres', { POSTERN_MASTER_KEY: key })
  const { database } = first.database
  if (database.kind !== 'postgres') throw new Error('Not the database that was asked for.')
  folder = await mkdtemp(join(tmpdir(), 'postern-second-'))
  const env = {
    POSTERN_DATA_DIR: folder,
    POSTERN_DATABASE_URL: database.url,
    POSTERN_MASTER_KEY: key,
    POSTERN_LISTEN: '127.0.0.1:0',
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_SANDBOX_LISTEN: 'off',
  }
  const { config } = loadConfig({ env, terminal: false })
  second = await startService(config, createLogger({ level: 'silent', format: 'json' }), { sandbox: null })
  const invited = { name: 'Ben Ode', email: 'ben@acme.test', role: 'support' }
  const { link } = (await first.owner.call('POST', '/members', invited)).json.data
  ben = aVisitor({ url: second.urls.console })
  await ben.call('POST', '/setup', { token: tokenOfLink(link), name: invited.name, email: invited.email, password })
  numberId = (await first.owner.call('GET', '/sandbox/numbers')).json.data.numbers[0].id
}, 90_000)
afterAll(async () => {
  await browser?.close()
  await second?.stop()
  await first?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function says(text: string, from = customer): Promise<void> {
  await first.owner.call('POST', '/sandbox/inbound', {
    number_id: numberId,
    customer: from,
    act: { kind: 'text', text },
  })
  const state = () => first.owner.call('GET', `/conversations/${encodeURIComponent(from)}`)
  await waitFor(async () => (await state()).json.data?.last_message?.preview === text, 10_000)
}

const here = ({ page }: OpenPage) => page.locator('.people-here')
const field = ({ page }: OpenPage) => page.getByRole('textbox', { name: 'Reply' })
const sentTexts = async () =>
  (await first.owner.call('GET', `/conversation?customer=${encodeURIComponent(customer)}`)).json.data.messages
    .filter(({ direction }: { direction: string }) => direction === 'outbound')
    .map(({ content }: { content: { text?: string } }) => content.text)

describe('two agents at one customer, on two nodes', () => {
  test('see each other, and nobody replies twice without a warning', async () => {
    await says('Where is my order?')
    const ana = await aWindow(browser, first, first.owner)
    bens = await aWindow(browser, { url: second.urls.console }, ben)
    await ana.load(address)
    await bens.load(address)
    await here(ana).getByText('Ben Ode is here').waitFor({ timeout: 15_000 })
    await here(bens).getByText('Ana Sousa is here').waitFor({ timeout: 15_000 })
    await field(ana).pressSequentially('It leaves today')
    await here(bens).getByText('Ana Sousa is writing a reply').waitFor({ timeout: 15_000 })

    // Ben begins too: pressing Enter warns, and sends nothing.
    await field(bens).pressSequentially('On its way')
    await field(bens).press('Enter')
    await bens.page.getByRole('alert').getByText('Ana Sousa is writing a reply to this customer.').waitFor()
    expect(await sentTexts()).toEqual([])

    // Ana, who sees Ben write by now, is warned as well, and sends with the second press.
    await here(ana).getByText('Ben Ode is writing a reply').waitFor({ timeout: 15_000 })
    await field(ana).press('Enter')
    await ana.page.getByRole('alert').getByText('Ben Ode is writing a reply').waitFor()
    await field(ana).press('Enter')
    await waitFor(async () => (await sentTexts()).length === 1, 10_000)

    // Ben's text was begun before that: he is told that the customer has a reply.
    await bens.page.getByRole('log').getByText('It leaves today').waitFor()
    await here(bens).getByText('Ana Sousa is here').waitFor({ timeout: 15_000 })
    await field(bens).press('Enter')
    await bens.page.getByRole('alert').getByText('Ana Sousa replied while you were writing.').waitFor()
    expect(await sentTexts()).toEqual(['It leaves today'])
    await ana.context.close()
  }, 90_000)

  test('nothing of it is stored, and another account hears nothing of it', async () => {
    const others = (account: string) =>
      second.rt.presence.others({ accountId: account, customerId: 'cus_x', userId: 'usr_me' })
    for (const userId of ['usr_a', 'usr_b', 'usr_a'])
      first.service.rt.presence.signal({ accountId: 'acc_one', customerId: 'cus_x', userId, typing: true })
    await waitFor(() => others('acc_one').length === 2)
    expect(others('acc_two')).toEqual([])
  })

  test('a customer is announced in a tab that shows another site, over the other node', async () => {
    const tab = await aWindow(browser, { url: second.urls.console }, ben)
    await tab.context.grantPermissions(['notifications'])
    await tab.page.addInitScript({
      content: `window.told = []; window.Notification = class { static permission = 'granted'
        constructor(title, { body }) { window.told.push([title, body]) } addEventListener() {} close() {} }`,
    })
    await tab.load('/conversations')
    await tab.page.evaluate(
      `localStorage.setItem('postern.preferences', JSON.stringify({ notify: true, sound: false }))`,
    )
    await tab.load('/templates')
    // Hidden, as a tab behind another one is.
    await tab.page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`)
    const startedAt = performance.now()
    await says('Is anybody there?', '+12025550142')
    await waitFor(async () => ((await tab.page.evaluate('told')) as string[][]).length > 0, 15_000)
    const tookMs = performance.now() - startedAt
    console.log(`announced in a hidden tab of the other node after ${Math.round(tookMs)} ms`)
    expect(await tab.page.evaluate('told')).toEqual([[expect.any(String), 'Is anybody there?']])
    await tab.context.close()
  }, 60_000)

  // Presence ends 15 s after its last signal: most of that has passed during the tests since Ana left.
  test('who leaves is gone by themselves', async () => {
    await waitFor(async () => (await here(bens).textContent()) === '', 25_000)
    await bens.context.close()
  }, 60_000)
})
