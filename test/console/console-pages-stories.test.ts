import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  axeViolations,
  axeViolationsInBothThemes,
  follow,
  overflowOnPhone,
} from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow } from '../support/browser/shared-window.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
import { aVisitor } from '../support/console/console-world.ts'
import { type HostileReceiver, startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { respond } from '../support/receiver/hostile-receiver-reactions.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

let browser: Browser
let world: ConsoleService
let receiver: HostileReceiver
let webhookId: string
/** A customer who writes markup wherever one can. */
const hostile = '+12025550107'
const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>'

beforeAll(async () => {
  browser = await connectBrowser()
  // Two attempts, so that a delivery has failed within a moment.
  world = await aConsoleService('sqlite', { POSTERN_WEBHOOK_RETRY_SCHEDULE: '0, 100ms' })
  receiver = await startHostileReceiver()
  const draft = { url: `${receiver.url}/hooks/chat`, events: ['*'], description: `Orders ${markup}` }
  webhookId = (await world.owner.call('POST', '/webhooks', draft)).json.data.id
  await waitFor(async () => (await webhook()).verification.status === 'verified', 10_000)
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await receiver?.close()
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

async function webhook() {
  return (await world.owner.call('GET', `/webhooks/${webhookId}`)).json.data.webhook
}

async function sendText(message: string): Promise<string> {
  return (await world.post('/v1/chat/messages/send', { to: world.customer, message })).body.data.message_id
}

async function statusOf(id: string): Promise<string> {
  return (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data.status
}

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })

describe('the phone of the sandbox', () => {
  test('what is typed as the customer arrives as message.received, in the log and at the webhook', async () => {
    const { page } = await open('/sandbox')
    await page.getByLabel('Type as the customer').fill('Is it on its way?')
    await page.getByRole('button', { name: 'Send as the customer' }).click()
    await log(page).getByText('Is it on its way?').waitFor()
    const line = page
      .getByRole('list', { name: 'Events' })
      .getByRole('listitem')
      .filter({ hasText: 'message.received' })
    await line.getByText('200').first().waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Is it on its way?' })
    await row.getByText('Received').waitFor()
    expect(receiver.requests.map(({ body }) => body.toString()).join('\n')).toContain('Is it on its way?')
  })

  test('a tap on a button and on a row of a list arrive as what was tapped', async () => {
    const { page } = await open('/sandbox')
    const { to, buttons, sections } = {
      to: world.customer,
      buttons: [
        { id: 'am', title: 'Morning' },
        { id: 'pm', title: 'Afternoon' },
      ],
      sections: [{ title: 'Lisbon', rows: [{ id: 'chiado', title: 'Chiado', description: 'Until 20:00' }] }],
    }
    await world.post('/v1/chat/messages/interactive', { to, type: 'buttons', body: 'When?', buttons })
    await log(page).getByRole('button', { name: 'Morning' }).click()
    const list = { to, type: 'list', body: 'Where?', button: 'Shops', sections }
    const { body } = await world.post('/v1/chat/messages/interactive', list)
    await waitFor(async () => (await statusOf(body.data.message_id)) === 'read', 10_000)
    await log(page).getByRole('button', { name: 'Shops' }).click()
    await log(page).getByRole('button', { name: 'Chiado' }).click()
    await waitFor(async () => (await replies()).length >= 2, 10_000)
    expect(await replies()).toEqual([
      { type: 'button_reply', reply: { id: 'am', title: 'Morning' } },
      { type: 'list_reply', reply: { id: 'chiado', title: 'Chiado' } },
    ])
  })

  test('decides what the next message does, and closes the window for texts', async () => {
    const { page } = await open('/sandbox')
    await page.getByLabel('fail: unreachable').check()
    await waitFor(async () => (await behaviour()).next === 'unreachable', 5_000)
    const id = await sendText('Will you get this?')
    await waitFor(async () => (await statusOf(id)) === 'failed', 10_000)
    await log(page).getByText('not delivered: recipient_unreachable').waitFor()
    await waitFor(async () => (await behaviour()).next === 'read', 5_000)
    await page.getByRole('button', { name: 'Close window' }).click()
    await page.getByText('Templates only').waitFor()
    const refused = await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Hello?' })
    expect(refused.body.error.code).toBe('customer_window_closed')
    await page.getByRole('button', { name: 'Open window' }).click()
    await page.getByText(/^Open: /).waitFor()
    await waitFor(async () => (await statusOf(await sendText('Hello again'))) !== 'failed', 10_000)
  })

  async function replies() {
    const { events } = (await world.get('/v1/events?type=message.received&limit=100')).body.data
    type Received = { data: { type: string; content: { reply?: { id: string; title: string } } } }
    return (events as Received[]).flatMap(({ data: { type, content } }) =>
      content.reply ? [{ type, reply: { id: content.reply.id, title: content.reply.title } }] : [],
    )
  }

  async function behaviour() {
    const { numbers } = (await world.owner.call('GET', '/sandbox/numbers')).json.data
    return (await world.owner.call('GET', `/sandbox/phone?number_id=${numbers[0].id}`)).json.data.behaviour
  }
})

describe('a message', () => {
  test('has a timeline with each step and what the webhook answered to it', async () => {
    const id = await sendText('Hi *Ana*, your order is _here_')
    await waitFor(async () => (await statusOf(id)) === 'read', 10_000)
    const { page } = await open(`/messages/${encodeURIComponent(id)}`)
    const steps = page.locator('.timeline-step')
    await steps.filter({ hasText: 'Read' }).getByText('200').waitFor()
    const titles = await steps.locator('strong').allTextContents()
    expect(titles).toEqual(['Accepted', 'Sent', 'Delivered', 'Read'])
    expect(await page.locator('.bubble strong').textContent()).toBe('Ana')
    expect(await page.locator('.bubble em').textContent()).toBe('here')
    await page.getByRole('tab', { name: 'API request' }).click()
    await page.getByRole('tabpanel', { name: 'API request' }).getByText('/v1/chat/messages/send').waitFor()
  })

  test('of a template is sent again with the values it had', async () => {
    const template = { to: world.customer, template: 'order_confirmation', language: 'en_US' }
    const components = (await world.post('/v1/chat/messages/template', template)).body.error.details[0].example
    const sent = (await world.post('/v1/chat/messages/template', { ...template, components })).body.data
    const { page } = await open(`/messages/${encodeURIComponent(sent.message_id)}`)
    const words = await page.locator('.bubble-text').textContent()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.getByText('Sent by hand', { exact: true }).waitFor()
    expect(await page.locator('.bubble-text').textContent()).toBe(words)
    expect(page.url()).not.toContain(encodeURIComponent(sent.message_id))
  })

  test('that comes in while the log is read waits until the reader wants to see it', async () => {
    const { page } = await load('/messages')
    const words = `News ${crypto.randomUUID()}`
    await sendText(words)
    await page.getByRole('button', { name: /new – show/ }).waitFor()
    expect(await page.getByText(words).count()).toBe(0)
    await page.getByRole('button', { name: /new – show/ }).click()
    await page.getByRole('row').filter({ hasText: words }).getByText('Read').waitFor()
  })

  test('is reached, copied and narrowed by keys alone', async () => {
    const id = await sendText('For the keyboard')
    const { page } = await load('/messages')
    await page.getByText('For the keyboard').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await waitFor(async () => (await page.evaluate('navigator.clipboard.readText()')) === id)
    await page.keyboard.press('f')
    await page.waitForURL(/search=%2B12025550100/)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Message / }).waitFor()
  })
})

describe('what failed for a reason', () => {
  const code = 'recipient_unreachable'

  test('is reached from Home and from the analytics, and stands alone in the log', async () => {
    const to = '+12025550102'
    const template = { to, template: 'order_confirmation', language: 'en_US' }
    const components = (await world.post('/v1/chat/messages/template', template)).body.error.details[0].example
    const { body } = await world.post('/v1/chat/messages/template', { ...template, components })
    await waitFor(async () => (await statusOf(body.data.message_id)) === 'failed', 10_000)
    await world.post('/v1/chat/messages/template', { ...template, template: 'no_such_template' })
    await waitFor(async () => (await figures()).some((failure: { code: string }) => failure.code === code), 10_000)
    const { page, go } = await open('/')
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await attention
      .getByRole('link', { name: /^Open: \d+ messages? could not be delivered: number not reachable$/ })
      .click()
    await onlyThatCode(page)
    await go('/analytics?days=7')
    const failures = page.getByRole('region', { name: 'Failures by reason' })
    await failures
      .getByRole('listitem')
      .filter({ hasText: code })
      .getByRole('link', { name: /failed$/ })
      .click()
    await onlyThatCode(page)
    await page.getByLabel('Error code').fill('template_not_found')
    await page.getByRole('row').filter({ hasText: code }).first().waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('code')).toBe('template_not_found')
  })

  test('is among the messages of its day, which Enter on a chart opens', async () => {
    const id = await sendText('Today')
    await waitFor(async () => (await statusOf(id)) === 'read', 10_000)
    const { page } = await open('/analytics?days=7')
    await page.getByRole('img', { name: /^Messages per day/ }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'Today' }).waitFor()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('since'), searchParams.has('until')]).toEqual([expect.stringContaining('T'), false])
    expect(await page.getByLabel('Time').inputValue()).toBe('exact')
    expect(await axeViolations(page)).toEqual([])
  })

  async function onlyThatCode(page: Page): Promise<void> {
    const rows = page.getByRole('table', { name: 'Messages' }).locator('tbody tr')
    await rows.first().waitFor()
    expect(await page.getByLabel('Error code').inputValue()).toBe(code)
    expect((await rows.allTextContents()).filter((row) => !row.includes(code))).toEqual([])
  }

  async function figures() {
    return (await world.owner.call('GET', '/analytics')).json.data.failures
  }
})

describe('the figures', () => {
  test('are asked for by dates, which are checked and stand in the address', async () => {
    const { page } = await open('/analytics')
    await page.getByRole('button', { name: 'Custom' }).click()
    await page.getByLabel('First day').fill('2026-03-02')
    await page.getByLabel('Last day').fill('2026-03-01')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('The last day must not come before the first.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Last day').fill('2026-03-03')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('No messages from 2026-03-02 to 2026-03-03').waitFor()
    expect(new URL(page.url()).search).toBe('?from=2026-03-02&to=2026-03-03&by=template')
  })

  test('of a chart are sorted in its table', async () => {
    const { page } = await open('/analytics?days=7')
    const chart = page.getByRole('figure').filter({ hasText: 'Messages per day' })
    await chart.getByRole('button', { name: 'View as table' }).click()
    const heading = chart.getByRole('columnheader', { name: 'Messages' })
    await heading.getByRole('button').click()
    expect(await heading.getAttribute('aria-sort')).toBe('descending')
    const numbers = (await chart.locator('tbody td').allTextContents()).map(Number)
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a))
    expect(numbers[0]).toBeGreaterThan(0)
  })
})

describe('an API key', () => {
  test('shows how often it was used in a day, and leads to those requests', async () => {
    await sendText('One more')
    const count = async () => (await world.owner.call('GET', '/keys')).json.data.keys[0].calls_24h
    await waitFor(async () => (await count()) > 0, 10_000)
    const { page } = await open('/api-keys')
    const { id, name } = (await world.owner.call('GET', '/keys')).json.data.keys[0]
    const link = page.getByRole('link', { name: new RegExp(`^\\d+ calls of ${name} in 24 hours$`) })
    expect(Number(await link.textContent())).toBeGreaterThan(0)
    await link.click()
    await page.getByRole('row').filter({ hasText: '/v1/chat/messages/send' }).first().waitFor()
    expect(new URL(page.url()).searchParams.get('key_id')).toBe(id)
  })
})

describe('a webhook that fails', () => {
  test('is found on the first page, understood, fixed and replayed', async () => {
    receiver.on('/hooks/chat', respond({ status: 500, body: `{"error":"db down ${markup}"}` }))
    const id = await sendText('Lost at first')
    await waitFor(async () => (await failedCount()) > 0, 15_000)
    const { page } = await load('/')
    await page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('link', { name: /is failing/ })
      .click()
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption({ label: 'Not delivered' })
    await page.getByRole('button', { name: 'message.sent' }).first().click()
    // Whatever a receiver answers is text.
    await page.getByText(`db down ${markup}`).first().waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    receiver.on('/hooks/chat', respond({ status: 200 }))
    const lost = await failedCount()
    await page.getByRole('button', { name: 'Replay failed…' }).click()
    await page.getByRole('button', { name: `Send ${lost} again` }).click()
    await waitFor(async () => (await failedCount()) === 0, 15_000)
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption({ label: 'All outcomes' })
    await page.getByRole('row').filter({ hasText: 'message.sent' }).first().getByText('Delivered').waitFor()
    expect(receiver.requests.at(-1)?.headers['webhook-id']).toMatch(/^evt_/)
    const statuses = async () => {
      const answer = await world.owner.call('GET', `/webhooks/${webhookId}/deliveries?message_id=${id}`)
      return answer.json.data.deliveries.map((row: { delivery: { status: string } }) => row.delivery.status)
    }
    await waitFor(async () => (await statuses()).every((status: string) => status === 'delivered'), 15_000)
  })

  test('is found by the id of an event or of a delivery alone', async () => {
    const about = `message_id=${encodeURIComponent(await sendText('Found again'))}`
    const list = async () =>
      (await world.owner.call('GET', `/webhooks/${webhookId}/deliveries?${about}`)).json.data.deliveries
    await waitFor(async () => (await list()).length > 0, 15_000)
    const { delivery } = (await list())[0]
    const { page } = await open('/help')
    for (const id of [delivery.id, delivery.event_id]) {
      await page.keyboard.press('Control+k')
      await page.keyboard.insertText(id)
      await page.getByRole('option', { name: `${delivery.type} to` }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: delivery.type }).waitFor()
      expect(new URL(page.url()).searchParams.get('delivery')).toBe(delivery.id)
      await page.getByRole('button', { name: 'Close' }).click()
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText('evt_00000000000000000000000000')
    await page.getByText('No results for this id').waitFor()
    await page.keyboard.press('Escape')
  })

  test('is checked by its signature: right, wrong, and without a secret', async () => {
    const { page } = await open(`/webhooks/${webhookId}?tab=settings`)
    await page.getByRole('button', { name: 'Create a secret' }).click()
    await page.getByRole('button', { name: 'Create secret' }).click()
    await page.getByTestId('webhook-secret').waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    const before = receiver.requests.length
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click()
    await page.getByText('The receiver accepted it.').waitFor()
    // Others may come in between; each that carries a signature will do.
    const signed = receiver.requests.slice(before).find(({ headers }) => 'webhook-signature' in headers)
    const { headers, body } = signed ?? { headers: {}, body: Buffer.alloc(0) }
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('tab', { name: 'Verify your code' }).click()
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await page.getByLabel(name).fill((headers as Record<string, string>)[name] ?? '')
    }
    await page.getByLabel('Body, as it came').fill(body.toString())
    await page.getByRole('button', { name: 'Check signature' }).click()
    await page.getByText('The signature fits.').waitFor()
    await page.getByLabel('Body, as it came').fill(`${body.toString()} `)
    await page.getByRole('button', { name: 'Check signature' }).click()
    await page.getByText('The signature does not fit.').waitFor()
  })

  async function failedCount(): Promise<number> {
    const since = new Date(Date.now() - 3_600_000).toISOString()
    return (await world.owner.call('GET', `/webhooks/${webhookId}/replay?since=${since}`)).json.data.matched
  }
})

describe('the channel', () => {
  test('is checked in words, and is disconnected only after its number was typed', async () => {
    const { page } = await open('/channel')
    await page.getByRole('button', { name: 'Run checks' }).click()
    await page.getByText('All checks passed').first().waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Disconnect' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Connect a number' }).click()
    await page.getByLabel('WhatsApp Business account id').fill('not digits')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.locator('.field-error').first().waitFor()
    expect((await world.owner.call('GET', '/channels')).json.data.channels).toHaveLength(1)
  })
})

describe('every page', () => {
  let page: Page
  let messageId: string
  beforeAll(async () => {
    await world.control('POST', '/_sandbox/inbound', { from: hostile, name: markup, text: `Hi ${markup}` })
    const document = { filename: `${markup}.pdf`, caption: markup }
    await world.control('POST', '/_sandbox/inbound', { from: hostile, type: 'document', media: document })
    const received = async () =>
      (await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(hostile)}`)).body.data.messages
    await waitFor(async () => (await received()).length > 1)
    messageId = (await received())[0].message_id
    page = (await open('/help')).page
  })

  test.each([
    '/',
    '/setup',
    '/messages',
    '/messages/{message}',
    '/sandbox',
    `/sandbox?customer=${encodeURIComponent(hostile)}`,
    '/webhooks',
    '/webhooks/{webhook}?tab=deliveries',
    '/webhooks/{webhook}?tab=settings',
    '/webhooks/{webhook}?tab=verify',
    '/channel',
    '/connect',
  ])('breaks no rule of WCAG 2.2 AA, fits 320 pixels, and shows hostile texts as text: %s', async (path) => {
    await follow(page, path.replace('{message}', encodeURIComponent(messageId)).replace('{webhook}', webhookId))
    if (path.includes('customer=')) {
      await log(page).getByText(`Hi ${markup}`).waitFor()
      await log(page).getByText(`${markup}.pdf`).waitFor()
    }
    expect(await axeViolationsInBothThemes(page)).toEqual([])
    expect(await overflowOnPhone(page)).toBe(0)
    // React would have to be told to write markup; nothing here does.
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  })
})

describe('a role without customers', () => {
  test('sees the figures, and is told what it may not see', async () => {
    await world.owner.call('POST', '/confirm', { password: 'correct horse battery' })
    const invitation = { name: 'The viewer', email: 'viewer@acme.test', role: 'viewer' }
    const { link } = (await world.owner.call('POST', '/members', invitation)).json.data
    const viewer = aVisitor(world)
    const token = tokenOfLink(link)
    await viewer.call('POST', '/setup', {
      token,
      name: 'V',
      email: 'viewer@acme.test',
      password: 'correct horse battery',
    })
    const opened = await aWindow(browser, world, viewer)
    await opened.go('/')
    await opened.page.getByText('Delivered').first().waitFor()
    expect(await opened.page.getByRole('heading', { name: 'Latest messages' }).count()).toBe(0)
    const links = await opened.page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()
    expect(links).not.toContain('Messages')
    await opened.page.goto(`${world.url}/messages`)
    await opened.page.getByRole('heading', { name: "You don't have access" }).waitFor()
    await opened.context.close()
    expect(opened.faults).toEqual([])
  })
})
