import { type Browser, type BrowserServer, chromium } from 'playwright-core'
import { unpackChromium } from './browser-package.ts'
import { findBrowser, howToGetOne } from './find-browser.ts'

export type BrowserProgram = { executablePath: string; env?: NodeJS.ProcessEnv }

/** Starts a Chromium of one's own; tests share one, see `shared-browser.ts`. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await launchOptions())
}

/** Starts a Chromium that other processes connect to. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' })
}

/** For `browser.newContext`: without a locale of its own the page sees `en-US@posix`, on which Intl throws. */
export const CONTEXT = { locale: 'en-US', timezoneId: 'UTC' } as const

const LOCALE = { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' }

async function launchOptions() {
  const source = findBrowser()
  if (!source) throw new Error(`There is no browser. ${howToGetOne}`)
  const program: BrowserProgram = 'packageFolder' in source ? await unpackChromium(source.packageFolder) : source
  return {
    executablePath: program.executablePath,
    env: definedOnly({ ...process.env, ...LOCALE, ...program.env }),
    headless: true,
    // Root and most containers cannot have the sandbox, and the tests open no pages but their own.
    chromiumSandbox: false,
    args: ['--disable-quic'],
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
