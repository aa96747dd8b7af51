import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow } from '../support/browser/shared-window.ts'
import { aConsoleService, aWindow, type ConsoleService } from '../support/console/console-service.ts'
import { waitFor } from '../support/wait-for.ts'

let browser: Browser
let world: ConsoleService
let numberId: string

beforeAll(async () => {
  browser = await connectBrowser()
  world = await aConsoleService()
  numberId = (await world.owner.call('GET', '/sandbox/numbers')).json.data.numbers[0].id
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

const window = sharedWindow(() => aWindow(browser, world, world.owner))
const one = '+12025550121'
const two = '+12025550122'

const stateOf = async (customer: string) =>
  (await world.owner.call('GET', `/conversations/${encodeURIComponent(customer)}`)).json.data

async function says(customer: string, text: string): Promise<void> {
  const act = { kind: 'text', text }
  await world.owner.call('POST', '/sandbox/inbound', { number_id: numberId, customer, act })
  await waitFor(async () => (await stateOf(customer))?.last_message?.preview === text, 10_000)
}

/** A press of the mouse in the middle of what is there. */
async function press(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox()
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2)
}

const row = (customer: string) => `.inbox-row[data-customer="${customer}"]`

describe('the inbox', () => {
  test('says on every page that a customer wrote, and Home says first who waits', async () => {
    const { page, go } = await window()
    await go('/')
    await says(one, 'Are you there?')
    await page.locator('.nav-count').waitFor()
    await waitFor(async () => /^\(\d+\) Home/.test(await page.title()))
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon-unread.svg')
    await page.getByText(/waiting for a reply/).waitFor()
    await press(page, '.home-waiting a')
    await page.locator(row(one)).waitFor()
    expect(page.url()).toContain('order=waiting')
  })

  test('is worked in by keys: open, assign to me, reply twice in a row, close, and the next unread', async () => {
    await says(one, 'First question')
    await says(two, 'Second question')
    const { page, go } = await window()
    await go('/conversations')
    await press(page, row(two))
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('One')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    const bubbles = page.getByRole('log').locator('[data-side=customer] .bubble-text')
    await waitFor(async () => (await bubbles.allTextContents()).slice(-2).join() === 'One,Two', 10_000)
    expect(await stateOf(two)).toMatchObject({ waiting_since: null, unread: 0 })
    await press(page, '.thread-who h2')
    await page.keyboard.press('a')
    await waitFor(async () => (await stateOf(two)).assignee?.name === 'Ana Sousa')
    await page.getByRole('button', { name: 'Assigned to Ana Sousa' }).waitFor()
    await page.keyboard.press('e')
    await waitFor(async () => (await stateOf(two)).state === 'closed')
    await page.keyboard.press('u')
    await page.getByRole('log').getByText('First question').waitFor()
    await page.keyboard.press('r')
    await page.locator('textarea:focus').waitFor()
    // Closed until they write again.
    await says(two, 'One more thing')
    await page.locator(row(two)).getByText('One more thing').waitFor()
    expect(await stateOf(two)).toMatchObject({ state: 'open', assignee: { name: 'Ana Sousa' } })
  })

  test('who was faster keeps the conversation, and the other is told who it is', async () => {
    await says(one, 'Who takes me?')
    const { page, go } = await window()
    await go(`/conversations?customer=${encodeURIComponent(one)}`)
    const mine = page.getByRole('button', { name: 'Assign to me' })
    await mine.waitFor()
    const path = '**/console/api/conversations/*/assignee'
    const { assignees } = (await world.owner.call('GET', '/assignees')).json.data
    await page.route(path, async (route) => {
      const body = { ...route.request().postDataJSON(), if_assignee: assignees[0].user_id }
      await route.continue({ postData: JSON.stringify(body) })
    })
    await mine.click()
    await page.locator('.toast').getByText('Nobody has the conversation now.').waitFor()
    await page.unroute(path)
    expect((await stateOf(one)).assignee).toBeNull()
  })

  test('a saved reply is typed by its word, with the name of the customer', async () => {
    await world.owner.call('POST', '/sandbox/customers', { number_id: numberId, customer: one, name: 'Zoë' })
    await says(one, 'When are you open?')
    await world.owner.call('POST', '/saved-replies', { shortcut: 'hours', text: 'Hello {{name}}, from 9 to 6.' })
    const { page, go } = await window()
    await go(`/conversations?customer=${encodeURIComponent(one)}`)
    await press(page, 'textarea')
    await page.keyboard.type('/ho')
    await page.locator('.saved-choices').getByText('/hours').waitFor()
    await page.keyboard.press('Enter')
    expect(await page.locator('textarea').inputValue()).toBe('Hello Zoë, from 9 to 6.')
    await page.locator('textarea').fill('')
  })

  test('a reply quotes the message it was written to', async () => {
    await says(one, 'Which colour?')
    const { page, go } = await window()
    await go(`/conversations?customer=${encodeURIComponent(one)}`)
    const asked = page.locator('.thread-entry').filter({ hasText: 'Which colour?' })
    await asked.hover()
    const act = await asked.getByRole('button', { name: 'Reply to this message' }).boundingBox()
    await page.mouse.click((act?.x ?? 0) + 8, (act?.y ?? 0) + 8)
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('The green one')
    await page.keyboard.press('Enter')
    const answer = page.locator('.thread-entry').filter({ hasText: 'The green one' })
    await answer.locator('button.bubble-quote').getByText('Which colour?').waitFor()
  })
})
