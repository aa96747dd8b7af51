import type { Browser, BrowserContext, Page } from 'playwright-core'
import { CONTEXT } from '../browser/browser.ts'
import type { EngineName } from '../postgres/databases.ts'
import { tokenOfLink } from '../setup-link.ts'
import { aWorld, type World } from '../world.ts'
import { aVisitor, password, type Visitor } from './console-world.ts'

export type ConsoleService = World & {
  /** Where browsers reach it: they take the cookie from localhost only. */
  readonly url: string
  readonly owner: Visitor
}

/** The whole gateway with its sandbox and workers, and an owner who is signed in. Time runs. */
export async function aConsoleService(
  engine: EngineName = 'sqlite',
  env: Record<string, string> = {},
): Promise<ConsoleService> {
  const world = await aWorld(engine, { POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8,localhost', ...env })
  const url = world.service.urls.console
  const owner = aVisitor({ url })
  const token = tokenOfLink(world.service.firstRun?.consoleLink ?? '')
  await owner.call('POST', '/setup', { token, name: 'Ana Sousa', email: 'ana@acme.test', password })
  return { ...world, url, owner }
}

export type OpenPage = { page: Page; context: BrowserContext; faults: string[]; go(path: string): Promise<void> }
type Look = { width?: number; colorScheme?: 'light' | 'dark' }

/** A window that is signed in as the visitor. `faults` gathers errors of the page and what its policy forbade. */
export async function aWindow(
  browser: Browser,
  { url }: Pick<ConsoleService, 'url'>,
  visitor: Visitor,
  { width = 1280, colorScheme = 'light' }: Look = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    ...CONTEXT,
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const [name = '', value = ''] = visitor.cookie.split('=', 2)
  await context.addCookies([
    { name, value, domain: 'localhost', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' },
  ])
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.exposeFunction('reportFault', (fault: string) => faults.push(fault))
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      reportFault(violatedDirective + ' ' + blockedURI))`,
  })
  return {
    page,
    context,
    faults,
    async go(path) {
      await page.goto(`${url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    },
  }
}
