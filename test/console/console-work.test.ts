import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventTypes } from '../../server/src/contract/events.ts'
import { axeViolations, follow } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow } from '../support/browser/shared-window.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
import { pathWithCurl } from '../support/curl/curl.ts'
import { waitFor } from '../support/wait-for.ts'

let browser: Browser
let world: ConsoleService
const longUrl = `https://hooks.acme.test/${'a'.repeat(180)}`

beforeAll(async () => {
  browser = await connectBrowser()
  world = await aConsoleService()
  for (let index = 0; index < 5; index++) {
    const webhook = { url: `${longUrl}${index}`, events: ['*'], description: 'אירועים '.repeat(20) }
    await world.owner.call('POST', '/webhooks', webhook)
  }
  await world.owner.call('POST', '/keys', { name: 'K'.repeat(60), scopes: ['messages:send'] })
  await world.control('POST', '/_sandbox/inbound', { from: '+12025550107', name: 'Mallory', text: 'Hello' })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

const window = sharedWindow(() => aWindow(browser, world, world.owner))

async function open(path: string): Promise<OpenPage> {
  const opened = await window()
  await opened.go(path)
  return opened
}

/** Where the page must not know yet what is looked for. */
async function load(path: string): Promise<OpenPage> {
  const opened = await window()
  await opened.load(path)
  return opened
}

describe('a call in the request log', () => {
  test('stands beside its answer, and what is copied makes the same message again', async () => {
    const reference = 'copied-call'
    const { body } = await world.post('/v1/chat/messages/send', {
      to: world.customer,
      message: `It's "5 > 4"\n$HOME`,
      client_reference: reference,
    })
    const { page } = await open('/logs')
    const row = page.getByRole('button', { name: 'POST /v1/chat/messages/send' }).first()
    await row.click()
    const drawer = page.getByRole('dialog')
    const code = (name: string) => drawer.getByRole('region', { name, exact: true })
    await code('Response').getByText(body.data.message_id).waitFor()
    // Nothing of a block is hidden below its edge.
    const hidden = '[...document.querySelectorAll("dialog .code-block")].filter((b) => b.scrollHeight > b.clientHeight)'
    expect(await page.evaluate<number>(`${hidden}.length`)).toBe(0)
    expect(await code('Request').textContent()).toBe('POST /v1/chat/messages/send')
    const curl = (await code('The same call with curl').textContent()) ?? ''
    const env = { PATH: pathWithCurl(), HOME: process.env.HOME ?? '', POSTERN_API_SECRET: world.apiSecret }
    await promisify(execFile)('sh', ['-c', curl], { env, timeout: 20_000 })
    const { messages } = (await world.get(`/v1/chat/messages?client_reference=${reference}`)).body.data
    const sent = messages.map(({ to, type, content }: Record<string, unknown>) => ({ to, type, content }))
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
    expect(sent[0]).toMatchObject({ to: world.customer, type: 'text' })
  })
})

/** Each heading with the first block of code behind it. */
const samplesByHeading = `[...document.querySelectorAll('main h2')].map((heading) => {
  const isBehind = (block) => heading.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING
  return [heading.textContent, [...document.querySelectorAll('main pre')].find(isBehind)?.textContent ?? '']
})`

describe('the documentation', () => {
  test('is read inside the console, from guide to reference and back, and has every event with a sample', async () => {
    const { page, go, load } = await open('/help')
    const frame = page.getByRole('navigation', { name: 'Main' })
    await page.getByRole('link', { name: /^Guides/ }).click()
    await page.locator('.docs').getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.locator('.docs pre').first().waitFor()
    expect(await frame.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Copy example' }).first().click()
    const example = await page.locator('.docs pre').first().textContent()
    await waitFor(async () => (await page.evaluate('navigator.clipboard.readText()')) === example)
    expect(await axeViolations(page)).toEqual([])
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor()
    await go('/help/events')
    // In one question: a search by role goes through the whole page, which is long, for each event.
    const samples = new Map(await page.evaluate<[string, string][]>(samplesByHeading))
    for (const type of eventTypes) expect(JSON.parse(samples.get(type) ?? '')).toMatchObject({ type, data: {} })
    await load('/help/errors#rate_limit_exceeded')
    await waitFor(async () => page.evaluate('window.scrollY > 500'))
    await go('/help/api')
    expect(await page.locator('.docs a[href*="#"]').count()).toBeGreaterThan(60)
    await page.locator('.docs a[href$="#sendText"]').first().click()
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    await page.goto(`${world.url}/help/no-such-page`)
    await page.getByText('This page of the documentation does not exist.').waitFor()
  })
})

describe('lists', () => {
  test('no table is wider than its card, from a phone to a large screen', async () => {
    const { page } = await open('/help')
    const wide: string[] = []
    for (const path of ['/webhooks', '/settings/audit', '/api-keys', '/messages']) {
      await follow(page, path)
      for (const width of [320, 768, 1024, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 })
        const over = await page.evaluate<number>(
          `Math.max(0, ...[...document.querySelectorAll('.table-room')].map((room) => room.scrollWidth - room.clientWidth),
            document.documentElement.scrollWidth - document.documentElement.clientWidth)`,
        )
        if (over > 0) wide.push(`${path} at ${width} px: ${over}`)
      }
    }
    expect(wide).toEqual([])
  })

  test('a large screen gives a table the room it has', async () => {
    const { page } = await open('/messages')
    await page.setViewportSize({ width: 1920, height: 1080 })
    await page.getByRole('table').waitFor()
    expect(await page.evaluate(`document.querySelector('.table-room').clientWidth`)).toBeGreaterThan(1_550)
  })

  test('customers of the sandbox are found by name, number and words', async () => {
    for (let nth = 0; nth < 9; nth++) {
      await world.control('POST', '/_sandbox/inbound', { from: `+1202557010${nth}`, name: `Guest ${nth}`, text: 'Hi' })
    }
    const { page } = await load('/sandbox')
    const people = page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem')
    await people.filter({ hasText: 'Guest 8' }).waitFor()
    await page.getByLabel('Search customers').fill('guest 4')
    await people.filter({ hasText: 'Guest 8' }).waitFor({ state: 'detached' })
    await people.filter({ hasText: 'Guest 4' }).click()
    await page.getByText('on the phone of Guest 4').waitFor()
  })

  test('what needs attention is gathered where there is much of one kind', async () => {
    await waitFor(async () => {
      const { attention } = (await world.owner.call('GET', '/home')).json.data
      const about = attention.filter(({ to }: { to: string }) => to.startsWith('/webhooks'))
      return about.length === 1 && /^5 webhooks /.test(about[0].text)
    }, 10_000)
    const { page } = await load('/')
    const item = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
    await item.filter({ hasText: '5 webhooks' }).getByRole('link').click()
    // What has not answered its challenge gets nothing, and is not green.
    await page
      .getByText(/Waiting for the challenge|Not verified/)
      .first()
      .waitFor()
    expect(await page.getByText('Active', { exact: true }).count()).toBe(0)
  })

  test('who comes back from a message finds the place they left', async () => {
    // At once: the window is open, and would show each of them as it comes.
    const customers = Array.from({ length: 60 }, (_, index) => `+1202556${1000 + index}`)
    const send = (to: string) =>
      world.post('/v1/chat/messages/template', { to, template: 'hello_world', language: 'en_US' })
    await Promise.all(customers.map(send))
    const { page } = await load('/messages')
    await page.getByRole('row').nth(30).waitFor()
    const loaded = await page.locator('tbody tr').count()
    await page.getByRole('row').nth(30).scrollIntoViewIfNeeded()
    await page.evaluate('window.scrollTo(0, 700)')
    await waitFor(async () => (await page.evaluate('window.scrollY')) === 700)
    // What stands in the bar is always in sight: a menu that gives its focus back moves nothing.
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.keyboard.press('Escape')
    await page.locator('button[aria-label="Theme"]:focus').waitFor()
    expect(await page.evaluate('window.scrollY')).toBe(700)
    // A link is heard alone: by its time nobody knows whose message it is.
    expect(await page.getByRole('link', { name: /^To \+1202556/ }).count()).toBeGreaterThan(20)
    await page.locator('.row-link').nth(25).click()
    await page.getByRole('heading', { level: 1, name: /^(Message|API)/ }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    await waitFor(async () => (await page.evaluate('window.scrollY')) === 700)
    expect(await page.locator('tbody tr').count()).toBeGreaterThanOrEqual(Math.min(loaded, 30))
  })
})

test('what loads has the shape of its page, and stands in the frame', async () => {
  const { page } = await open('/help')
  const { promise: later, resolve: answer } = Promise.withResolvers<void>()
  for (const held of ['session', 'messages?**']) {
    await page.route(`**/console/api/${held}`, async (route) => {
      if (held !== 'session') await later
      else await page.locator('.shell-waiting > .sidebar').waitFor()
      await route.continue()
    })
  }
  await page.goto(`${world.url}/messages`, { waitUntil: 'commit' })
  await page.locator('.skeleton-table > .skeleton').nth(9).waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true)
  answer()
  await page.getByRole('table', { name: 'Messages' }).waitFor()
})

describe('the palette', () => {
  beforeAll(() => open('/help'))

  test.each([
    ['audit', 'Audit log', '/settings/audit'],
    ['2fa', 'Password, sessions and security', '/settings/security'],
    ['12025550100', 'Conversation with +12025550100', '/conversations?customer=%2B12025550100'],
    ['order-A-1001', 'Messages with the reference order-A-1001', '/messages?search=order-A-1001'],
    ['shipping', 'shipping_update (en_US)', '/templates/tpl_'],
    ['hooks.acme', /^hooks.acme.test.a+0 Webhook$/, '/webhooks/whk_'],
    ['KKKK', /^K+ API key$/, '/api-keys'],
    ['mallory', 'Mallory +12025550107', '/conversations?customer=%2B12025550107'],
    ['rate lim', 'Rate limits', '/help/rate-limits'],
    ['endpoints', 'API reference', '/help/api'],
    ['two-step verification', 'Move the number From 360dialog', '/help/from-360dialog'],
  ])(
    'finds settings, phones, references, templates, webhooks, keys, customers and the text of guides: %s',
    async (text, title, address) => {
      const { page } = await window()
      await follow(page, '/help')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(text)
      await page.getByRole('option', { name: title }).first().click()
      await page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(address))
    },
  )
})

test('the current page is seen in forced colours too', async () => {
  const { page } = await open('/settings/members')
  await page.emulateMedia({ forcedColors: 'active' })
  const link = `getComputedStyle(document.querySelector('.nav-link[aria-current=page]'))`
  expect(await page.evaluate(`${link}.borderLeftWidth`)).toBe('4px')
  const lines = (links: string) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.subnav ${links}')].map((a) => getComputedStyle(a).borderBottomColor)`,
    )
  const [current, ...more] = await lines('a[aria-current=page]')
  expect([current, more]).toEqual([expect.any(String), []])
  const others = await lines('a:not([aria-current=page])')
  expect(others.length).toBeGreaterThan(2)
  expect(new Set(others).size).toBe(1)
  expect(others).not.toContain(current)
  await follow(page, '/analytics?days=7')
  const outline = (pressed: boolean) =>
    page.evaluate(`getComputedStyle(document.querySelector('.button[aria-pressed=${pressed}]')).outlineStyle`)
  expect([await outline(true), await outline(false)]).toEqual(['solid', 'none'])
})

test('on paper a conversation is whole, and what can be pressed is not there', async () => {
  const { page } = await open('/conversations?customer=%2B12025550107')
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.getByRole('log').getByText('Hello').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  for (const part of ['.sidebar', '.top-bar', '.inbox-list', '.reply', '.thread-head .button']) {
    expect(await page.locator(part).first().isVisible(), part).toBe(false)
  }
  const log = `document.querySelector('[role=log]')`
  expect(await page.evaluate(`getComputedStyle(${log}).overflowY`)).toBe('visible')
  await page.emulateMedia({ media: 'screen' })
})
