import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import { launchBrowser } from './browser.ts'

let running: Promise<Browser> | undefined

/**
 * The Chromium of this worker; it ends with the worker. One for all workers would save their starts, half a second of
 * processor time each, but then every message goes through one more process: 2 s for a file of 18 tests. Closing it
 * closes the windows and leaves the program to the next file. Open pages in `browser.newContext(CONTEXT)`.
 */
export async function connectBrowser(): Promise<Browser> {
  running ??= launchBrowser(inject('browserProgram'))
  const browser = await running
  const close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())))
  return new Proxy(browser, { get: (target, name) => (name === 'close' ? close : Reflect.get(target, name)) })
}
