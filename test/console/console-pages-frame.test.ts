import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  axeViolations,
  axeViolationsInBothThemes,
  follow,
  openConsole,
  overflowOnPhone,
  visit,
} from '../support/browser/console-browser.ts'
import { connectBrowser } from '../support/browser/shared-browser.ts'
import { sharedWindow, takeCookie } from '../support/browser/shared-window.ts'
import { seedConsole } from '../support/console/console-seed.ts'
import { aMember, anOwner, type ConsoleWorld, startConsole, type Visitor } from '../support/console/console-world.ts'

let browser: Browser
let world: ConsoleWorld
let owner: Visitor

beforeAll(async () => {
  browser = await connectBrowser()
  world = await startConsole()
  owner = await anOwner(world)
  await seedConsole(world.rt, world.accountId, world.ownerId)
})
afterAll(async () => {
  await browser?.close()
  await world?.dispose()
})

const window = sharedWindow(() => openConsole(browser, world))

let signedIn: Visitor | undefined

/** Loads the console for each new visitor; from then on it goes from page to page. */
async function open(path: string, visitor = owner): Promise<Page> {
  const { page, context } = await window()
  if (signedIn === visitor) {
    await follow(page, path)
    return page
  }
  signedIn = visitor
  await takeCookie(context, visitor.cookie)
  await visit(page, `${world.url}${path}`)
  return page
}

const phone = { width: 375, height: 812 }

const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

describe('a gateway whose database is away', () => {
  const error = { code: 'service_unavailable', message: 'The database is not available right now.', retry_after: 900 }
  const refusal = { status: 500, contentType: 'application/json', body: JSON.stringify({ success: false, error }) }

  test('is asked until it answers, by a console that was opened meanwhile', async () => {
    const { page, faults, close } = await openConsole(browser, world, { cookie: owner.cookie })
    await page.clock.install({ time: world.clock.now() })
    await page.route('**/console/api/session', (route) => route.fulfill(refusal))
    await page.goto(`${world.url}/settings/members`)
    await page.getByRole('heading', { name: 'The console could not be loaded' }).waitFor()
    await page.getByText('Try again in 15 minutes.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.unroute('**/console/api/session')
    await page.clock.runFor(5_000)
    await page.getByRole('table', { name: 'Members' }).waitFor()
    await close()
    expect(faults).toEqual([])
  })

  test('does not make a one-time link look spent', async () => {
    const page = await open('/help')
    await page.route('**/console/api/setup/lookup', (route) => route.fulfill(refusal))
    await page.goto(`${world.url}/setup#token=whole`)
    await page.getByText('The link has not been used.').waitFor()
    expect(await page.getByText('This link does not work').count()).toBe(0)
  })
})

describe('ending the session of another person', () => {
  test('says why it could not', async () => {
    await aMember(world, 'developer')
    const page = await open('/settings/security')
    await page.route('**/console/api/sessions/*', (route) => route.abort())
    await page.getByRole('button', { name: /^Sign out The developer/ }).click()
    await page.getByRole('alert').getByText('The gateway did not respond.').waitFor()
    expect(await page.getByRole('button', { name: /^Sign out The developer/ }).count()).toBe(1)
  })
})

describe('the keys', () => {
  test('walk along rows that lead nowhere too, and copy their ids', async () => {
    const page = await open('/api-keys')
    const ids = (await owner.call('GET', '/keys')).json.data.keys.map(({ id }: { id: string }) => id)
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await page.getByText(`Copied ${ids[1]}`).first().waitFor()
    expect(await clipboard(page)).toBe(ids[1])
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())')
    await page.keyboard.press('c')
    // No tick beside bad news.
    await page.locator('.toast[data-icon=alert]').getByText('The browser does not allow copying.').waitFor()
    await page.reload()
  })

  test('that go to a page do nothing else on the way', async () => {
    const page = await open('/logs')
    await page.evaluate("navigator.clipboard.writeText('untouched')")
    await page.keyboard.press('j')
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'Phone numbers', exact: true }).waitFor()
    expect(await clipboard(page)).toBe('untouched')
  })

  test('show the exact time of the row that has the focus', async () => {
    const page = await open('/logs')
    const shown = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('tbody .time'), '::after').display")
    expect(await shown()).toBe('none')
    await page.keyboard.press('j')
    expect(await shown()).toBe('block')
    const exact = (await page.locator('tbody .time').first().getAttribute('data-exact')) ?? ''
    expect(exact).toMatch(/^\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d$/)
  })
})

describe('times', () => {
  test('follow the choice of UTC at once', async () => {
    const page = await open('/logs')
    const exact = () => page.locator('tbody .time').first().getAttribute('data-exact')
    expect(await exact()).not.toContain('UTC')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Times in UTC' }).click()
    expect(await exact()).toMatch(/ UTC$/)
  })
})

describe('the palette', () => {
  test.each([
    ['send a test', 'Send a test message'],
    ['add webhook', 'Add webhook'],
  ])('begins what is typed: %s', async (words, dialog) => {
    const page = await open('/help')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: dialog }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
  })

  test('offers no page of a customer without one, whose address leads to the conversations', async () => {
    const page = await open('/help')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Conversations' }).waitFor()
    expect(await page.getByRole('option', { name: 'Customer Page', exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await visit(page, `${world.url}/customer`)
    await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/conversations')
  })

  test('finds the changelog, which is part of the gateway', async () => {
    const page = await open('/help')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('changelog')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor()
    await page.locator('.changelog li').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    const texts = await page.evaluate<string[]>(`(() => {
      const walk = document.createTreeWalker(document.querySelector('.changelog'), NodeFilter.SHOW_TEXT)
      const found = []
      while (walk.nextNode()) if (walk.currentNode.parentElement.tagName !== 'CODE') found.push(walk.currentNode.data)
      return found
    })()`)
    expect(texts.filter((text) => /[*`]|\]\(/.test(text))).toEqual([])
    await page.setViewportSize(phone)
    const isCut = '[...document.querySelectorAll(".changelog li")].some((item) => item.scrollWidth > item.clientWidth)'
    expect(await page.evaluate(isCut)).toBe(false)
    const { width } = (await page.locator('.changelog ul').first().boundingBox()) ?? { width: 0 }
    expect(width).toBeLessThanOrEqual(phone.width)
  })
})

describe('the first steps', () => {
  test('stay on Home until all are done, and stay folded once a person folded them', async () => {
    const page = await open('/')
    const card = page.getByRole('region', { name: 'Get ready to send' })
    await card.getByRole('button', { name: 'Hide' }).click()
    expect(await card.getByRole('listitem').count()).toBe(0)
    await visit(page, `${world.url}/`)
    await card.getByRole('button', { name: 'Show steps' }).click()
    expect(await card.getByRole('listitem').count()).toBe(5)
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('on a phone', () => {
  test('the way into the sandbox has its words above its button', async () => {
    const page = await open('/setup')
    expect(new URL(page.url()).pathname).toBe('/')
    await page.setViewportSize(phone)
    await follow(page, '/')
    const words = page.getByText('You can try it without any approval')
    expect((await words.boundingBox())?.width).toBeGreaterThan(200)
  })
})

describe('a viewer', () => {
  test('is led nowhere the role may not go', async () => {
    const viewer = await aMember(world, 'viewer')
    const page = await open('/', viewer)
    await page.getByText('Delivered').first().waitFor()
    const main = page.locator('main a')
    const links = await Promise.all((await main.all()).map((link) => link.getAttribute('href')))
    expect(links.filter((to) => to?.startsWith('/messages') || to === '/channel')).toEqual([])
    const progress = page.waitForResponse('**/console/api/progress')
    await visit(page, `${world.url}/`)
    await progress
    await page.getByText('Delivered').first().waitFor()
    expect(await page.getByRole('region', { name: 'Get ready to send' }).count()).toBe(0)
  })
})

describe('data that could not be brought up to date', () => {
  test('stays, with the code and the id of the request that failed', async () => {
    const page = await open('/settings/members')
    const error = {
      code: 'rate_limit_exceeded',
      message: 'Too fast.',
      request_id: 'req_stale',
      retry_after: 7,
    }
    await page.route('**/console/api/members', (route) =>
      route.fulfill({ status: 429, contentType: 'application/json', body: JSON.stringify({ success: false, error }) }),
    )
    await page.getByRole('button', { name: 'Actions for Bruno Dias' }).click()
    await page.getByRole('menuitem', { name: 'Change role' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('Last updated at').waitFor()
    expect(await page.getByText('rate_limit_exceeded').count()).toBe(1)
    expect(await page.getByText('req_stale').count()).toBe(1)
    expect(await page.getByText('Try again in 7 s.').count()).toBe(1)
    expect(await page.getByRole('table', { name: 'Members' }).count()).toBe(1)
  })
})

/** The widest of the guides: tables, code, long addresses. */
const guidePages = ['/docs', '/docs/webhooks', '/docs/go-live']

describe('every page that needs no session', () => {
  test('breaks no rule of axe and not its own policy, and fits into 320 px, in the guides too', async () => {
    const { page, faults, close } = await openConsole(browser, world)
    const wrong: string[] = []
    const pages = [`${world.url}/`, await world.ownerLink(), `${world.url}/setup#token=spent`]
    for (const address of [...pages, ...guidePages.map((path) => `${world.url}${path}`)]) {
      await visit(page, address)
      wrong.push(...(await axeViolationsInBothThemes(page)).map((violation) => `${address} ${violation}`))
      if ((await overflowOnPhone(page)) > 0) wrong.push(`${address} is wider than 320 px`)
    }
    await close()
    expect(wrong).toEqual([])
    expect(faults).toEqual([])
  })

  test('of the guides has a button at each example that copies it, by pointer and by keyboard', async () => {
    const { page, faults, close } = await openConsole(browser, world)
    await visit(page, `${world.url}/docs/sending`)
    // Samples in the other languages are closed until their language is chosen; a closed one has its button with it.
    const examples = page.locator('pre:visible')
    const buttons = page.locator('pre:visible + button:visible')
    const named = page.getByRole('button', { name: /^Copy: / })
    const eachHasItsButton = async () => {
      const counts = [await buttons.count(), await named.count()]
      const count = await examples.count()
      expect(count).toBeGreaterThan(2)
      expect(counts).toEqual([count, count])
    }
    await eachHasItsButton()
    await page.locator('.sample:not([open]) > summary').first().click()
    await eachHasItsButton()
    expect(await page.locator('pre').count()).toBe(await page.locator('pre + button').count())
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    await buttons.nth(1).click()
    await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
    expect(await clipboard()).toBe(await examples.nth(1).textContent())
    await examples.nth(2).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await buttons.nth(2).getByText('Copied').waitFor()
    expect(await clipboard()).toBe(await examples.nth(2).textContent())
    await close()
    expect(faults).toEqual([])
  })
})
