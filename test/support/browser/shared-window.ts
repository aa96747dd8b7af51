import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { CONTEXT } from './browser.ts'

export type Window = {
  readonly page: Page
  readonly context: BrowserContext
  /** What broke the policy of the page, and errors nobody caught. Empty at the end of every story. */
  readonly faults: string[]
}

const size = { width: 1280, height: 800 }
/** Without motion a page is drawn once, not sixty times a second while it fades in. */
const media = { colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' } as const

const hasMedia = `['color-scheme: light', 'reduced-motion: reduce'].every((one) => matchMedia('(prefers-' + one + ')').matches)
  && matchMedia('(forced-colors: none)').matches`

/** With the cookie of a visitor, who is then signed in. */
export async function openWindow(
  browser: Browser,
  { width = size.width, cookie }: { width?: number; cookie?: string },
): Promise<Window> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ ...CONTEXT, ...media, viewport: { ...size, width }, permissions })
  if (cookie) await takeCookie(context, cookie)
  const page = await context.newPage()
  const faults: string[] = []
  await page.exposeFunction('reportFault', (fault: string) => faults.push(fault))
  await page.addInitScript({ content: reportViolations })
  page.on('pageerror', (error) => faults.push(String(error)))
  return { page, context, faults }
}

// Code for the page stands here as text: the types of this folder know no document.
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  reportFault([event.violatedDirective, event.blockedURI, event.sample].join(' ')))`

/** Signs the window in as a visitor; a session that it had before is left. */
export async function takeCookie(context: BrowserContext, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=', 2)
  const host = { domain: 'localhost', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' as const }
  await context.addCookies([{ name, value, ...host }])
}

/**
 * One window for all tests of a file: a new one takes half a second of processor time, for its process and for compiling
 * the console. A test that steps to its page, as links do, also finds what the console remembers of the last one: its
 * answers and its preferences. One that loads it finds nothing but the history. A test that installs a clock, which
 * stays, opens its own.
 */
export function sharedWindow<Kind extends Window>(openOne: () => Promise<Kind>): () => Promise<Kind> {
  let shared: Kind | undefined
  afterEach(async () => {
    if (!shared) return
    const { page, faults } = shared
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const event of ['request', 'response', 'dialog'] as const) page.removeAllListeners(event)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    // Even to the size and the colours it has, a page is laid out and drawn anew.
    const now = page.viewportSize()
    if (now?.width !== size.width || now.height !== size.height) await page.setViewportSize(size)
    if (!(await page.evaluate(hasMedia))) await page.emulateMedia(media)
    expect(faults.splice(0)).toEqual([])
  })
  return async () => (shared ??= await openOne())
}
