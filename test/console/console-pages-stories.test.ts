import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type Action, mayDo } from '../../server/src/contract/console/roles.ts'
import { axeViolations, overflowOnPhone } from '../support/browser/console-browser.ts'
import { consoleWithWebhook } from '../support/console/console-with-webhook.ts'
import { aVisitor } from '../support/console/console-world.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = consoleWithWebhook()
const { open, load, windowOf, sendText, statusOf } = gateway

type Traced = { deliveries: { delivery_id: string; status: string; status_code: number | null }[] }
type Answered = { events: Traced[] }

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
    expect(gateway.receiver.requests.map(({ body }) => body.toString()).join('\n')).toContain('Is it on its way?')
  })

  test('a tap on a button and on a row of a list arrive as what was tapped', async () => {
    const { page } = await open('/sandbox')
    const { to, buttons, sections } = {
      to: gateway.world.customer,
      buttons: [
        { id: 'am', title: 'Morning' },
        { id: 'pm', title: 'Afternoon' },
      ],
      sections: [{ title: 'Lisbon', rows: [{ id: 'chiado', title: 'Chiado', description: 'Until 20:00' }] }],
    }
    await gateway.world.post('/v1/chat/messages/interactive', { to, type: 'buttons', body: 'When?', buttons })
    await log(page).getByRole('button', { name: 'Morning' }).click()
    const list = { to, type: 'list', body: 'Where?', button: 'Shops', sections }
    const { body } = await gateway.world.post('/v1/chat/messages/interactive', list)
    await waitFor(async () => (await statusOf(body.data.message_id)) === 'read', 10_000)
    await log(page).getByRole('button', { name: 'Shops' }).click()
    await log(page).getByRole('button', { name: 'Chiado' }).click()
    await waitFor(async () => (await replies()).length >= 2, 10_000)
    expect(await replies()).toEqual([
      { type: 'button_reply', reply: { id: 'am', title: 'Morning' } },
      { type: 'list_reply', reply: { id: 'chiado', title: 'Chiado' } },
    ])
  })

  test('what else can be tapped is answered as a customer would', async () => {
    const { page } = await open('/sandbox')
    const answerTo = async (form: object, button: string) => {
      const message = { to: gateway.world.customer, body: 'Well?', ...form }
      const sent = await gateway.world.post('/v1/chat/messages/interactive', message)
      const { message_id: id } = sent.body.data
      await waitFor(async () => (await statusOf(id)) === 'read', 10_000)
      await log(page).getByRole('button', { name: button }).last().click()
      const answers = async () => (await received()).filter(({ reply_to }) => reply_to === id)
      await waitFor(async () => (await answers()).length > 0, 10_000)
      return (await answers())[0]
    }
    expect(await answerTo({ type: 'location_request' }, 'Send location')).toMatchObject({ type: 'location' })
    const flow = { id: '1', token: 'A-1' }
    expect(await answerTo({ type: 'flow', button: 'Book', flow }, 'Book')).toMatchObject({
      type: 'flow_reply',
      content: { flow_reply: { name: 'flow', answers: { flow_token: 'A-1' } } },
    })
    const product = { type: 'product', catalog_id: '194', product_id: 'SKU-1' }
    expect(await answerTo(product, 'View')).toMatchObject({
      type: 'order',
      content: { order: { catalog_id: '194', products: [{ product_id: 'SKU-1', quantity: 1 }] } },
    })
    expect(await answerTo({ type: 'call_permission' }, 'Decline')).toMatchObject({
      type: 'call_permission_reply',
      content: { call_permission: { granted: false } },
    })
  })

  test('buttons of templates are answered too, a coupon shows its code, and the answer is in sight', async () => {
    const { page } = await open('/sandbox')
    const sections = [{ title: 'Chairs', product_items: [{ product_retailer_id: 'chair-7' }] }]
    const action = { thumbnail_product_retailer_id: 'chair-7', sections }
    const buttonValue = (sub_type: string, parameter: object) => [
      { type: 'button', sub_type, index: 0, parameters: [parameter] },
    ]
    const arrived = async (name: string, button: object, components: object[]) => {
      const parts = [
        { type: 'header', text: 'Still interested?' },
        { type: 'body', text: `Hello from ${name}.` },
        { type: 'buttons', buttons: [button] },
      ]
      const made = await gateway.world.post('/v1/chat/templates', { name, category: 'marketing', components: parts })
      await gateway.world.control('POST', `/_sandbox/templates/${name}/review`, { decision: 'approve' })
      const template = async () => (await gateway.world.get(`/v1/chat/templates/${made.body.data.id}`)).body.data
      await waitFor(async () => (await template()).status === 'approved', 10_000)
      const message = { to: gateway.world.customer, template: name, language: 'en_US', components }
      const sent = await gateway.world.post('/v1/chat/messages/template', message)
      await waitFor(async () => (await statusOf(sent.body.data.message_id)) === 'read', 10_000)
      return sent.body.data.message_id
    }
    const coupon = { type: 'coupon_code', coupon_code: 'SAVE25' }
    await arrived('coupon', { type: 'copy_code', example: 'SAVE10' }, buttonValue('copy_code', coupon))
    await log(page).getByText('Copy code SAVE25').waitFor()
    const id = await arrived('some_products', { type: 'mpm' }, buttonValue('mpm', { type: 'action', action }))
    await log(page).getByText('Chairs: chair-7').waitFor()
    for (let line = 0; line < 3; line++) await sendText('Line\n'.repeat(20))
    await waitFor(async () => (await log(page).getByText('Line\nLine').count()) === 3, 10_000)
    const screen = `document.querySelector('[role=log]')`
    const button = log(page).getByRole('button', { name: 'View items' }).last()
    await button.scrollIntoViewIfNeeded()
    // The log scrolls down with each message that arrives, so the button is clicked once it stands still.
    let place = await button.boundingBox()
    await waitFor(async () => {
      const [was, now] = [place, await button.boundingBox()]
      place = now
      return was?.y === now?.y
    }, 10_000)
    await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 10)
    const answer = async () => (await received()).find(({ reply_to }) => reply_to === id)
    await waitFor(async () => (await answer()) !== undefined, 10_000)
    expect(await answer()).toMatchObject({
      type: 'order',
      content: { order: { products: [{ product_id: 'chair-7' }] } },
    })
    await log(page).getByText('1 × chair-7').waitFor()
    const left = `${screen}.scrollHeight - ${screen}.scrollTop - ${screen}.clientHeight`
    await waitFor(async () => (await page.evaluate<number>(left)) < 2)
  })

  test('the cards of a carousel lie side by side, and a tap on one further on answers with it', async () => {
    const { page } = await open('/sandbox')
    const card = (n: number) => ({
      header: { type: 'image', link: `https://cdn.example.test/${n}.png` },
      body: n === 1 ? 'כיסא אלון עם גב קש, עשר שנות אחריות.' : 'Oak',
      buttons: [{ id: `like-${n}`, title: `Like ${n}` }],
    })
    const form = { to: gateway.world.customer, type: 'carousel', body: 'Which one?', cards: [1, 2, 3].map(card) }
    const { body } = await gateway.world.post('/v1/chat/messages/interactive', form)
    await waitFor(async () => (await statusOf(body.data.message_id)) === 'read', 10_000)
    const buttons = log(page).getByRole('button', { name: /^Like/ })
    await waitFor(async () => (await buttons.count()) === 3)
    const places = await Promise.all([0, 1, 2].map((index) => buttons.nth(index).boundingBox()))
    const [first, second] = places
    if (!first || !second) throw new Error('The cards are not to be seen.')
    expect(places.map((place) => place?.y)).toEqual([first.y, first.y, first.y])
    expect(second.x).toBeGreaterThan(first.x + first.width)
    // What scrolls is reached by keys too.
    await log(page).getByRole('list', { name: 'Cards' }).focus()
    const third = buttons.nth(2)
    await third.scrollIntoViewIfNeeded()
    const place = await third.boundingBox()
    await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 10)
    await waitFor(async () => (await replies()).some(({ reply }) => reply.id === 'like-3'), 10_000)
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowOnPhone(page)).toBe(0)
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
    const refused = await gateway.world.post('/v1/chat/messages/send', {
      to: gateway.world.customer,
      message: 'Hello?',
    })
    expect(refused.body.error.code).toBe('customer_window_closed')
    await page.getByRole('button', { name: 'Open window' }).click()
    await page.getByText(/^Open: /).waitFor()
    await waitFor(async () => (await statusOf(await sendText('Hello again'))) !== 'failed', 10_000)
  })

  type Received = { type: string; reply_to: string | null; content: { reply?: { id: string; title: string } } }

  async function received(): Promise<Received[]> {
    const { events } = (await gateway.world.get('/v1/events?type=message.received&limit=100')).body.data
    return (events as { data: Received }[]).map(({ data }) => data)
  }

  async function replies() {
    return (await received()).flatMap(({ type, content }) =>
      content.reply ? [{ type, reply: { id: content.reply.id, title: content.reply.title } }] : [],
    )
  }

  async function behaviour() {
    const { numbers } = (await gateway.world.owner.call('GET', '/sandbox/numbers')).json.data
    return (await gateway.world.owner.call('GET', `/sandbox/phone?number_id=${numbers[0].id}`)).json.data.behaviour
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
    const request = page.getByRole('tabpanel', { name: 'API request' })
    await request.getByText('/v1/chat/messages/send').waitFor()
    await page.reload()
    await request.getByText('/v1/chat/messages/send').waitFor()
  })

  test('that many webhooks got says how many accepted it, and shows at once which did not', async () => {
    const id = await sendText('To everybody')
    await waitFor(async () => (await statusOf(id)) === 'read', 10_000)
    const { page, load } = await open('/help')
    const many = async (route: Route, eventsOf: (data: Answered) => Traced[]) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: Answered }
      for (const event of eventsOf(answer.data)) {
        const [told] = event.deliveries
        if (!told) continue
        const copies = Array.from({ length: 6 }, (_, nth) => ({ ...told, delivery_id: `dlv_${nth}` }))
        event.deliveries = [...copies, { ...told, delivery_id: 'dlv_x', status: 'failed', status_code: 503 }]
      }
      await route.fulfill({ response, json: answer })
    }
    await page.route('**/console/api/messages/*', (route) => many(route, ({ events }) => events))
    await load(`/messages/${encodeURIComponent(id)}`)
    const step = page.locator('.timeline-step').filter({ hasText: 'Read' })
    await step.getByText('503').waitFor()
    expect(await step.getByText('200').first().isVisible()).toBe(false)
    await step.getByText('6 of 7 webhooks accepted it').click()
    expect(await step.getByText('200').first().isVisible()).toBe(true)
    await page.route('**/console/api/sandbox/events', (route) => many(route, ({ events }) => events))
    await load('/sandbox')
    await page.getByRole('list', { name: 'Events' }).getByText('6 of 7 webhooks accepted it').first().waitFor()
  })

  test('whose deliveries are gone does not say that no webhook subscribes', async () => {
    const id = await sendText('Long ago')
    const { page, load } = await open('/help')
    const address = `**/console/api/messages/${encodeURIComponent(id)}`
    await page.route(address, async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: { events: unknown[] } }
      answer.data.events = []
      await route.fulfill({ response, json: answer })
    })
    await load(`/messages/${encodeURIComponent(id)}`)
    await page.getByRole('tab', { name: 'Webhook deliveries (0)' }).click()
    const panel = page.getByRole('tabpanel')
    await panel.getByText('No webhook deliveries are stored for this message.').waitFor()
    expect(await panel.getByText('subscribes').count()).toBe(0)
    expect(await panel.getByRole('link', { name: 'See the webhooks' }).getAttribute('href')).toBe('/webhooks')
    await page.unroute(address)
  })

  test('of a template is sent again with the values it had', async () => {
    const template = { to: gateway.world.customer, template: 'order_confirmation', language: 'en_US' }
    const components = (await gateway.world.post('/v1/chat/messages/template', template)).body.error.details[0].example
    const sent = (await gateway.world.post('/v1/chat/messages/template', { ...template, components })).body.data
    const { page } = await open(`/messages/${encodeURIComponent(sent.message_id)}`)
    const words = await page.locator('.bubble-text').textContent()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.getByText('Sent manually', { exact: true }).waitFor()
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
    const components = (await gateway.world.post('/v1/chat/messages/template', template)).body.error.details[0].example
    const { body } = await gateway.world.post('/v1/chat/messages/template', { ...template, components })
    await waitFor(async () => (await statusOf(body.data.message_id)) === 'failed', 10_000)
    await gateway.world.post('/v1/chat/messages/template', { ...template, template: 'no_such_template' })
    await waitFor(async () => (await figures()).some((failure: { code: string }) => failure.code === code), 10_000)
    const { page, go } = await open('/')
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await attention
      .getByRole('link', { name: /^Open: \d+ messages? could not be delivered: number not reachable$/ })
      .click()
    await onlyThatCode(page)
    await page.getByRole('row').filter({ hasText: code }).first().getByRole('link').first().click()
    await page.getByRole('heading', { name: 'What we tried to send' }).waitFor()
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

  test('turns the mark of Home from healthy to failing, which leads to what failed', async () => {
    const { page, load } = await open('/help')
    const failed = { created: 1_300, sent: 1, delivered: 13, read: 1, failed: 1_200, not_sent: 1_159, delivery_rate: 1 }
    await page.route('**/console/api/home', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: { figures: object; attention: object[] } }
      Object.assign(answer.data.figures, failed)
      const item = { id: 'webhook-1', tone: 'warn', text: 'Webhook https://a.test is failing.', detail: null }
      const next_attempt_at = new Date(Date.now() + 40 * 60_000).toISOString()
      answer.data.attention = [{ ...item, since: null, next_attempt_at, to: '/webhooks' }]
      await route.fulfill({ response, json: answer })
    })
    await page.route(/api\/analytics\?.*granularity=hour/, async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: { totals: object } }
      Object.assign(answer.data.totals, { created: 50, sent: 50, delivered: 49 })
      await route.fulfill({ response, json: answer })
    })
    await load('/')
    const health = page.getByRole('region', { name: 'Channel and quota' })
    const mark = health.getByRole('link', { name: 'Most sends fail' })
    await mark.waitFor()
    expect(await health.getByText('Channel healthy').count()).toBe(0)
    const figure = (name: string) =>
      page.locator('.figure').filter({ has: page.getByRole('link', { name, exact: true }) })
    await figure('Delivered').getByText('1.0%').waitFor()
    await page.getByText(/^Next attempt in \d+ minutes$/).waitFor()
    await figure('Sent').getByText('-98% was 50').waitFor()
    await figure('Delivered').getByText('-97 points was 98.0%').waitFor()
    expect(await figure('Failed').getByRole('link', { name: '1,159 not sent' }).getAttribute('href')).toMatch(
      /=not_sent$/,
    )
    await mark.click()
    await page.waitForURL(/\/messages\?time=day&status=failed$/)
    await page.unrouteAll()
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
    return (await gateway.world.owner.call('GET', '/analytics')).json.data.failures
  }
})

describe('the figures', () => {
  test('are asked for by dates, which are checked and stand in the address', async () => {
    const { page } = await open('/analytics')
    await page.getByRole('button', { name: 'Custom' }).click()
    await page.getByLabel('First day').fill('2026-03-02')
    await page.getByLabel('Last day').fill('2026-03-01')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('The last day cannot be before the first day.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Last day').fill('2026-03-03')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('No messages from 2026-03-02 to 2026-03-03').waitFor()
    expect(new URL(page.url()).search).toBe('?from=2026-03-02&to=2026-03-03&by=template')
    await page.getByRole('button', { name: '7 days' }).click()
    await page.getByRole('button', { name: '7 days' }).click()
    await page.waitForURL(/days=7/)
    await page.goBack()
    await page.getByText('No messages from 2026-03-02 to 2026-03-03').waitFor()
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
    const count = async () => (await gateway.world.owner.call('GET', '/keys')).json.data.keys[0].calls_24h
    await waitFor(async () => (await count()) > 0, 10_000)
    const { page } = await open('/api-keys')
    const { id, name } = (await gateway.world.owner.call('GET', '/keys')).json.data.keys[0]
    const link = page.getByRole('link', { name: new RegExp(`^\\d+ calls of ${name} in 24 hours$`) })
    expect(Number(await link.textContent())).toBeGreaterThan(0)
    await link.click()
    await page.getByRole('row').filter({ hasText: '/v1/chat/messages/send' }).first().waitFor()
    expect(new URL(page.url()).searchParams.get('key_id')).toBe(id)
  })
})

describe('a role without customers', () => {
  test('sees the figures, has links to its pages alone, and is told on every other one that it has no access', async () => {
    await gateway.world.owner.call('POST', '/confirm', { password: 'correct horse battery' })
    const invitation = { name: 'The viewer', email: 'viewer@acme.test', role: 'viewer' }
    const { link } = (await gateway.world.owner.call('POST', '/members', invitation)).json.data
    const viewer = aVisitor(gateway.world)
    const token = tokenOfLink(link)
    await viewer.call('POST', '/setup', {
      token,
      name: 'V',
      email: 'viewer@acme.test',
      password: 'correct horse battery',
    })
    const opened = await windowOf(viewer)
    await opened.go('/')
    await opened.page.getByText('Delivered').first().waitFor()
    expect(await opened.page.getByRole('heading', { name: 'Latest messages' }).count()).toBe(0)
    const pages = pagesOfConsole()
    const isOpen = ({ action }: PageRow) => action === null || mayDo('viewer', action)
    const links = await opened.page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()
    // The first is the name of the product.
    expect(links.slice(1)).toEqual(
      pages.filter((page) => page.group !== null && isOpen(page)).map(({ title }) => title),
    )
    const closed = pages.filter((page) => !isOpen(page))
    expect(closed.length).toBeGreaterThan(5)
    for (const { path } of closed) {
      await opened.load(path.replace(/[/][*:].*/, '/1'))
      await opened.page.getByRole('heading', { name: "You don't have access" }).waitFor()
    }
    await opened.context.close()
    expect(opened.faults).toEqual([])
  })
})

type PageRow = { path: string; title: string; group: string | null; action: Action | null }

/** The rows of the table that the console is made from; its components are nothing for Node. */
function pagesOfConsole(): PageRow[] {
  const source = readFileSync('console/src/pages.ts', 'utf8')
  const rows = source.slice(source.indexOf('export const pages')).split('\n  {\n').slice(1)
  const value = (row: string, name: string) => new RegExp(`^    ${name}: '([^']+)'`, 'm').exec(row)?.[1] ?? null
  return rows.map((row) => ({
    path: value(row, 'path') ?? '',
    title: value(row, 'title') ?? '',
    group: value(row, 'group'),
    action: value(row, 'action') as Action | null,
  }))
}
