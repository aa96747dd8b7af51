import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { createRuntime } from './create-runtime.ts'
import { createAdminApp } from './http/admin.ts'
import { createApp } from './http/app.ts'
import { resources } from './http/resources.ts'
import type { Log } from './log.ts'
import { createReadiness } from './readiness.ts'
import type { Runtime } from './runtime.ts'
import { jobDefinitions } from './workers/jobs.ts'
import { startRunner } from './workers/runner.ts'

export type Service = {
  readonly rt: Runtime
  readonly urls: { base: string; console: string; admin: string }
  /** Graceful: not ready, wait for load balancers, finish what runs, close everything in reverse order. */
  stop(): Promise<void>
}

/** Tools first, then the two edges. Every step that opens something pushes its closing, and closing runs backwards. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const rt = await createRuntime(config, log, closers)
    const readiness = createReadiness(rt)
    const app = await createApp(rt, { readiness, resources })
    closers.push(() => app.close())
    const admin = createAdminApp(rt, readiness)
    closers.push(() => admin.close())
    await app.listen(config.listen)
    await admin.listen(config.adminListen)
    const port = (app.server.address() as AddressInfo).port
    rt.urls.base = config.baseUrl ?? `http://localhost:${port}`
    rt.urls.console = config.consoleUrl ?? rt.urls.base
    const runner = config.role === 'api' ? null : startRunner(rt, jobDefinitions)
    return {
      rt,
      urls: { ...rt.urls, admin: `http://localhost:${(admin.server.address() as AddressInfo).port}` },
      async stop() {
        readiness.drain()
        await waitMs(config.shutdownDelayMs)
        await Promise.all([runner?.drain(config.shutdownTimeoutMs), within(app.close(), config.shutdownTimeoutMs)])
        for (const close of closers.reverse()) await close()
      },
    }
  } catch (error) {
    for (const close of closers.reverse()) await close().catch(() => {})
    throw error
  }
}

function waitMs(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve()
}

/** What is not finished by then is cut: the process must end. */
function within(work: Promise<unknown>, timeoutMs: number): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())])
}
