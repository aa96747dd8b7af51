import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { webhooks } from '@postern/sdk'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { follow } from '../support/browser/console-browser.ts'
import { startPostern } from '../support/child-process.ts'
import { isLive, liveConsole, questionsOf } from '../support/console/live-console.ts'
import { type HostileReceiver, startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = liveConsole()
const { open, windowWithClock, sendText } = gateway

let receiver: HostileReceiver
beforeAll(async () => {
  receiver = await startHostileReceiver()
})
afterAll(() => receiver?.close())

describe('a developer', () => {
  test('goes from nothing to a verified event with postern listen only, and sends it again', async () => {
    await using closing = new AsyncDisposableStack()
    const { page, load } = await windowWithClock()
    await load('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API Keys' }).click()
    await page.getByRole('button', { name: 'Create New API Key' }).first().click()
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Copy API secret' }).click()
    const secret = await copied(page, 'pts_')
    await page.getByLabel('I have saved it').check()
    await page.getByRole('button', { name: 'Done' }).click()

    // The page where a webhook would be added offers the command, and it is ready to run.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click()
    const block = page.locator('.code-block').filter({ hasText: 'postern listen' })
    await block.getByRole('button', { name: 'Copy code' }).click()
    const { env, args } = readCommand(await copied(page, 'postern listen'))
    const events: { type: string; text: string }[] = []
    const local = await startReceiver((event) => events.push(event))
    closing.defer(local.close)
    const forwarded = args.map((arg) => arg.replace('http://localhost:3000/hooks', local.url))
    const listener = startPostern([...forwarded, '--json'], { env: { ...env, POSTERN_API_SECRET: secret } })
    closing.defer(listener.destroy)
    local.secret = (
      JSON.parse(await listener.line((line) => line.includes('"listening"'))) as { secret: string }
    ).secret

    // The page looks for listeners every five seconds.
    await page.clock.runFor(5_000)
    const receivers = page.getByRole('table', { name: 'Listeners' })
    await receivers.getByText('Connected').waitFor({ timeout: 20_000 })
    expect(await receivers.getByRole('row').last().textContent()).toContain('Laptop')

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sandbox' }).click()
    await page.getByLabel('Type as the customer').fill('Is it on its way?')
    await page.getByRole('button', { name: 'Send as the customer' }).click()
    await waitFor(() => events.some(({ text }) => text === 'Is it on its way?'), 20_000)

    // Once the delivery is recorded, its link opens the delivery itself; before, it leads to the listener.
    const line = page
      .getByRole('list', { name: 'Events' })
      .getByRole('listitem')
      .filter({ hasText: 'message.received' })
    await line.locator('a[href*="delivery="]').first().click()
    const drawer = page.getByRole('dialog', { name: 'message.received' })
    await drawer.getByRole('region', { name: 'Headers of request 1' }).getByText('webhook-signature: v1,').waitFor()
    await drawer.getByRole('region', { name: 'Headers of response 1' }).getByText('x-own: yes').waitFor()
    const before = events.length
    await drawer.getByRole('button', { name: 'Resend' }).click()
    await waitFor(() => events.length > before, 20_000)
    expect(events.at(-1)).toEqual({ type: 'message.received', text: 'Is it on its way?' })
    await page.keyboard.press('Escape')
    const rows = page.getByRole('button', { name: 'message.received' })
    await waitFor(async () => (await rows.count()) === 2, 20_000)
    listener.signal('SIGINT')
    expect(await listener.ended).toBe(0)
  }, 120_000)

  /** `NAME='value' … npx --no-install postern words`, as a shell would read it. */
  function readCommand(text: string) {
    const words = text.replaceAll('\\\n', ' ').split(/\s+/)
    const at = words.indexOf('postern')
    const pairs = words.slice(0, at - 2).map((word) => word.split('=', 2) as [string, string])
    const env = Object.fromEntries(pairs.map(([name, value]) => [name, value.replaceAll("'", '')]))
    return { env, args: words.slice(at + 1) }
  }

  /** What a developer would write: checks the signature with the SDK and refuses everything else. */
  async function startReceiver(onEvent: (event: { type: string; text: string }) => void) {
    const receiver = { url: '', secret: '', close: async () => {} }
    const server = createServer(async (request, response) => {
      const body = await text(request)
      try {
        const event = webhooks.verify({ body, headers: request.headers, secret: receiver.secret })
        const { content } = ('data' in event ? event.data : {}) as { content?: { text?: string } }
        onEvent({ type: event.type, text: content?.text ?? '' })
        response.writeHead(200, { 'x-own': 'yes' }).end('ok')
      } catch {
        response.writeHead(401).end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
    receiver.close = () => new Promise<void>((resolve) => server.close(() => resolve()))
    return receiver
  }

  /** What was copied, once it is what has these words in it. */
  async function copied(page: Page, words: string): Promise<string> {
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    await waitFor(async () => (await clipboard()).includes(words))
    return clipboard()
  }
})

describe('a signing secret', () => {
  test('stays on the screen until the person has saved it, whatever the page hears meanwhile', async () => {
    const draft = { url: `${receiver.url}/hooks/secret`, events: ['*'] }
    const { id } = (await gateway.world.owner.call('POST', '/webhooks', draft)).json.data
    await gateway.world.owner.call('POST', '/confirm', { password: 'correct horse battery' })
    const page = await open(`/webhooks/${id}`)
    await isLive(page)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Create a secret' }).click()
    // The page must have learned of the secret by itself: that news used to take the dialog away.
    const learned = page.waitForResponse(
      async (response) =>
        response.url().endsWith(`/console/api/webhooks/${id}`) &&
        response.request().method() === 'GET' &&
        (await response.json()).data.webhook.signed === true,
    )
    await page.getByRole('button', { name: 'Create secret' }).click()
    const shown = (await page.getByTestId('webhook-secret').textContent()) ?? ''
    expect(shown).toMatch(/^whsec_/)
    await learned
    await page.getByText('Every delivery is signed.').waitFor()
    expect(await page.getByTestId('webhook-secret').textContent()).toBe(shown)
    await page.keyboard.press('Escape')
    await page.getByText('Save it first.').waitFor()
    expect(await page.getByTestId('webhook-secret').textContent()).toBe(shown)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('a page that hears of changes faster than answers come', () => {
  test('shows them nevertheless', async () => {
    const page = await open('/sandbox')
    await isLive(page)
    // A customer may be sent 45 ahead of time, and other tests need some.
    const floodMax = 20
    let sent = 0
    const sendMore = () => sendText(`Flood ${++sent}`)
    await page.route('**/console/api/sandbox/conversation**', async (route) => {
      const response = await route.fetch()
      for (let nth = 0; nth < 2 && sent < floodMax; nth++) await sendMore()
      // The page hears of these changes before it has its response.
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.fulfill({ response }).catch(() => {})
    })
    await sendMore()
    await page.getByRole('log').getByText('Flood 3', { exact: true }).waitFor()
    expect(sent, 'messages until the page shows the third').toBeLessThan(floodMax)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await sendText('After the flood')
    await page.getByRole('log').getByText('After the flood').waitFor()
    expect(await page.getByRole('log').getByText('Flood 1', { exact: true }).count()).toBe(1)
  })
})

describe('a list of templates', () => {
  test('has one that was made elsewhere without being loaded again', async () => {
    const page = await open('/')
    await isLive(page)
    await follow(page, '/templates')
    const draft = { name: 'made_elsewhere', category: 'utility', body: 'Hello there.', submit: false }
    expect((await gateway.world.owner.call('POST', '/templates', draft)).status).toBeLessThan(300)
    await page.getByRole('link', { name: 'made_elsewhere' }).waitFor()
  })
})

describe('a pause', () => {
  test('keeps every page as it is, and its end shows what happened meanwhile', async () => {
    const paused = await open('/messages')
    const follows = await windowWithClock()
    await follows.load('/messages')
    await isLive(paused)
    await isLive(follows.page)
    await paused.getByRole('button', { name: 'Pause updates' }).click()
    await paused.getByText('Paused', { exact: true }).waitFor()
    const asked = questionsOf(paused, '/console/api/messages')
    await sendText(`Quiet ${crypto.randomUUID()}`)
    await follows.page.getByRole('button', { name: /new – show/ }).waitFor()
    expect(asked).toEqual([])
    expect(await paused.getByRole('button', { name: /new – show/ }).count()).toBe(0)
    await paused.getByRole('button', { name: 'Follow updates' }).click()
    await paused.getByRole('button', { name: /new – show/ }).waitFor()
    expect(asked.length).toBeGreaterThan(0)
  })

  test('holds for the requests too, which are asked for by the clock', async () => {
    const { page, load } = await windowWithClock()
    await load('/logs')
    await page.getByRole('button', { name: 'Pause updates' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    const asked = questionsOf(page, '/console/api/requests')
    await page.clock.runFor(60_000)
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Follow updates' }).click()
    await waitFor(async () => asked.length > 0)
  })
})

describe('what is typed into a search', () => {
  test('is asked once the typing rests', async () => {
    const { page, load } = await windowWithClock()
    await load('/messages')
    const asked = questionsOf(page, 'search=')
    await page.getByLabel('Id, phone or reference').click()
    // With a clock that stands still: on a busy machine typing would rest between two letters.
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 60_000)
    await page.keyboard.type('order-A-1001')
    expect(asked).toEqual([])
    await page.clock.resume()
    await page.waitForURL(/search=order-A-1001/)
    await page.getByRole('heading', { name: 'No messages match 1 filter' }).waitFor()
    expect(new Set(asked.map((url) => new URL(url).searchParams.get('search')))).toEqual(new Set(['order-A-1001']))
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('table').waitFor()
    expect(await page.getByLabel('Id, phone or reference').inputValue()).toBe('')
  })
})

describe('deliveries', () => {
  test('are chosen and sent again by keys alone', async () => {
    const { id } = (
      await gateway.world.owner.call('POST', '/webhooks', { url: `${receiver.url}/keys`, events: ['message.sent'] })
    ).json.data
    const read = async (path: string) => (await gateway.world.owner.call('GET', `/webhooks/${id}${path}`)).json.data
    await waitFor(async () => (await read('')).webhook.verification.status === 'verified', 10_000)
    await gateway.world.owner.call('PUT', `/webhooks/${id}`, { active: false })
    await sendText('One')
    await sendText('Two')
    await waitFor(async () => (await read('/deliveries')).deliveries.length === 2, 10_000)
    const page = await open(`/webhooks/${id}`)
    const retried = questionsOf(page, '/retry')
    await page.getByRole('table', { name: 'Deliveries' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('r')
    await waitFor(() => retried.length === 1)
    expect(retried[0]).toContain(`/console/api/webhooks/${id}/deliveries/`)
  })

  test('open as a step that Back undoes, and closing one leaves no step behind', async () => {
    const page = await open('/webhooks')
    await page.getByRole('link', { name: /\/keys$/ }).click()
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('.row-link')
    const drawer = page.locator('dialog.drawer')
    await rows.first().click()
    await drawer.waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    await rows.first().click()
    await drawer.waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await page.waitForURL((url) => url.search === '')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  })

  test('stay filtered behind a drawer and another tab, after a reload and by Back', async () => {
    const page = await open('/webhooks')
    await page.getByRole('link', { name: /\/keys$/ }).click()
    const outcome = page.getByRole('combobox', { name: 'Outcome' })
    const event = page.getByRole('combobox', { name: 'Event' })
    const isFiltered = async () =>
      expect([await outcome.inputValue(), await event.inputValue()]).toEqual([
        'failed,expired,skipped,cancelled',
        'message.sent',
      ])
    await outcome.selectOption({ label: 'Not delivered' })
    await event.selectOption('message.sent')
    await page.getByRole('table', { name: 'Deliveries' }).locator('.row-link').first().click()
    await page.locator('dialog.drawer').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog.drawer').waitFor({ state: 'detached' })
    await isFiltered()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await isFiltered()
    await page.reload()
    await outcome.waitFor()
    await isFiltered()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.goBack()
    await outcome.waitFor()
    await isFiltered()
    await event.selectOption('message.read')
    await page.getByRole('heading', { name: 'No deliveries match 2 filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('table', { name: 'Deliveries' }).waitFor()
    expect(new URL(page.url()).search).toBe('?tab=deliveries')
  })
})
