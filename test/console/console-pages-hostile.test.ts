import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axeViolationsInBothThemes, follow, overflowOnPhone } from '../support/browser/console-browser.ts'
import { consoleWithWebhook, markup } from '../support/console/console-with-webhook.ts'
import { respond } from '../support/receiver/hostile-receiver-reactions.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = consoleWithWebhook()
const { open, load, sendText, statusOf } = gateway

/** A customer who writes markup wherever one can. */
const hostile = '+12025550107'

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })

describe('a webhook that fails', () => {
  test('is found on the first page, understood, fixed and replayed', async () => {
    gateway.receiver.on('/hooks/chat', respond({ status: 500, body: `{"error":"db down ${markup}"}` }))
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
    gateway.receiver.on('/hooks/chat', respond({ status: 200 }))
    const lost = await failedCount()
    await page.getByRole('button', { name: 'Replay failed…' }).click()
    await page.getByRole('button', { name: `Send ${lost} again` }).click()
    await waitFor(async () => (await failedCount()) === 0, 15_000)
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption({ label: 'All outcomes' })
    await page.getByRole('row').filter({ hasText: 'message.sent' }).first().getByText('Delivered').waitFor()
    expect(gateway.receiver.requests.at(-1)?.headers['webhook-id']).toMatch(/^evt_/)
    const statuses = async () => {
      const answer = await gateway.world.owner.call('GET', `/webhooks/${gateway.webhookId}/deliveries?message_id=${id}`)
      return answer.json.data.deliveries.map((row: { delivery: { status: string } }) => row.delivery.status)
    }
    await waitFor(async () => (await statuses()).every((status: string) => status === 'delivered'), 15_000)
  })

  test('is found by the id of an event or of a delivery alone', async () => {
    const about = `message_id=${encodeURIComponent(await sendText('Found again'))}`
    const list = async () =>
      (await gateway.world.owner.call('GET', `/webhooks/${gateway.webhookId}/deliveries?${about}`)).json.data.deliveries
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
    const { page } = await open(`/webhooks/${gateway.webhookId}?tab=settings`)
    await page.getByRole('button', { name: 'Create a secret' }).click()
    await page.getByRole('button', { name: 'Create secret' }).click()
    await page.getByTestId('webhook-secret').waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    const before = gateway.receiver.requests.length
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click()
    await page.getByText('The receiver accepted it.').waitFor()
    // Others may come in between; each that carries a signature will do.
    const signed = gateway.receiver.requests.slice(before).find(({ headers }) => 'webhook-signature' in headers)
    const { headers, body } = signed ?? { headers: {}, body: Buffer.alloc(0) }
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('tab', { name: 'Verify your code' }).click()
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await page.getByLabel(name).fill((headers as Record<string, string>)[name] ?? '')
    }
    await page.getByLabel('Raw body').fill(body.toString())
    await page.getByRole('button', { name: 'Check signature' }).click()
    await page.getByText('The signature matches.').waitFor()
    await page.getByLabel('Raw body').fill(`${body.toString()} `)
    await page.getByRole('button', { name: 'Check signature' }).click()
    await page.getByText('The signature does not match.').waitFor()
  })

  async function failedCount(): Promise<number> {
    const since = new Date(Date.now() - 3_600_000).toISOString()
    return (await gateway.world.owner.call('GET', `/webhooks/${gateway.webhookId}/replay?since=${since}`)).json.data
      .matched
  }
})

describe('the channel', () => {
  test('is checked in words, and is disconnected only after its number was typed', async () => {
    const { page } = await open('/channel')
    await page.getByRole('button', { name: 'Run checks' }).click()
    await page.getByText('All checks passed').first().waitFor()
    // What passed is one line; which checks these were is behind it.
    await page.getByText(/^(\d+) of \1 checks passed$/).click()
    await page.getByText('Access token', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Disconnect' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Connect a number' }).click()
    await page.getByLabel('WhatsApp Business account id').fill('not digits')
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.locator('.field-error').first().waitFor()
    expect((await gateway.world.owner.call('GET', '/channels')).json.data.channels).toHaveLength(1)
  })
})

test('going live says that Meta cannot call this gateway before anything is entered', async () => {
  const { page } = await gateway.load('/connect')
  const first = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /public address/ }) })
  await first.getByText(/^Meta cannot call http:\/\/localhost:\d+: it needs a public https address\.$/).waitFor()
  expect(await page.getByRole('heading', { name: 'Step 1, problem: Give the gateway a public address' }).count()).toBe(
    1,
  )
})

describe('every page', () => {
  let page: Page
  let messageId: string
  beforeAll(async () => {
    await gateway.world.control('POST', '/_sandbox/inbound', { from: hostile, name: markup, text: `Hi ${markup}` })
    await writeOfEveryKind()
    const document = { filename: `${markup}.pdf`, caption: markup }
    await gateway.world.control('POST', '/_sandbox/inbound', { from: hostile, type: 'document', media: document })
    const received = async () =>
      (await gateway.world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(hostile)}`)).body.data.messages
    await waitFor(async () => (await received()).length > 1)
    messageId = (await received())[0].message_id
    page = (await open('/help')).page
  })

  /** What a conversation and the log can hold: each is shown in its own way. */
  async function writeOfEveryKind(): Promise<void> {
    const { world } = gateway
    const { customer: to } = world
    const buttons = [{ id: 'am', title: 'Morning' }]
    const sections = [{ title: 'Lisbon', rows: [{ id: 'chiado', title: 'Chiado', description: 'Until 20:00' }] }]
    await world.post('/v1/chat/messages/interactive', { to, type: 'buttons', body: 'When?', buttons })
    await world.post('/v1/chat/messages/interactive', { to, type: 'list', body: 'Where?', button: 'Shops', sections })
    const asked = await world.control('POST', '/_sandbox/inbound', { from: to, text: 'Is it on its way?' })
    await waitFor(async () => (await statusOf(asked.body.message_id)) === 'received', 10_000)
    await world.post('/v1/chat/messages/reaction', { to, message_id: asked.body.message_id, emoji: '👍' })
    await world.post('/v1/chat/messages/location', {
      to,
      latitude: 38.7,
      longitude: -9.1,
      name: markup,
      address: markup,
    })
    const cards = [{ name: { formatted_name: markup }, phones: [{ phone: markup }] }]
    await world.post('/v1/chat/messages/contacts', { to, contacts: cards })
    await world.post('/v1/chat/messages/sticker', { to, link: `https://cdn.example.test/${'thanks'.repeat(20)}.webp` })
    const template = { to: '+12025550102', template: 'order_confirmation', language: 'en_US' }
    const components = (await world.post('/v1/chat/messages/template', template)).body.error.details[0].example
    const sent = await world.post('/v1/chat/messages/template', { ...template, to, components })
    const failed = await world.post('/v1/chat/messages/template', { ...template, components })
    await world.post('/v1/chat/messages/template', { ...template, template: 'no_such_template' })
    await waitFor(async () => (await statusOf(sent.body.data.message_id)) === 'read', 10_000)
    await waitFor(async () => (await statusOf(failed.body.data.message_id)) === 'failed', 10_000)
  }

  test.each([
    '/',
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
    await follow(page, path.replace('{message}', encodeURIComponent(messageId)).replace('{webhook}', gateway.webhookId))
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
