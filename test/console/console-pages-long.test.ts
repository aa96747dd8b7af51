import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertRequests } from '../../server/src/store/accounts/request-log.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { axeViolations, openConsole, overflowX, visit } from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow } from '../support/browser/shared-window.ts'
import { anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'
import { seedSizes } from '../support/console/size-seed.ts'
import { waitFor } from '../support/wait-for.ts'

const rowsInAll = 5_000
const rowsInDocumentMax = 150

let browser: Browser
let world: ConsoleWorld
let owner: Visitor

beforeAll(async () => {
  world = await startConsole()
  owner = await anOwner(world)
  await seedRefusals()
  await seedSizes(world.rt, world.accountId)
  browser = await connectBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
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
    path: null,
    answer: null,
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

const window = sharedWindow(() => openConsole(browser, world, { cookie: owner.cookie }))

async function open(path: string): Promise<Page> {
  const { page } = await window()
  await page.clock.setFixedTime(world.clock.now())
  await visit(page, `${world.url}${path}`)
  return page
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

const busyPages = [
  '/',
  '/conversations',
  '/conversations?customer=%2B351910000001',
  '/customer?customer=%2B351910000001',
  '/messages',
  '/templates',
  `/templates/tpl_${'0'.repeat(26)}`,
  '/webhooks',
  `/webhooks/whk_${'0'.repeat(26)}`,
  '/api-keys',
  '/settings/audit',
  '/help',
  '/help/api',
  '/help/events',
]
/** 640 px are what is left of 1,280 at 200 %. */
const widths = [320, 375, 640, 768, 1_280, 1_920]

describe('an account with 10,000 messages, 300 templates, 20 long addresses and names of every kind', () => {
  test('nothing overflows, and nothing that can be pressed lies outside or under something else', async () => {
    const page = await open('/')
    // A sidebar on its way out covers what is below it, for a moment.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const wrong: string[] = []
    for (const path of busyPages) {
      await visit(page, `${world.url}${path}`)
      for (const width of path.startsWith('/help') ? [320, 1_280] : widths) {
        await page.setViewportSize({ width, height: 800 })
        for (const fault of await page.evaluate<string[]>(layoutFaults)) wrong.push(`${path} at ${width}: ${fault}`)
      }
    }
    expect(wrong).toEqual([])
  }, 90_000)

  test('everything is still there in forced colours', async () => {
    const page = await open('/messages')
    await page.emulateMedia({ forcedColors: 'active' })
    for (const path of ['/messages', '/webhooks', '/conversations']) {
      await visit(page, `${world.url}${path}`)
      expect(await page.evaluate<string[]>(layoutFaults), path).toEqual([])
    }
    const border = `getComputedStyle(document.querySelector('main .button')).borderTopWidth`
    expect(await page.evaluate(border)).toBe('1px')
  })

  test('lists stay short in the document, and are pressed where they are seen', async () => {
    const page = await open('/messages?direction=inbound')
    await page.getByRole('row').nth(10).waitFor()
    await scrollUntil(page, 300)
    expect(await rowsInDocument(page)).toBeLessThan(rowsInDocumentMax)
    const row = page.locator('tbody tr[data-row-id]').nth(20)
    await row.scrollIntoViewIfNeeded()
    const box = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await page.getByRole('heading', { level: 1, name: /^Message from/ }).waitFor()
    await visit(page, `${world.url}/templates`)
    expect(await rowsInDocument(page)).toBeLessThan(rowsInDocumentMax)
  })

  test('a name that would turn the page around is read as it is spelled', async () => {
    const page = await open('/conversations')
    await page.getByText('Mallorymoc.live').first().waitFor()
    expect(await page.evaluate<boolean>(`document.body.innerText.includes('\\u202E')`)).toBe(false)
  })
})

/** What is wider than the page, and controls in sight whose middle belongs to something else. */
const layoutFaults = `(() => {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) faults.push('the page is ' + (root.scrollWidth - root.clientWidth) + ' px too wide')
  for (const room of document.querySelectorAll('.table-room, .card, .table-box'))
    if (room.scrollWidth > room.clientWidth + 1 && getComputedStyle(room).overflowX !== 'auto')
      faults.push((room.getAttribute('aria-label') || room.className) + ' is ' + (room.scrollWidth - room.clientWidth) + ' px too wide')
  for (const control of document.querySelectorAll('main :is(button, a, input, select, textarea)')) {
    const box = control.getBoundingClientRect()
    const x = box.left + box.width / 2, y = box.top + box.height / 2
    if (box.width === 0 || y < 60 || y > innerHeight - 4 || !control.checkVisibility({ visibilityProperty: true })) continue
    if (control.closest('.visually-hidden, .docs, [hidden]') || control.matches('.visually-hidden')) continue
    if (control.getClientRects().length > 1) continue
    // What a box scrolls out of sight is reached by scrolling it.
    let room = control.parentElement
    while (room && room.scrollWidth <= room.clientWidth && room.scrollHeight <= room.clientHeight) room = room.parentElement
    const seen = room && room !== document.body && room !== root ? room.getBoundingClientRect() : null
    if (seen && (x < seen.left || x > seen.right || y < seen.top || y > seen.bottom)) continue
    if (x < 0 || x > innerWidth) { faults.push('outside: ' + control.outerHTML.slice(0, 120)); continue }
    const top = document.elementFromPoint(x, y)
    const reached = top && (control.contains(top) || top.contains(control) || top.closest('label')?.contains(control))
    if (!reached && !control.closest('tr, li')) faults.push('covered: ' + control.outerHTML.slice(0, 120))
  }
  return faults
})()`

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
