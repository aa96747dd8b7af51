import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from '../media/media-samples.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow, takeCookie } from '../support/browser/shared-window.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
import { aVisitor, password } from '../support/console/console-world.ts'
import { waitFor } from '../support/wait-for.ts'

let browser: Browser
let world: ConsoleService

beforeAll(async () => {
  browser = await connectBrowser()
  world = await aConsoleService()
  const webhook = { url: 'https://hooks.acme.test/orders', events: ['*'], description: 'Orders' }
  await world.owner.call('POST', '/webhooks', webhook)
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

/** Where the page must not know yet what is looked for, or who looks. */
async function load(path: string): Promise<OpenPage> {
  const opened = await window()
  await opened.load(path)
  return opened
}

/** Where a mouse would press: what lies above the element takes the click instead. */
async function pressMiddle({ page }: OpenPage, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not to be seen.`)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

describe('the template editor', () => {
  test('takes the mouse on every button of its toolbar', async () => {
    const opened = await open('/templates/new')
    const body = opened.page.getByLabel('Body')
    await body.fill('Hello')
    for (const name of ['Bold', 'Italic', 'Strikethrough', 'Monospace']) {
      await body.press('End')
      await pressMiddle(opened, `[aria-label=${name}]`)
    }
    await pressMiddle(opened, '.body-marks button:last-child')
    await waitFor(async () => (await body.inputValue()).includes('{{'))
    for (const sign of ['*', '_', '~', '```']) expect(await body.inputValue()).toContain(sign)
  })

  test('takes a picture from the disk, says which button is wrong, and keeps the focus where the work is', async () => {
    const { page } = await open('/templates/new')
    await page.getByLabel('Name', { exact: true }).fill('winter_sale')
    await page.getByLabel('Header').selectOption('image')
    const picture = { name: 'sale.png', mimeType: 'image/png', buffer: png }
    await page.getByLabel('Sample image', { exact: true }).setInputFiles(picture)
    await page.getByText('Uploaded.').waitFor()
    await page.getByLabel('Body', { exact: true }).fill('Everything is 20% off today.')
    for (const label of ['Shop now', 'Shop now', '']) {
      await page.getByRole('button', { name: 'Add button' }).click()
      await page.keyboard.type(label)
    }
    const checks = page.getByRole('region', { name: 'Checks' })
    await checks.getByText("Button 2: Another button is called 'Shop now'").waitFor()
    await checks.getByText('Button 3: Give the button a label.').waitFor()
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('Fix 2 problems first.').waitFor()
    // As many as are listed, also where one field has several.
    await page.getByLabel('Body', { exact: true }).fill('{{1}}')
    await checks
      .getByText(/variable/)
      .first()
      .waitFor()
    await page.getByText(`Fix ${await checks.getByRole('listitem').count()} problems first.`).waitFor()
    expect(await checks.getByRole('listitem').count()).toBeGreaterThan(4)
    await page.getByLabel('Body', { exact: true }).fill('Everything is 20% off today.')
    await page.getByRole('button', { name: 'Remove button 2' }).click()
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Remove button 2')
    await page.getByRole('button', { name: 'Remove button 2' }).click()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add button')
    await page.getByRole('region', { name: 'Preview' }).getByRole('img').waitFor()
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByRole('heading', { level: 1, name: 'winter_sale' }).waitFor()
  })

  test('has its buttons in sight on a phone, wherever a person is in the form', async () => {
    const { page } = await open('/templates/new')
    await page.setViewportSize({ width: 375, height: 700 })
    const submit = page.getByRole('button', { name: 'Submit for review' })
    for (const place of ['0', 'document.documentElement.scrollHeight']) {
      await page.evaluate(`window.scrollTo(0, ${place})`)
      const box = await submit.boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700)
      expect(box?.y).toBeGreaterThan(600)
    }
  })

  test('keeps what was written through leaving, reloading and an ended session', async () => {
    const session = aVisitor(world)
    await session.call('POST', '/sign-in', { email: 'ana@acme.test', password })
    await takeCookie((await window()).context, session.cookie)
    const { page } = await load('/templates/new')
    const body = page.getByLabel('Body')
    await body.fill('Your order is ready.')
    await page.getByText('Not saved yet').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.goBack()
    expect(await body.inputValue()).toBe('Your order is ready.')
    const asked = page.waitForEvent('dialog')
    await page.evaluate('void setTimeout(() => location.reload())')
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
    await body.waitFor()
    expect(await body.inputValue()).toBe('Your order is ready.')
    await session.call('POST', '/sign-out')
    await page.getByText('Your session ended.').waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await body.waitFor()
    expect(await body.inputValue()).toBe('Your order is ready.')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    expect(await body.inputValue()).toBe('')
  })

  test('says what an edit of an approved template does to sending before it is submitted', async () => {
    const { page } = await open('/templates')
    await page
      .getByRole('link', { name: /hello_world/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Save and submit' }).click()
    await page.getByText('Nothing was changed, so nothing was submitted').first().waitFor()
    await page.getByLabel('Body').fill('Hello from the new shop. Welcome!')
    await page.getByRole('button', { name: 'Save and submit' }).click()
    await page.getByRole('dialog').getByText('Customers get the approved version until then').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const { templates } = (await world.get('/v1/chat/templates?name=hello_world')).body.data
    expect(templates[0]).toMatchObject({ status: 'approved', pending_edit: null })
    await page.getByRole('button', { name: 'Discard changes' }).click()
  })
})

describe('two tabs on one template draft', () => {
  const draft = {
    name: 'two_tabs',
    language: 'en_US',
    category: 'utility',
    components: [{ type: 'body', text: 'Your order is ready.' }],
    submit: false,
  }

  test('the second writer is warned, and neither text is lost', async () => {
    await world.control('POST', '/_sandbox/scenario', { review_delay_ms: 600_000 })
    const { id } = (await world.owner.call('POST', '/templates', draft)).json.data
    const first = await aWindow(browser, world, world.owner)
    const second = await aWindow(browser, world, world.owner)
    // Live updates warn before the press: this is about the press itself.
    await second.page.route('**/console/api/live**', (route) => route.abort())
    for (const { go, page } of [first, second]) {
      await go(`/templates/${id}`)
      await page.getByLabel('Body').waitFor()
    }
    const stored = async () => (await world.owner.call('GET', `/templates/${id}`)).json.data.components[0].text
    await second.page.getByLabel('Body').fill('Your order has left our shop.')
    for (const text of ['Your order waits at the counter.', 'Your order waits at our counter.']) {
      await first.page.getByLabel('Body').fill(text)
      await first.page.getByRole('button', { name: 'Save draft' }).click()
      await waitFor(async () => (await stored()) === text)
    }
    const { page } = second
    const save = page.getByRole('button', { name: 'Save draft' })
    const warning = page.getByText('Someone else changed this template while you were writing.')
    await save.click()
    await warning.waitFor({ timeout: 10_000 })
    expect(await stored()).toBe('Your order waits at our counter.')
    expect(await page.getByLabel('Body').inputValue()).toBe('Your order waits at our counter.')
    await page.getByRole('button', { name: 'Show what I wrote' }).click()
    expect(await page.getByLabel('Body').inputValue()).toBe('Your order has left our shop.')
    await save.click()
    await waitFor(async () => (await stored()) === 'Your order has left our shop.')
    expect(await warning.count()).toBe(0)

    // The first writer goes on from what they saw, and now it is their turn; the other one submits meanwhile.
    await first.page.getByText('Your order has left our shop.').first().waitFor()
    await first.page.getByLabel('Body').fill('Your order waits for you.')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await first.page.getByText('Your draft is kept in this tab').waitFor()
    await first.page.getByRole('button', { name: 'Copy my text' }).click()
    await waitFor(
      async () => (await first.page.evaluate('navigator.clipboard.readText()')) === 'Your order waits for you.',
    )
    for (const { faults, context } of [first, second]) {
      expect(faults).toEqual([])
      await context.close()
    }
  })
})

describe('a dialog that was closed by accident', () => {
  test('has what was written when it is opened again, and Cancel throws it away', async () => {
    const { page } = await open('/webhooks?create')
    const address = page.getByLabel('Address')
    await address.fill('https://hooks.acme.test/new')
    const secret = await page.locator('.secret-value').textContent()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    expect(await address.inputValue()).toBe('https://hooks.acme.test/new')
    // The person may have saved it already.
    expect(await page.locator('.secret-value').textContent()).toBe(secret)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    expect(await address.inputValue()).toBe('')
    expect(await page.locator('.secret-value').textContent()).not.toBe(secret)
  })

  test('keeps an API key that was being described, from a click beside the dialog', async () => {
    const { page } = await open('/api-keys?create')
    await page.getByLabel('Name').fill('Checkout')
    await page.getByLabel('Send only').check()
    await page.mouse.click(5, 5)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create New API Key' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Checkout')
    expect(await page.getByLabel('Send only').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })
})

describe('the settings of a webhook', () => {
  test('keep what was written through another tab of the page and a reload, until it is saved or discarded', async () => {
    const [{ webhook }] = (await world.owner.call('GET', '/webhooks')).json.data.webhooks
    const { page } = await open(`/webhooks/${webhook.id}?tab=settings`)
    const description = page.getByLabel('Description')
    await description.fill('Order service')
    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await page.getByRole('tab', { name: 'Settings' }).click()
    expect(await description.inputValue()).toBe('Order service')
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    expect(await description.inputValue()).toBe('Order service')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    expect(await description.inputValue()).toBe(webhook.description)
    await description.fill('Stock service')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Not saved yet.').waitFor({ state: 'detached' })
    expect(await description.inputValue()).toBe('Stock service')
    // The check of an address that does not exist says why it failed, and where the address is changed.
    await page.getByRole('link', { name: 'Change the address' }).waitFor()
  })
})

describe('a dialog', () => {
  test('stays when a selection ends outside of it, and shows its buttons whatever it holds', async () => {
    const { page } = await open('/webhooks?create')
    const address = page.getByLabel('Address')
    await address.fill('https://hooks.acme.test/selected')
    const box = await address.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move(5, 300, { steps: 3 })
    await page.mouse.up()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.setViewportSize({ width: 320, height: 480 })
    const button = await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).boundingBox()
    expect((button?.y ?? 480) + (button?.height ?? 0)).toBeLessThan(480)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })
})
