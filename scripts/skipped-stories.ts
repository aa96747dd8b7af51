import type { Reporter } from 'vitest/node'
import { howToGetOne } from '../test/support/browser/find-browser.ts'

/** The last line of a run on a machine without a browser. In continuous integration leaving tests out is a failure. */
export class SkippedStories implements Reporter {
  readonly #files: readonly string[]

  constructor(files: readonly string[]) {
    this.#files = files
  }

  onTestRunEnd(): void {
    if (this.#files.length === 0) return
    const text = `NO BROWSER: ${this.#files.length} test files were left out. ${howToGetOne}`
    process.stdout.write(`\n\x1b[1;33m${text}\x1b[0m\n`)
    if (process.env.CI === 'true') process.exitCode = 1
  }
}
