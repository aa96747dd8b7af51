import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { connectBrowser } from '../browser/shared-browser.ts'
import { sharedWindow } from '../browser/shared-window.ts'
import { waitFor } from '../wait-for.ts'
import { aConsoleService, aWindow, type ConsoleService, type OpenPage } from './console-service.ts'

/** The gateway, and windows of its owner, for the tests of a file about pages that follow what happens. */
export function liveConsole() {
  let browser: Browser
  let world: ConsoleService
  beforeAll(async () => {
    browser = await connectBrowser()
    // The database that can be taken away from a running gateway.
    world = await aConsoleService('postgres')
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })
  const openOne = () => aWindow(browser, world, world.owner)
  const window = sharedWindow(async () => {
    const opened = await openOne()
    await opened.page.addInitScript({ content: withoutSafetyNet })
    return opened
  })

  return {
    get world() {
      return world
    },

    /** In a window that shows nothing but what it hears of. */
    async open(path: string): Promise<Page> {
      const { page, go } = await window()
      await go(path)
      return page
    },

    /**
     * One more for all tests of the file. Its clock runs, and a test can move it on; so each loads its page, whose
     * timers are then its own.
     */
    windowWithClock: sharedWindow(async (): Promise<OpenPage> => {
      const opened = await openOne()
      await opened.page.clock.install()
      return opened
    }),

    async sendText(message: string): Promise<void> {
      const { status } = await world.post('/v1/chat/messages/send', { to: world.customer, message })
      expect(status).toBe(200)
    },
  }
}

/** Pages look every half minute whether they heard of something or not. These do not. */
const withoutSafetyNet = `const every = window.setInterval
  window.setInterval = (run, ms, ...rest) => (ms === 30_000 ? 0 : every(run, ms, ...rest))`

export const live = (page: Page) => page.locator('.live-state').first()
export const isLive = (page: Page) => waitFor(async () => (await live(page).textContent()) === 'Live', 10_000)

/** Questions of the page that begin from now on. */
export function questionsOf(page: Page, part: string): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(part)) asked.push(request.url())
  })
  return asked
}
