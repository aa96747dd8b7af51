import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations, openConsole, overflowX, visit } from '../support/browser/console-browser.ts'
import {
  rowsInDocument,
  rowsInDocumentMax,
  scrollTo,
  scrollUntil,
  shown,
  status,
} from '../support/browser/long-list.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow } from '../support/browser/shared-window.ts'
import { anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'
import { refusedAt, seedRefusals } from '../support/console/size-seed.ts'
import { idAt } from '../support/id-at.ts'
import { waitFor } from '../support/wait-for.ts'

let browser: Browser
let world: ConsoleWorld
let owner: Visitor

beforeAll(async () => {
  world = await startConsole()
  owner = await anOwner(world)
  await seedRefusals(world.rt, world.accountId, rowsInAll)
  browser = await connectBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
})

const window = sharedWindow(() => openConsole(browser, world, { cookie: owner.cookie }))

async function open(path: string): Promise<Page> {
  const { page } = await window()
  await page.clock.setFixedTime(world.clock.now())
  await visit(page, `${world.url}${path}`)
  return page
}

const rowsInAll = 5_000

describe('a table of 5,000 rows', () => {
  test('comes with scrolling, and keeps in the document only what is around the screen', async () => {
    const page = await open('/logs')
    // In a small window on the way, where rows are cards: fewer are drawn for each of the fifty pages.
    await page.setViewportSize({ width: 320, height: 200 })
    await scrollUntil(page, rowsInAll)
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await status(page).textContent()).toContain('5000 in total')
    const table = page.getByRole('table', { name: 'API requests' })
    expect(await table.getAttribute('aria-rowcount')).toBe('5001')
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const wanted = Math.round((rowsInAll - 1) * part)
      // The height follows once the rows of the new width are measured, which a busy machine does later.
      await waitFor(async () => {
        await scrollTo(page, `document.documentElement.scrollHeight * ${part}`)
        return Math.abs((await firstIndexInSight(page)) - wanted) < 40
      })
      expect(await rowsInDocument(page)).toBeLessThan(rowsInDocumentMax)
    }
    expect(await axeViolations(page)).toEqual([])
    const last = page.getByRole('row').last()
    expect(await last.getAttribute('aria-rowindex')).toBe('5001')
    await page.getByRole('button', { name: '‹ Newest' }).click()
    await waitFor(async () => (await shown(page)) === 50)
  }, 150_000)

  test('is walked by keys far beyond the window, and goes on where the person looks', async () => {
    const page = await open('/logs')
    await scrollUntil(page, 250)
    await scrollTo(page, '0')
    await waitFor(async () => (await firstIndexInSight(page)) === 0)
    for (let press = 0; press < 150; press += 1) await page.keyboard.press('j')
    expect(await focusedIndex(page)).toBe(149)
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('k')
    expect(await focusedIndex(page)).toBe(144)
    await page.keyboard.press('c')
    const id = idAt('req', refusedAt(world.clock.now(), 144))
    await waitFor(async () => (await page.evaluate('navigator.clipboard.readText()')) === id)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText(id).waitFor()
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
    const { page } = await window()
    await page.setViewportSize({ width: 320, height: 800 })
    await visit(page, `${world.url}/logs`)
    await scrollUntil(page, 250)
    await scrollTo(page, 'document.documentElement.scrollHeight / 2')
    await waitFor(async () => (await firstIndexInSight(page)) > 60)
    expect(await rowsInDocument(page)).toBeLessThan(rowsInDocumentMax)
    expect(await overflowX(page)).toBe(0)
    expect(await axeViolations(page)).toEqual([])
  }, 60_000)
})

describe('the log of the last hour', () => {
  test('goes on to older rows however long a person reads the first', async () => {
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
