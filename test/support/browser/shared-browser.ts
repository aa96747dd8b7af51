import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

/**
 * The Chromium of the run. Closing it closes the windows opened through this connection and leaves the program to the
 * other files. Open pages in `browser.newContext(CONTEXT)`.
 */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('browserUrl'))
}
