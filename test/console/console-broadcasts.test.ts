import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolationsInBothThemes, overflowOnPhone } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow } from '../support/browser/shared-window.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
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

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Where a finger or a mouse would press: what lies above it gets the press instead. */
async function press(target: Locator): Promise<void> {
  await target.waitFor()
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('nothing to press')
  await target.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

async function holdsUp(page: Page): Promise<void> {
  expect(await axeViolationsInBothThemes(page)).toEqual([])
  expect(await overflowOnPhone(page)).toBe(0)
}

const arrivals = async () =>
  (await world.control('GET', '/_sandbox/messages?direction=outbound&limit=1000')).body.data as {
    to: string
    payload: object
  }[]

describe('a broadcast', () => {
  test('goes from a CSV file to the last result', async () => {
    const { page, faults } = await open('/broadcasts')
    await page.getByText('No broadcasts yet').waitFor()
    await holdsUp(page)
    await press(page.getByRole('link', { name: 'New broadcast' }).first())

    // Template and number.
    await page.getByLabel('Name').fill('Spring sale')
    await press(button(page, 'Choose a template'))
    await page.getByLabel('Search templates').fill('order_confirmation')
    await press(button(page, /^order_confirmation en_US/))
    await page.getByText('(en_US, utility)').waitFor()
    await holdsUp(page)
    await press(button(page, 'Continue'))

    // A file: columns find their variables by name, the others in their order.
    const rows = Array.from({ length: 40 }, (_, row) => `+35191234${5_000 + row};Ana ${row};A-${row}`)
    const bad = ['+3510912345999;Rui;A-98', '+351912345000;Ana again;A-99', '+351912349999;Eva;']
    const file = ['Phone;name;order_id', ...rows, ...bad].join('\r\n')
    const chosen = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${file}`) }
    await page.getByLabel('File with recipients').setInputFiles(chosen)
    await page.getByRole('region', { name: 'First rows of the file' }).getByText('Ana 9', { exact: true }).waitFor()
    expect(await page.getByLabel('Phone numbers').inputValue()).toBe('Phone')
    expect(await page.getByLabel('Order id').inputValue()).toBe('order_id')
    await page.getByLabel('Total').selectOption({ label: 'The same text for all' })
    await page.getByLabel('Text', { exact: true }).fill('9 EUR')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('Hi Ana 0, your order A-0 is confirmed. Total: 9 EUR.').waitFor()
    await press(button(page, 'Next row'))
    await preview.getByText('Hi Ana 1, your order A-1 is confirmed. Total: 9 EUR.').waitFor()
    await holdsUp(page)
    await press(button(page, 'Upload and check'))

    // Lines that were not taken, each with what is wrong.
    await page.getByText('40 recipients added. 3 lines were not.').waitFor()
    const problems = page.getByRole('table', { name: 'Lines that were not added' })
    expect(await problems.getByRole('row').count()).toBe(4)
    await problems.getByText('order_id').waitFor()
    const download = page.waitForEvent('download')
    await press(button(page, 'Download all'))
    expect((await download).suggestedFilename()).toBe('problems.csv')
    await holdsUp(page)
    await press(page.getByRole('link', { name: 'Review' }))

    // Who gets it, a test, and the start, for which the number of recipients is typed.
    await page.getByRole('list', { name: 'Recipients by country' }).getByText('Portugal').waitFor()
    await holdsUp(page)
    await press(button(page, 'Send test'))
    await page.getByText('+12025550100: sent').waitFor()
    expect((await arrivals()).map(({ to }) => to)).toEqual(['+12025550100'])
    const start = button(page, 'Start broadcast')
    await page.getByLabel('Type the number of recipients').fill('4')
    expect(await start.isDisabled()).toBe(true)
    await page.getByLabel('Type the number of recipients').fill('40')
    await press(start)

    // Every recipient with a result.
    await page.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 })
    const bar = page.getByRole('meter', { name: 'Recipients with a result' })
    await waitFor(async () => (await bar.getAttribute('aria-valuenow')) === '40')
    const sent = (await arrivals()).filter(({ to }) => to !== '+12025550100')
    expect(new Set(sent.map(({ to }) => to)).size).toBe(40)
    expect(sent).toHaveLength(40)
    expect(JSON.stringify(sent.find(({ to }) => to === '+351912345007')?.payload)).toContain('Ana 7')
    await page.getByRole('table', { name: 'Recipients' }).getByText('+351912345007').waitFor()
    await holdsUp(page)
    expect(faults).toEqual([])
  })

  test('says why it stopped and what to do, goes on, and is copied to those who failed', async () => {
    const recipients = Array.from({ length: 30 }, (_, row) => ({
      to: `+35191300${1_000 + row}`,
      values: { order: 'A' },
    }))
    const text = (value: string) => ({ type: 'text', text: value })
    const draft = {
      name: 'מבצע אביב לכל הלקוחות הנאמנים שלנו',
      template: 'order_confirmation',
      language: 'en_US',
      components: [{ type: 'body', parameters: [text('you'), text('{{order}}'), text('9 EUR')] }],
      recipients,
      max_per_second: 20,
      start: true,
    }
    const failing = recipients[2]?.to
    const rules = [
      { when: { endpoint: 'messages', to: failing }, do: { error: { code: 131_026 } } },
      { when: { endpoint: 'messages', to: recipients[12]?.to }, do: { error: { code: 131_042 } }, count: 1 },
    ]
    await world.control('PUT', '/_sandbox/scenario', { rules })
    const { id } = (await world.post('/v1/chat/broadcasts', draft)).body.data
    const { page, faults } = await open(`/broadcasts/${id}`)
    await page.getByText('Meta has no valid payment method').first().waitFor({ timeout: 30_000 })
    await page.getByText('Add one in Meta Business Suite, then resume.').waitFor()
    await holdsUp(page)
    await press(button(page, 'Resume'))
    await page.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 })
    await page.getByLabel('Result', { exact: true }).selectOption('failed')
    const table = page.getByRole('table', { name: 'Recipients' })
    await table.getByText(failing ?? '').waitFor()
    await press(button(page, 'Copy failed'))
    await press(page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }))
    await page.getByLabel('Type the number of recipients').waitFor()
    await open('/broadcasts')
    await page.getByRole('link', { name: 'Spring sale' }).waitFor()
    await holdsUp(page)
    expect(faults).toEqual([])
  })

  test('can be canceled by keyboard, after a question', async () => {
    await world.control('POST', '/_sandbox/reset')
    const recipients = Array.from({ length: 60 }, (_, row) => ({ to: `+35191400${1_000 + row}` }))
    const draft = {
      name: 'Too early',
      template: 'hello_world',
      language: 'en_US',
      recipients,
      max_per_second: 2,
      start: true,
    }
    const { id } = (await world.post('/v1/chat/broadcasts', draft)).body.data
    const { page } = await open(`/broadcasts/${id}`)
    await button(page, 'Cancel broadcast').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('get nothing').waitFor()
    await dialog.getByRole('button', { name: 'Cancel broadcast' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Canceled', { exact: true }).first().waitFor()
    const { status, counts } = (await world.get(`/v1/chat/broadcasts/${id}`)).body.data
    expect([status, counts.canceled > 0]).toEqual(['canceled', true])
  })
})

test('a message is planned for later, found among those that wait, and canceled', async () => {
  const { page } = await open('/templates')
  await press(page.getByRole('link', { name: 'hello_world' }))
  await press(button(page, 'Send a test'))
  const dialog = page.getByRole('dialog')
  await press(dialog.getByLabel('Send later'))
  await dialog.getByLabel('Send at').fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 16))
  await press(dialog.getByRole('button', { name: 'Plan template' }))
  await page.locator('.toast', { hasText: 'Planned' }).waitFor()
  await open('/messages?status=waiting')
  await press(page.locator('.row-link').first())
  await press(button(page, 'Cancel message'))
  await button(page, 'Cancel message').waitFor({ state: 'detached' })
  const { messages } = (await world.get('/v1/chat/messages?status=canceled')).body.data
  expect(messages).toHaveLength(1)
})

test('a reply is planned, waits with its time in the conversation, and says if the window will be closed', async () => {
  const from = '+351912346001'
  await world.control('POST', '/_sandbox/inbound', { from, name: 'Rui', text: 'Call me tomorrow?' })
  const { page } = await open(`/conversations?customer=${encodeURIComponent(from)}`)
  await page.getByRole('textbox', { name: 'Reply' }).fill('We call at ten.')
  await press(button(page, 'Attach or choose'))
  await press(page.getByRole('menuitem', { name: 'Send later…' }))
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Message').inputValue()).toBe('We call at ten.')
  await press(button(page, 'Plan message'))
  await dialog.getByText('Choose when to send it.').waitFor()
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)
  await dialog.getByLabel('Send at').fill(inHours(30))
  await dialog.getByText("The customer's window closes on").waitFor()
  await holdsUp(page)
  await dialog.getByLabel('Send at').fill(inHours(2))
  await dialog.getByText("The customer's window closes on").waitFor({ state: 'detached' })
  await press(button(page, 'Plan message'))
  const planned = page.locator('.thread-entry', { hasText: 'We call at ten.' })
  await planned.getByText('planned for').waitFor()
  expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('')
  const { messages } = (await world.get('/v1/chat/messages?status=waiting')).body.data
  expect(messages.map(({ to, type }: { to: string; type: string }) => [to, type])).toEqual([[from, 'text']])
  await holdsUp(page)
})

test('an upload shows how much of the file has left', async () => {
  const { page } = await open('/broadcasts/new')
  await page.getByLabel('Name').fill('Slow line')
  await press(button(page, 'Choose a template'))
  await page.getByLabel('Search templates').fill('hello_world')
  await press(button(page, /^hello_world en_US/))
  await press(button(page, 'Continue'))
  const rows = Array.from({ length: 10_000 }, (_, row) => `+3519${10_000_000 + row},${'note '.repeat(10)}`)
  const buffer = Buffer.from(['phone,note', ...rows].join('\n'))
  await page.getByLabel('File with recipients').setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer })
  const line = await page.context().newCDPSession(page)
  const speed = { offline: false, latency: 0, downloadThroughput: -1 }
  await line.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: 200_000 })
  await press(button(page, 'Upload and check'))
  const bar = page.getByRole('progressbar', { name: 'Upload' })
  const part = async () => Number(await bar.getAttribute('value'))
  await waitFor(async () => (await part()) > 0.1 && (await part()) < 1)
  await page
    .getByRole('status')
    .getByText(/^\d+%$/)
    .waitFor()
  await line.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 })
  await page.getByText('10,000 recipients').first().waitFor()
})
