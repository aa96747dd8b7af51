import { spawnSync } from 'node:child_process'
import { findChromiumPackage } from './browser-package.ts'

/** A program that is there, or a package that has to be unpacked first. */
export type BrowserSource = { executablePath: string } | { packageFolder: string }

export type Machine = {
  named: string | undefined
  installed: readonly string[]
  packageFolder: string | null
  runs(program: string): boolean
}

/** CHROMIUM_PATH, then an installed browser, then the one that npm brings (Linux x64 only); null without any. */
export function findBrowser(machine: Machine = thisMachine()): BrowserSource | null {
  if (machine.named) return { executablePath: machine.named }
  const installed = machine.installed.find((program) => machine.runs(program))
  if (installed) return { executablePath: installed }
  return machine.packageFolder === null ? null : { packageFolder: machine.packageFolder }
}

/** What `npm test` does without a browser: elsewhere than in continuous integration it leaves its stories out. */
export function withoutBrowser({ isCi, isRoot, isDebian }: Record<'isCi' | 'isRoot' | 'isDebian', boolean>) {
  if (!isCi) return 'skip'
  return isRoot && isDebian ? 'install' : 'fail'
}

/** Chromium without windows, tabs and menus: the same pages for a sixth less processor time than Debian's `chromium`. */
export const debianPackage = 'chromium-headless-shell'

export const howToGetOne = `Run "apt-get install -y --no-install-recommends ${debianPackage}", or set CHROMIUM_PATH to a browser.`

function thisMachine(): Machine {
  const hasPackage = process.platform === 'linux' && process.arch === 'x64'
  return {
    named: process.env.CHROMIUM_PATH,
    installed: [
      `/usr/bin/${debianPackage}`,
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/usr/bin/google-chrome-stable',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    packageFolder: hasPackage ? findChromiumPackage() : null,
    // Ubuntu's chromium-browser is a script that only says where to get one.
    runs: (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
  }
}
