import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations, follow, openConsole, visit } from '../support/browser/console-browser.ts'
import { rowsInDocument, rowsInDocumentMax, scrollUntil } from '../support/browser/long-list.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow } from '../support/browser/shared-window.ts'
import { anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'
import { seedRefusals, seedSizes } from '../support/console/size-seed.ts'

let browser: Browser
let world: ConsoleWorld
let owner: Visitor

beforeAll(async () => {
  world = await startConsole()
  owner = await anOwner(world)
  await seedRefusals(world.rt, world.accountId, 5_000)
  await seedSizes(world.rt, world.accountId)
  browser = await connectBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
})

const window = sharedWindow(() => openConsole(browser, world, { cookie: owner.cookie }))

async function open(path: string): Promise<Page> {
  const { page } = await window()
  await visit(page, `${world.url}${path}`)
  return page
}

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
    const wrong: string[] = []
    for (const path of busyPages) {
      await follow(page, path)
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
      await follow(page, path)
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
    // A name and a number are one line.
    const heights = `[...new Set([...document.querySelectorAll('tbody tr[data-row-id]')].map((one) => one.offsetHeight))]`
    expect(await page.evaluate(heights)).toEqual([40])
    const row = page.locator('tbody tr[data-row-id]').nth(20)
    await row.scrollIntoViewIfNeeded()
    const box = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await page.getByRole('heading', { level: 1, name: /^Message from/ }).waitFor()
    await follow(page, '/templates')
    expect(await rowsInDocument(page)).toBeLessThan(rowsInDocumentMax)
  })

  test('so does the inbox: to its end by wheel, back by keys, and to the same customer on a phone', async () => {
    const page = await open('/conversations')
    const rows = page.locator('.inbox-rows > [data-row-id]')
    const last = page.locator('[aria-posinset="200"]')
    await rows.first().hover()
    while ((await last.count()) === 0) {
      await page.mouse.wheel(0, 800)
      expect(await rows.count()).toBeLessThan(60)
      await page.evaluate('new Promise(requestAnimationFrame)')
    }
    await last.getByRole('link').focus()
    for (let pressed = 0; pressed < 80; pressed++) await page.keyboard.press('k')
    await page.locator('[aria-posinset="120"] > a:focus').waitFor()
    expect(await rows.count()).toBeLessThan(60)
    expect(await axeViolations(page)).toEqual([])

    await page.setViewportSize({ width: 375, height: 800 })
    await page.mouse.wheel(0, 8_000)
    await page.locator('[aria-posinset="130"] > a').press('Enter')
    await page.getByRole('textbox', { name: 'Reply' }).waitFor()
    await page.goBack()
    await page.locator('[aria-posinset="130"] > a:focus').waitFor()
    await page.locator('[aria-posinset="130"] > a:focus').click({ trial: true })
  }, 60_000)

  test('the palette has eight customers at most, each with the number and the words that were found', async () => {
    const page = await open('/')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('is it on its')
    const customers = page.getByRole('option', { name: /Customer$/ })
    await customers.first().waitFor()
    expect(await customers.count()).toBeLessThanOrEqual(8)
    expect(await customers.first().locator('bdi').allTextContents()).toEqual([
      expect.stringMatching(/^\+35191\d{7}$/),
      'Is it on its way?',
    ])
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
