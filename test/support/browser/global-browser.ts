import type { TestProject } from 'vitest/node'
import { launchBrowserServer } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `connectBrowser` finds the Chromium of the run. */
    browserUrl: string
  }
}

/** One Chromium for all files: each start costs a second of processor time. */
export default async function globalBrowser(project: TestProject): Promise<() => Promise<void>> {
  const server = await launchBrowserServer()
  project.provide('browserUrl', server.wsEndpoint())
  return () => server.close()
}
