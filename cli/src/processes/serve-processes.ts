import type { AddressInfo } from 'node:net'
import { createAdminApp, createProcessMetrics, mergeMetricPages } from '@postern/server/processes.ts'
import { exitCodes } from '../exit-codes.ts'
import { announceReady, type Serving } from '../output/announce.ts'
import { startOwnSandbox } from '../own-sandbox.ts'
import { untilAskedToStop } from '../signals.ts'
import { createSupervisor, EndedAtStart } from './supervisor.ts'

/** For last writes of a process, after everything that settings allow. */
const closingMs = 30_000

/**
 * Several processes that look like one: this one has the admin listener and the sandbox, and speaks to the operator. It
 * opens no database, so that it stays up when its processes do not.
 */
export async function serveProcesses(serving: Serving): Promise<number> {
  const { config, log } = serving
  const closers: (() => unknown)[] = []
  const asked = untilAskedToStop((reason) => log.info({ reason }, 'stopping'))
  try {
    const sandbox = await startOwnSandbox(config)
    if (sandbox) closers.push(() => sandbox.close())
    const supervisor = createSupervisor({
      count: config.processes,
      sandbox: sandbox?.forService ?? null,
      log,
      stopWithinMs: config.shutdownDelayMs + config.shutdownTimeoutMs + closingMs,
    })
    const own = createProcessMetrics(0)
    const render = async () => mergeMetricPages([await own.render(), ...(await supervisor.metricPages())])
    const admin = createAdminApp(
      { render, contentType: own.contentType },
      { check: supervisor.health },
      config.adminListen,
    )
    closers.push(() => admin.close())
    await admin.listen(config.adminListen)
    closers.push(() => supervisor.stop())
    const { base_url, console_url, firstRun } = await supervisor.start()
    const admin_url = `http://localhost:${(admin.server.address() as AddressInfo).port}`
    announceReady(serving, { base_url, console_url, sandbox_url: sandbox?.forService.url ?? null, admin_url }, firstRun)
    await asked
  } catch (error) {
    if (error instanceof EndedAtStart) return error.exitCode
    throw error
  } finally {
    for (const close of closers.reverse()) await close()
  }
  log.info({}, 'stopped')
  return exitCodes.ok
}
