import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRequests } from '../../server/src/store/accounts/request-log.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { axeViolations, type ConsolePage, openConsole, overflowX, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'
import { waitFor } from '../support/wait-for.ts'

const rowsInAll = 5_000
const rowsInDocumentMax = 150

let browser: Browser
let world: ConsoleWorld
let owner: Visitor
const opened: ConsolePage[] = []

beforeAll(async () => {
  world = await startConsole()
  owner = await anOwner(world)
  await seedRefusals()
  browser = await connectBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
})
afterEach(async () => {
  for (const { faults, close } of opened.splice(0)) {
    await close()
    expect(faults).toEqual([])
  }
})

/** Refused sends of the last forty minutes: the log of requests shows them, and that of messages as "not sent". */
async function seedRefusals(): Promise<void> {
  const unit = new Unit()
  const refusal = {
    account_id: world.accountId,
    key_id: 'key_1',
    method: 'POST',
    status: 400,
    duration_ms: 9,
    body: null,
  }
  const rows = Array.from({ length: rowsInAll }, (_, index) => ({
    ...refusal,
    id: `req_${String(index).padStart(5, '0')}`,
    at: world.clock.now() - 1_000 - index * 480,
    route: '/v1/chat/messages/send',
    code: 'customer_window_closed',
  }))
  unit.add(insertRequests, ...rows)
  await world.rt.store.write(unit)
}

async function open(path: string, width = 1280): Promise<Page> {
  const console = await openConsole(browser, world, { width, cookie: owner.cookie })
  opened.push(console)
  await visit(console.page, `${world.url}${path}`)
  return console.page
}

const rowsInDocument = (page: Page) => page.locator('tbody tr').count()
const status = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
const shown = async (page: Page) => Number(/\d+/.exec((await status(page).textContent()) ?? '')?.[0])
const scrollTo = (page: Page, where: string) => page.evaluate(`window.scrollTo(0, ${where})`)

/** Scrolls to the end, again and again, as older rows come. */
async function scrollUntil(page: Page, count: number): Promise<void> {
  await waitFor(async () => {
    await scrollTo(page, 'document.documentElement.scrollHeight')
    return (await shown(page)) >= count
  }, 100_000)
}

describe('a table of 5,000 rows', () => {
  test('comes with scrolling, and keeps in the document only what is around the screen', async () => {
    const page = await open('/logs')
    await scrollUntil(page, rowsInAll)
    expect(await status(page).textContent()).toContain('5000 in total')
    const table = page.getByRole('table', { name: 'API requests' })
    expect(await table.getAttribute('aria-rowcount')).toBe('5001')
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      await scrollTo(page, `document.documentElement.scrollHeight * ${part}`)
      const wanted = Math.round((rowsInAll - 1) * part)
      await waitFor(async () => Math.abs((await firstIndexInSight(page)) - wanted) < 40)
      expect(await rowsInDocument(page)).toBeLessThan(rowsInDocumentMax)
    }
    expect(await axeViolations(page)).toEqual([])
    const last = page.getByRole('row').last()
    expect(await last.getAttribute('aria-rowindex')).toBe('5001')
    await page.getByRole('button', { name: '‹ Newest' }).click()
    await waitFor(async () => (await shown(page)) === 50)
  }, 150_000)

  test('is walked by keys far beyond the window, and goes on where somebody looks', async () => {
    const page = await open('/logs')
    await scrollUntil(page, 250)
    await scrollTo(page, '0')
    await waitFor(async () => (await firstIndexInSight(page)) === 0)
    for (let press = 0; press < 150; press += 1) await page.keyboard.press('j')
    expect(await focusedIndex(page)).toBe(149)
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('k')
    expect(await focusedIndex(page)).toBe(144)
    await page.keyboard.press('c')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('req_00144')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('req_00144').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focusedIndex(page)).toBe(144)
    // The row that had the focus leaves the document; the next key starts in sight.
    await scrollTo(page, '0')
    await waitFor(async () => (await focusedIndex(page)) === null)
    await page.keyboard.press('j')
    expect(await focusedIndex(page)).toBe(0)
  }, 120_000)

  test('is a list of cards on a narrow screen, as light and as accessible', async () => {
    const page = await open('/logs', 320)
    await scrollUntil(page, 250)
    await scrollTo(page, 'document.documentElement.scrollHeight / 2')
    await waitFor(async () => (await firstIndexInSight(page)) > 60)
    expect(await rowsInDocument(page)).toBeLessThan(rowsInDocumentMax)
    expect(await overflowX(page)).toBe(0)
    expect(await axeViolations(page)).toEqual([])
  }, 60_000)
})

describe('the log of the last hour', () => {
  test('goes on to older rows however long somebody reads the first', async () => {
    const page = await open('/messages?time=hour')
    await waitFor(async () => (await shown(page)) === 50)
    await page.clock.setFixedTime(world.clock.now() + 10 * 60_000)
    // Anything that draws the page again: the question must stay the one the cursor was made for.
    await page.getByRole('button', { name: 'Pause updates' }).click()
    await page.getByRole('button', { name: 'Older ›' }).click()
    await waitFor(async () => (await shown(page)) >= 150)
    expect(await page.getByText('invalid_cursor').count()).toBe(0)
  })
})

async function focusedIndex(page: Page): Promise<number | null> {
  return page.evaluate<number | null>(
    `(() => { const row = document.activeElement.closest('[data-row-index]'); return row && Number(row.dataset.rowIndex) })()`,
  )
}

async function firstIndexInSight(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const rows = [...document.querySelectorAll('[data-row-index]')]
    const seen = rows.find((row) => row.getBoundingClientRect().bottom > 0) ?? rows.at(-1)
    return Number(seen?.dataset.rowIndex ?? -1)
  })()`)
}
