import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from '../media/media-samples.ts'
import { axeViolationsInBothThemes, overflowOnPhone } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from '../support/console/console-service.ts'
import { waitFor } from '../support/wait-for.ts'

const arabic = 'مفتوح كل يوم من التاسعة صباحًا حتى السادسة مساءً، ونجيب عن كل الرسائل في اليوم نفسه'

describe('the page of a number, and blocking in a conversation', () => {
  let world: ConsoleService
  let browser: Browser
  let opened: OpenPage
  let numberId: string
  beforeAll(async () => {
    world = await aConsoleService()
    browser = await connectBrowser()
    opened = await aWindow(browser, world, world.owner)
    numberId = (await read('/channels')).channels[0].numbers[0].id
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, name: 'Ana', text: 'You are crooks' })
    await waitFor(async () => (await read('/conversations')).conversations.length === 1, 10_000)
  })
  afterAll(async () => {
    await opened?.context.close()
    await browser?.close()
    await world?.stop()
  })

  const read = async (path: string) => (await world.owner.call('GET', path)).json.data
  const thread = () => `/conversations?customer=${encodeURIComponent(world.customer)}`
  const isFit = async () => {
    expect(await axeViolationsInBothThemes(opened.page)).toEqual([])
    expect(await overflowOnPhone(opened.page)).toBe(0)
    expect(opened.faults).toEqual([])
  }

  test('is reached from the channel, and shows and saves the profile with its photo', async () => {
    const { page, go } = opened
    await go('/channel')
    await page.getByRole('link', { name: 'Profile and blocked customers' }).click()
    const about = page.getByLabel('About')
    await about.waitFor()
    await page.getByRole('img', { name: 'No photo' }).waitFor()
    await page.getByRole('heading', { name: 'Nobody is blocked' }).waitFor()
    await isFit()

    await about.fill(arabic)
    await page.getByLabel('Category').selectOption('RETAIL')
    await page.getByLabel('Second website').fill('https://shop.acme.test/a-rather-long-path/that-does-not-end-soon')
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: png })
    const preview = page.getByRole('img', { name: 'The new photo, not saved yet' })
    await preview.waitFor()
    const chosen = () => page.evaluate(`[...document.querySelector('[type=file]').files].map(({ name }) => name)`)
    expect(await chosen()).toEqual(['photo.png'])
    await page.getByRole('link', { name: 'Phone numbers', exact: true }).first().click()
    await page.getByRole('link', { name: 'Profile and blocked customers' }).click()
    await preview.waitFor()
    expect(await chosen()).toEqual(['photo.png'])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.toast', { hasText: 'Saved' }).waitFor()
    const photo = page.getByRole('img', { name: 'The photo customers see' })
    await photo.waitFor()
    expect(await chosen()).toEqual([])
    await expect.poll(() => photo.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBeGreaterThan(0)
    expect(await read(`/profile?from=${numberId}`)).toMatchObject({
      about: arabic,
      vertical: 'RETAIL',
      websites: ['https://shop.acme.test/a-rather-long-path/that-does-not-end-soon'],
    })
    await isFit()
  })

  test('says at the field what is wrong with it, and keeps what was written', async () => {
    const { page, go } = opened
    await go(`/number/${numberId}`)
    const email = page.getByLabel('Email')
    await email.fill('nobody')
    await page.getByLabel('Website', { exact: false }).first().fill('acme.test')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Write an email address, for example hello@example.com.').waitFor()
    await page.getByText('Write the whole address, with https:// or http://.').waitFor()
    expect(await email.getAttribute('aria-invalid')).toBe('true')
    expect(await email.inputValue()).toBe('nobody')
    await isFit()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    expect(await email.inputValue()).toBe('')
  })

  test('a failing Meta is told in the place of each part, with a way to try again', async () => {
    const { page, load } = opened
    const failing = { when: { endpoint: 'whatsapp_business_profile' }, do: { error: { code: 131005 } }, count: 20 }
    const { body } = await world.control('POST', '/_sandbox/rules', failing)
    await load(`/number/${numberId}`)
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
    await page.getByRole('heading', { name: 'Nobody is blocked' }).waitFor()
    await world.control('DELETE', `/_sandbox/rules/${body.id}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('About').waitFor()
  })

  test('a customer is blocked in the conversation, listed at the number, and unblocked there', async () => {
    const { page, go } = opened
    await go(thread())
    await page.getByRole('button', { name: 'Block' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('They can no longer write to').waitFor()
    await isFit()
    await dialog.getByRole('button', { name: 'Block' }).click()
    await page.getByText("Their messages don't arrive, and you can't write to them.").waitFor()
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
    await isFit()

    await go(`/number/${numberId}`)
    await page.getByRole('link', { name: 'Ana', exact: true }).waitFor()
    await isFit()
    await page.setViewportSize({ width: 375, height: 812 })
    const unblock = page.getByRole('button', { name: 'Unblock' })
    const button = await unblock.boundingBox()
    const number = await page.getByText(world.customer, { exact: true }).boundingBox()
    if (!button || !number) throw new Error('The button or the number is not to be seen.')
    expect(button.x > number.x + number.width || button.y > number.y + number.height).toBe(true)
    await page.setViewportSize({ width: 1280, height: 800 })
    await unblock.click()
    const question = page.getByRole('dialog', { name: 'Unblock Ana?' })
    await question.getByRole('button', { name: 'Unblock' }).click()
    await page.getByRole('heading', { name: 'Nobody is blocked' }).waitFor()
    await go(thread())
    await page.getByRole('button', { name: 'Block' }).waitFor()
  })

  test('who wrote more than 24 hours ago cannot be blocked, and the question says why', async () => {
    const { page, go } = opened
    await world.owner.call('POST', '/sandbox/window', {
      number_id: numberId,
      customer: world.customer,
      state: 'closed',
    })
    await go('/')
    await go(thread())
    await page.getByRole('button', { name: 'Block' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('They last wrote more than 24 hours ago').waitFor()
    expect(await dialog.getByRole('button', { name: 'Block' }).isDisabled()).toBe(true)
  })
})
