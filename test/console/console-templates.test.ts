import { buffer } from 'node:stream/consumers'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from '../media/media-samples.ts'
import { axeViolationsInBothThemes, follow, overflowX } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow, takeCookie } from '../support/browser/shared-window.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
import { aVisitor, password, type Visitor } from '../support/console/console-world.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

let world: ConsoleService
let browser: Browser
beforeAll(async () => {
  world = await aConsoleService()
  browser = await connectBrowser()
})
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

async function openAs(visitor: Visitor, path: string): Promise<OpenPage> {
  const opened = await window()
  await takeCookie(opened.context, visitor.cookie)
  await opened.load(path)
  return opened
}

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })

async function templateNamed(name: string) {
  return (await world.get(`/v1/chat/templates?name=${name}`)).body.data.templates[0]
}

describe('a template', () => {
  test('with cards, drafted with the API, is shown and submitted as it is', async () => {
    const card = (n: number) => ({
      components: [
        { type: 'header', format: 'image', example: { link: `https://shop.test/${n}.png` } },
        { type: 'body', text: `Chair number ${n} of our collection.` },
      ],
    })
    const components = [
      { type: 'body', text: 'Our new chairs are here.' },
      { type: 'carousel', cards: [card(1), card(2)] },
    ]
    const draft = { name: 'chairs', language: 'en_US', category: 'marketing', components, submit: false }
    const { id } = (await world.post('/v1/chat/templates', draft)).body.data
    const { page } = await open(`/templates/${id}`)
    await page.getByRole('region', { name: 'Preview' }).getByText('Chair number 2 of our collection.').waitFor()
    await button(page, 'Submit for review').click()
    await page.locator('.toast', { hasText: 'Submitted chairs for review' }).waitFor()
    await waitFor(async () => (await templateNamed('chairs')).status !== 'draft', 10_000)

    // The form of a message has no fields for cards, so nothing offers to send it from here.
    await world.control('POST', '/_sandbox/templates/chairs/review', { decision: 'approve' })
    await page.getByText('Approved', { exact: true }).waitFor()
    expect(await button(page, 'Send a test').count()).toBe(0)
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Any chairs?' })
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('link', { name: /Any chairs/ }).click()
    await button(page, 'Attach or choose').click()
    await page.getByRole('menuitem', { name: 'A template…' }).click()
    await page.getByRole('button', { name: /^chairs en_US/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('which this form cannot fill').waitFor()
    await dialog.getByText('Chair number 2 of our collection.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Send template' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Choose another' }).click()
    await page.getByRole('button', { name: /^hello_world en_US/ }).click()
    await dialog.getByRole('button', { name: 'Send template' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('that is only read has its buttons together, and on a phone its picture before the call', async () => {
    const components = [
      { type: 'limited_time_offer', text: 'היום בלבד!', has_expiration: true },
      { type: 'body', text: 'כל הכיסאות בהנחה עד חצות.' },
      {
        type: 'buttons',
        buttons: [
          { type: 'copy_code', example: 'CHAIR25' },
          { type: 'url', text: 'לחנות', url: 'https://shop.test/sale' },
        ],
      },
    ]
    const draft = { name: 'offer', language: 'he', category: 'marketing', components }
    const { id } = (await world.post('/v1/chat/templates', draft)).body.data
    await world.control('POST', '/_sandbox/templates/offer/review', { decision: 'approve' })
    const { page } = await open(`/templates/${id}`)
    await button(page, 'Send a test').waitFor()
    const place = async (name: string) => {
      const box = await button(page, name).boundingBox()
      if (!box) throw new Error(`${name} is not to be seen.`)
      return box
    }
    const [test, menu] = [await place('Send a test'), await place('Actions for offer')]
    expect(menu.x - test.x - test.width).toBeLessThan(20)

    await page.setViewportSize({ width: 375, height: 812 })
    const preview = await page.getByRole('region', { name: 'Preview' }).boundingBox()
    const call = await page.locator('.code-block').first().boundingBox()
    expect(preview?.y).toBeLessThan(call?.y ?? 0)
    await page.setViewportSize({ width: 1280, height: 800 })

    await button(page, 'Send a test').click()
    await page.getByLabel('Offer ends, in UTC').fill('2031-03-01T18:30')
    await page.getByRole('dialog').getByText('Ends 1 Mar 2031, 18:30 UTC').waitFor()
    await page.getByRole('button', { name: 'Send template' }).click()
    await page.getByRole('heading', { level: 1, name: /^Message/ }).waitFor()
    await page.getByText('Ends 1 Mar 2031, 18:30 UTC').waitFor()
  })

  test('is written, rejected, corrected with what the reviewer said, approved and sent', async () => {
    const { page } = await open('/templates')
    await page.getByRole('link', { name: 'New template' }).click()
    await page.getByLabel('Name').fill('Reject me')
    await page.getByText('Use only lower-case letters a-z, digits and underscores').first().waitFor()
    await page.getByLabel('Name').fill('reject_me')
    await page.getByLabel('Body').fill('{{name}}, your appointment moved to {{date}}.')
    await page.getByText('The text must not start with a variable').first().waitFor()
    await page.getByLabel('Body').fill('Hi {{name}}, your appointment moved to {{date}}.')
    await page.getByLabel('name', { exact: true }).fill('Ana')
    await page.getByLabel('date', { exact: true }).fill('20 November')
    await button(page, 'Add button').click()
    await page.getByLabel('Label').fill('Confirm')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('Hi Ana, your appointment moved to 20 November.').waitFor()
    await preview.getByText('Confirm').waitFor()
    await page.getByText('It passes all checks before the review.').waitFor()

    await button(page, 'Submit for review').click()
    await page.getByRole('heading', { level: 1, name: 'reject_me' }).waitFor()
    // The verdict arrives by itself: nobody reloads the page.
    await page.getByText('Check the wording, the variables and their samples, then edit it.').waitFor()
    expect((await templateNamed('reject_me')).status).toBe('rejected')

    // From here on the test decides, not the clock.
    await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 600_000 })
    await page.getByLabel('Body').fill('Hello {{name}}, your appointment moved to {{date}}. Does it suit you?')
    await page.getByText('It passes all checks before the review.').waitFor()
    await button(page, 'Submit for review').click()
    await page.getByText('Meta is reviewing it').waitFor()
    await world.control('POST', '/_sandbox/templates/reject_me/review', { decision: 'approve' })
    await page.getByText('Approved', { exact: true }).waitFor()

    const components = [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Bo' },
          { type: 'text', text: 'Monday' },
        ],
      },
    ]
    const sent = await world.post('/v1/chat/messages/template', {
      to: world.customer,
      template: 'reject_me',
      language: 'en_US',
      components,
    })
    expect(sent.status).toBe(200)

    await page.getByText('Customers get the approved version until then').waitFor()
    await page.getByLabel('Body').fill('Dear {{name}}, we moved your appointment to {{date}}. Does it suit you?')
    await button(page, 'Save and submit').click()
    await button(page, 'Submit edit').click()
    await page.getByText('Meta is reviewing an edit').waitFor()
    const shown = (region: string, words: string) =>
      page.getByRole('region', { name: region }).getByText(words).waitFor()
    await shown('In use', 'Hello Ana, your appointment moved')
    await shown('Under review', 'Dear Ana, we moved your appointment')
    await world.control('POST', '/_sandbox/templates/reject_me/review', { decision: 'approve' })
    await shown('Preview', 'Dear Ana, we moved your appointment')

    const audit = (await world.owner.call('GET', '/audit')).json.data.entries as { action: string }[]
    expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(['template.created', 'template.edited']))
  })

  test('waits as a draft, starts another, and is deleted', async () => {
    const { page, go } = await open('/templates/new')
    await page.getByLabel('Name').fill('winter_sale')
    await page.getByLabel('Marketing').check()
    await page.getByLabel('Body').fill('The <b>winter sale</b> has begun.')
    await button(page, 'Save draft').click()
    await page.getByRole('heading', { level: 1, name: 'winter_sale' }).waitFor()
    const draft = await templateNamed('winter_sale')
    expect(draft).toMatchObject({ status: 'draft', category: 'marketing' })

    await button(page, 'Actions for winter_sale').click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { level: 1, name: 'New template' }).waitFor()
    expect(await page.getByLabel('Body').inputValue()).toBe('The <b>winter sale</b> has begun.')
    await page.getByRole('region', { name: 'Preview' }).getByText('The <b>winter sale</b> has begun.').waitFor()

    await go(`/templates/${draft.id}`)
    await button(page, 'Actions for winter_sale').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await button(page, 'Delete template').click()
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
    expect(await templateNamed('winter_sale')).toBeUndefined()
  })

  test('with an offer, drafted with the API, is shown and submitted as it is', async () => {
    const components = [
      { type: 'limited_time_offer', text: 'Today only', has_expiration: false },
      { type: 'body', text: 'A quarter off all chairs.' },
      { type: 'buttons', buttons: [{ type: 'url', text: 'See them', url: 'https://shop.test/chairs' }] },
    ]
    const draft = { name: 'offer', language: 'en_US', category: 'marketing', components, submit: false }
    const { id } = (await world.post('/v1/chat/templates', draft)).body.data
    const { page } = await open(`/templates/${id}`)
    await page.getByText('The console can’t edit all of its parts.').waitFor()
    await page.getByRole('region', { name: 'Preview' }).getByText('A quarter off all chairs.').waitFor()
    await button(page, 'Submit for review').click()
    await page.locator('.toast', { hasText: 'Submitted offer for review' }).waitFor()
    await button(page, 'Submit for review').waitFor({ state: 'detached' })
    expect((await templateNamed('offer')).status).not.toBe('draft')
  })

  test('has cards to scroll through, each with its picture, its text and its button', async () => {
    const { page } = await open('/templates/new')
    await page.getByLabel('Name').fill('sofas')
    await page.getByLabel('Marketing').check()
    await page.getByLabel('Body').fill('These sofas are new.')
    await page.getByLabel('Layout').selectOption('carousel')
    expect(await page.getByLabel('Header').count()).toBe(0)
    const checks = page.getByRole('region', { name: 'Checks' })
    const preview = page.getByRole('region', { name: 'Preview' })
    const card = (number: number) => page.getByRole('group', { name: `Card ${number}`, exact: true })
    const write = async (number: number, chair: string) => {
      await card(number)
        .getByLabel('Sample image', { exact: true })
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
      await card(number).getByText('Uploaded.').waitFor()
      await card(number).getByLabel('Text').fill(`The ${chair} for {{price}}.`)
      await card(number).getByLabel('price').fill('€ 40')
    }
    await write(1, 'Lisbon')
    await button(card(1), 'Add button').click()
    await card(1).getByLabel('Label').fill('I want it')
    await write(2, 'Porto')
    await checks.getByText('All cards have the same parts').waitFor()
    await button(card(2), 'Add button').click()
    await card(2).getByLabel('Label').fill('I want it')
    // One more has the buttons of the last.
    await button(page, 'Add card').click()
    expect(await card(3).getByLabel('Label').inputValue()).toBe('I want it')
    await write(3, 'Faro')
    await button(card(3), 'Remove card 3').click()
    await checks.getByText('It passes all checks').waitFor()
    await preview.getByText('The Porto for € 40.').waitFor()
    expect(await axeViolationsInBothThemes(page)).toEqual([])
    await button(page, 'Submit for review').click()
    await page.locator('.toast', { hasText: 'Submitted sofas for review' }).waitFor()
    const { id } = await templateNamed('sofas')
    const made = (await world.owner.call('GET', `/templates/${id}`)).json.data
    const { cards } = (made.template ?? made).components[1]
    expect(cards.map((one: { components: { text?: string }[] }) => one.components[1]?.text)).toEqual([
      'The Lisbon for {{1}}.',
      'The Porto for {{1}}.',
    ])
  })

  test('of which the name is taken is refused in the words of the API, and the text is still there', async () => {
    const { page } = await open('/templates/new')
    await page.getByLabel('Name').fill('order_confirmation')
    await page.getByLabel('Body').fill('Your order is confirmed.')
    await button(page, 'Submit for review').click()
    await page.getByText('The template order_confirmation already exists in en_US.').waitFor()
    await page.getByText('template_already_exists').waitFor()
    expect(await page.getByLabel('Body').inputValue()).toBe('Your order is confirmed.')
  })

  test('can be read but not written by support', async () => {
    const invitation = { name: 'Chloé Martin', email: 'chloe@acme.test', role: 'support' }
    const invited = await world.owner.call('POST', '/members', invitation)
    const token = tokenOfLink(invited.json.data.link)
    const support = aVisitor(world)
    const { role: _, ...person } = invitation
    await support.call('POST', '/setup', { token, ...person, password })
    const { page, go } = await openAs(support, '/templates')
    await page.getByRole('link', { name: 'shipping_update' }).first().click()
    await page.getByRole('region', { name: 'Preview' }).getByText('your order is on its way').waitFor()
    expect(await page.getByLabel('Body').count()).toBe(0)
    await go('/templates/new')
    await page.getByRole('heading', { name: "You don't have access" }).waitFor()
    expect((await support.call('POST', '/templates', { name: 'mine', body: 'Hello there' })).status).toBe(403)
  })
})

describe('analytics', () => {
  test('shows the figures of what was sent, failed and received, and exports them', async () => {
    await world.post('/v1/chat/messages/send', { to: world.customer, message: 'One' })
    await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Two' })
    // A magic recipient the platform always refuses.
    await world.post('/v1/chat/messages/template', { to: '+12025550105', template: 'hello_world', language: 'en_US' })
    const template = { to: world.customer, template: 'hello_world', language: 'en_US' }
    const { message_id: context } = (await world.post('/v1/chat/messages/template', template)).body.data
    for (const words of [{ text: 'Hi' }, { type: 'button', button: { payload: 'yes', text: 'Yes' } }]) {
      await world.control('POST', '/_sandbox/inbound', { from: world.customer, context, ...words })
    }
    await waitFor(async () => {
      const { totals } = await figures()
      return totals.delivered >= 3 && totals.failed >= 1 && totals.taps === 1
    }, 15_000)
    const { totals, series, failures } = await figures()

    const { page, load } = await openAs(world.owner, '/analytics?days=7&by=type')
    const figure = (name: string) => page.locator('.figure', { has: page.getByText(name, { exact: true }) })
    await figure('Sent').getByText(`${totals.sent}`, { exact: true }).waitFor()
    await figure('Failed').getByText(`${totals.failed}`, { exact: true }).waitFor()
    // Nothing was sent in the week before, so there is nothing to compare with.
    await page.waitForLoadState('networkidle')
    expect(await page.getByText(/^was /).count()).toBe(0)
    const reasons = page.getByRole('region', { name: 'Failures by reason' })
    for (const { code } of failures) await reasons.getByText(code, { exact: true }).waitFor()
    const link = reasons.getByRole('link', { name: /failed$/ }).first()
    expect(await link.getAttribute('href')).toMatch(/^\/messages\?status=failed&code=channel_rate_limited&since=/)
    const table = page.getByRole('table', { name: 'Messages by type' })
    for (const { group } of series) await table.getByText(group.type, { exact: true }).waitFor()
    await button(page, '30 days').click()
    // While the next answer is on its way the heading is that of the rows below it.
    const next = Promise.withResolvers<void>()
    await page.route(/api\/analytics\?.*group_by=category/, async (route) => {
      await next.promise
      await route.continue()
    })
    const asked = page.waitForRequest(/api\/analytics\?.*group_by=category/)
    await page.getByLabel('Group by').selectOption('category')
    await asked
    expect(await page.getByRole('table', { name: 'Messages by category' }).count()).toBe(0)
    await table.getByRole('columnheader', { name: 'Type' }).waitFor()
    next.resolve()
    await page.getByRole('table', { name: 'Messages by category' }).waitFor()
    // Three questions have a block each, whatever the messages are grouped by.
    for (const name of ['Cost', 'Templates', 'Service']) await page.getByRole('region', { name }).waitFor()
    await page.getByLabel('Costs by').selectOption('country')
    await page.getByRole('table', { name: 'Costs by country' }).waitFor()
    await page.getByLabel('Group by').selectOption('template')
    const templates = page.getByRole('table', { name: 'Messages by template' })
    await templates.getByRole('row', { name: /^hello_world 1 50\.0% \d+\.0% 1 1 1$/ }).waitFor()
    expect(await templates.getByRole('columnheader').allTextContents()).toEqual([
      ...['Template', 'Sent', 'Delivered, of accepted', 'Read, of delivered', 'Replies', 'Taps', 'Failed'],
    ])
    await templates.getByRole('button', { name: 'Taps' }).click()
    await templates.locator('th[aria-sort=descending]', { hasText: 'Taps' }).waitFor()

    const download = page.waitForEvent('download')
    await button(page, 'Export CSV').click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^analytics-\d{4}-\d\d-\d\d\.csv$/)
    const today = new Date().toISOString().slice(0, 10)
    const csv = (await buffer(await file.createReadStream())).toString()
    expect(csv.slice(0, 14)).toBe('\uFEFFTemplate,Day,')
    expect(csv).toMatch(new RegExp(`\r\nhello_world,${today},(?:\\d+,){6}\\d+,?\r\n`))

    // A week before in which twice as much was sent: put into the answer on its way, because nobody can send back then.
    await page.route(/analytics\?.*limit_groups=1(&|$)/, async (route) => {
      const response = await route.fetch()
      const before = { created: 4, sent: 2 * totals.sent, delivered: 2, received: totals.received }
      const answer = await response.json()
      Object.assign(answer.data.totals, before)
      await route.fulfill({ response, json: answer })
    })
    await load('/analytics?days=7&by=type')
    await figure('Sent')
      .getByText(`-50% was ${2 * totals.sent}`)
      .waitFor()
    await figure('Received')
      .getByText(totals.received === 0 ? 'was 0' : `0% was ${totals.received}`)
      .waitFor()
    await figure('Delivered')
      .getByText(/points was 50\.0%$/)
      .waitFor()
  })

  async function figures() {
    const today = new Date().toISOString().slice(0, 10)
    return (await world.get(`/v1/chat/analytics?group_by=type&from=${today}`)).body.data
  }
})

test('both pages break no rule of axe with real data, and fit into 320 px', async () => {
  const { id } = await templateNamed('order_confirmation')
  const { page } = await open('/help')
  await page.setViewportSize({ width: 320, height: 800 })
  for (const path of ['/templates', '/templates?search=nothing', '/templates/new', `/templates/${id}`, '/analytics']) {
    await follow(page, path)
    expect(await axeViolationsInBothThemes(page), path).toEqual([])
    expect(await overflowX(page), path).toBe(0)
  }
})
