import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { type ConsoleWorld, password } from '../console/console-world.ts'
import { openWindow, type Window } from './shared-window.ts'

export type ConsolePage = Window & { close(): Promise<void> }

type Options = { width?: number; cookie?: string }

/** A browser window at the console. Its clock shows the gateway's time, so that "2 minutes ago" means the same. */
export async function openConsole(browser: Browser, world: ConsoleWorld, options: Options = {}): Promise<ConsolePage> {
  const window = await openWindow(browser, options)
  await window.page.clock.setFixedTime(world.clock.now())
  return { ...window, close: () => window.context.close() }
}

/** Opens a page and waits until its content is there. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.evaluate(`(async () => {
    ${whenTrue}
    ${whenThere}
    await whenThere(() => true)
  })()`)
}

/**
 * Goes to another page of the console as its links do, and waits until its content is there. The document stays, and axe
 * in it: a page with axe in both themes takes half the processor time that it takes with `visit`.
 */
export async function follow(page: Page, path: string): Promise<void> {
  // By way of an address without a page: two pages may have the same heading.
  await page.evaluate(`(async () => {
    ${whenTrue}
    ${whenThere}
    const isNowhere = () => document.querySelector('main h2')?.textContent === 'This page does not exist'
    history.pushState(null, '', '/no/such/page')
    await whenTrue(isNowhere)
    history.pushState(null, '', ${JSON.stringify(path)})
    await whenThere(() => !isNowhere())
  })()`)
}

// The page itself sees when it is there: asked for it from here, several times, it takes a quarter more processor time.
const whenTrue = `const whenTrue = (isTrue) => new Promise((resolve, reject) => {
  const end = (settle, reason) => {
    changes.disconnect()
    clearTimeout(deadline)
    settle(reason)
  }
  const look = () => isTrue() && end(resolve)
  const changes = new MutationObserver(look)
  const deadline = setTimeout(() => end(reject, new Error('Not within 30 s: ' + isTrue)), 30_000)
  changes.observe(document, { subtree: true, childList: true, characterData: true })
  look()
})`

/** There, and still when it is drawn: content may be followed at once by more that is loading. */
const whenThere = `const whenThere = async (isArrived) => {
  const isThere = () => isArrived() && document.querySelector('h1') && !document.querySelector('.skeleton')
  do {
    await whenTrue(isThere)
    await new Promise(requestAnimationFrame)
  } while (!isThere())
}`

const require = createRequire(import.meta.url)
/** Half as long as the readable one: it is sent and compiled for every page. */
const { source } = require('axe-core/axe.min.js') as { source: string }

const everyRule = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
const rulesOfColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Rules of WCAG 2.2 AA that the page breaks, each with the element it is about. */
export async function axeViolations(page: Page, runOnly = everyRule): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await addAxe(page)
  // Of the thousands of rules that hold nobody wants to hear: gathering them takes as long as looking.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  const broken = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(document, ${options}).then(({ violations }) => ({ violations }))`,
  )
  return broken.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

/**
 * The page refuses code from outside by its policy; the debugger does not ask it. Told to it directly, what a document
 * before compiled of axe is used again, also by its first look: a quarter less processor time than by `page.evaluate`.
 */
async function addAxe(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Runtime.evaluate', { expression: source })
  await debug.detach()
}

/**
 * The same page in both themes, of a window that is light and has no motion: a colour on its way to another is neither.
 * The themes differ by their colours alone, so in the dark the rules of colours are asked.
 */
export async function axeViolationsInBothThemes(page: Page): Promise<string[]> {
  const light = await axeViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeViolations(page, rulesOfColours)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light.map((violation) => `light ${violation}`), ...dark.map((violation) => `dark ${violation}`)]
}

/** How far the page can be scrolled sideways; 0 is what it should be. */
export async function overflowX(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** The same on the narrowest phone, to which the window is made smaller for a moment. Charts need a few frames for it. */
export async function overflowOnPhone(page: Page): Promise<number> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ ...before, width: 320 })
  const overflow = await page.evaluate<number>(`(async () => {
    const { documentElement: room } = document
    for (let frame = 0; frame < 60 && room.scrollWidth > room.clientWidth; frame++) await new Promise(requestAnimationFrame)
    return room.scrollWidth - room.clientWidth
  })()`)
  await page.setViewportSize(before)
  return overflow
}

export async function fillSetup(page: Page, { name, email }: { name: string; email: string }): Promise<void> {
  await page.getByLabel('Name').fill(name)
  const field = page.getByLabel('Email')
  if (await field.isEditable()) await field.fill(email)
  await page.getByLabel('Password').fill(password)
}
