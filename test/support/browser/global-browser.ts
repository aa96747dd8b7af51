import type { TestProject } from 'vitest/node'
import { type BrowserProgram, browserProgram } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    browserProgram: BrowserProgram
  }
}

/** Unpacks the browser before the workers start it. */
export default async function globalBrowser(project: TestProject): Promise<void> {
  project.provide('browserProgram', await browserProgram())
}
