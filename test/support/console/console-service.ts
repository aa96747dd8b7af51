import type { Browser } from 'playwright-core'
import { follow, visit } from '../browser/console-browser.ts'
import { openWindow, type Window } from '../browser/shared-window.ts'
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
  startPlatform?: Parameters<typeof aWorld>[2],
): Promise<ConsoleService> {
  const settings = { POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8,localhost', ...env }
  const world = await aWorld(engine, settings, startPlatform)
  const url = world.service.urls.console
  const owner = aVisitor({ url })
  const token = tokenOfLink(world.service.firstRun?.consoleLink ?? '')
  await owner.call('POST', '/setup', { token, name: 'Ana Sousa', email: 'ana@acme.test', password })
  return { ...world, url, owner }
}

export type OpenPage = Window & {
  /** As a link does. The document stays, and with it what the console has read and compiled. */
  go(path: string): Promise<void>
  /** As from the address bar. */
  load(path: string): Promise<void>
}

/** A window that is signed in as the visitor. */
export async function aWindow(
  browser: Browser,
  { url }: Pick<ConsoleService, 'url'>,
  { cookie }: Visitor,
): Promise<OpenPage> {
  const window = await openWindow(browser, { cookie })
  const { page } = window
  const load = (path: string) => visit(page, `${url}${path}`)
  return { ...window, load, go: (path) => (page.url().startsWith(url) ? follow(page, path) : load(path)) }
}
