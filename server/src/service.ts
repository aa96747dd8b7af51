import { statfs } from 'node:fs/promises'
import type { Server } from 'node:http'
import { type AddressInfo, Server as TcpServer } from 'node:net'
import { installationId } from './access/installation.ts'
import { measureSigningKey } from './access/tokens/token-codec.ts'
import { measureBroadcasts } from './broadcasts/broadcast.ts'
import { measureBudgets } from './budgets/follow-budgets.ts'
import { measureCallbacks } from './channels/callbacks/retry-items.ts'
import { followSandbox, type SandboxPlace } from './channels/follow-sandbox.ts'
import { sandboxConnected, sandboxRequestKind } from './channels/sandbox-number.ts'
import { measureTokenExpiry } from './channels/token.ts'
import type { Config } from './config/config.ts'
import { createRuntime } from './create-runtime.ts'
import { measureFeed, resetForeignFeed } from './events/read-feed.ts'
import { createApp } from './http/app.ts'
import { type Check, createAdminApp } from './http/health.ts'
import { resources } from './http/v1/resources.ts'
import { type FirstRun, firstRun, grantSandbox, type OwnSandbox } from './installation/first-run.ts'
import { startHeartbeat } from './installation/nodes.ts'
import { withTimeout } from './lib/async/with-timeout.ts'
import type { Gate } from './limits/quota.ts'
import { measureBulkheads } from './limits/send-limits.ts'
import { measureBucket, probeBucketAtStart } from './media/blobs/probe-bucket.ts'
import { seedCustomer } from './messages/sandbox-phone.ts'
import { measureUnresolved } from './messages/unknown.ts'
import { measureWaiting } from './messages/waiting/hold-waiting.ts'
import type { Log } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'
import { openSandboxNumber } from './platform/sandbox-control.ts'
import { addSandboxTemplates } from './platform/sandbox-templates.ts'
import { createReadiness } from './readiness.ts'
import type { Runtime } from './runtime.ts'
import { measureQueue } from './webhooks/delivery/sweep-deliveries.ts'
import { callbackHandlers, startCallbackApplier } from './workers/callback-applier.ts'
import { startDeliveryEngine } from './workers/delivery-engine.ts'
import { type JobDefinition, jobDefinitions, makeDays, measureJobs } from './workers/jobs.ts'
import { endClaims, startRunner } from './workers/runner.ts'
import { startSendLanes } from './workers/send-lanes.ts'

export type Service = {
  readonly rt: Runtime
  /** `admin` is null in one of several processes. */
  readonly urls: { base: string; console: string; admin: string | null }
  /** The objects created on the first start; null if the installation already existed. */
  readonly firstRun: FirstRun | null
  /** The health of this process. */
  check(): Promise<Check[]>
  /** Graceful: not ready, wait for load balancers, finish what runs, close everything in reverse order. */
  stop(): Promise<void>
}

/** The sandbox that runs with this gateway: accounts get their first number there. */
export type ServiceSandbox = SandboxPlace & Pick<OwnSandbox, 'firstNumber'>

/** One of several processes behind one port. Admin listener and sandbox belong to the process that started them. */
export type NodePart = {
  readonly number: number
  /** Of all processes: whichever of them is asked answers for all. */
  health(): Promise<Check[]>
}
export type ServiceOptions = { sandbox?: ServiceSandbox | null; part?: NodePart | null }

/** Tools first, then the two edges. Every step that opens something pushes its closing, and closing runs backwards. */
export async function startService(
  config: Config,
  log: Log,
  { sandbox = null, part = null }: ServiceOptions = {},
): Promise<Service> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    let port = config.listen.port
    const rt = await createRuntime(config, log, closers, { port: () => port, processNumber: part?.number })
    await resetForeignFeed(rt)
    await endClaims(rt)
    await makeDays(rt).catch((error: unknown) => rt.log.error({ err: error }, 'days.not_made'))
    const readiness = createReadiness(rt)
    void probeBucketAtStart(rt)
    for (const measure of measures) rt.metrics.onRender(() => measure(rt))
    // A worker has no API; its listener answers for its health.
    const app = await createApp(rt, {
      readiness: part ? { check: part.health } : readiness,
      resources: config.role === 'worker' ? [] : resources,
      installation: await installationId(rt),
    })
    closers.push(() => app.close())
    const admin = part ? null : createAdminApp(rt.metrics, readiness, config.adminListen)
    if (admin) closers.push(() => admin.close())
    await app.listen(config.listen)
    port = (app.server.address() as AddressInfo).port
    await admin?.listen(config.adminListen)
    const first = await firstRun(rt)
    const heartbeat = await startHeartbeat(rt, { port, part: part?.number ?? null })
    closers.push(() => heartbeat.stop())
    const workers = config.role === 'api' ? [] : startWorkers(rt, app.access.gate, sandbox)
    if (sandbox && (part?.number ?? 1) === 1) await settleSandbox(rt, sandbox, first)
    return {
      rt,
      urls: {
        base: rt.urls.base,
        console: rt.urls.console,
        admin: admin && `http://localhost:${(admin.server.address() as AddressInfo).port}`,
      },
      firstRun: first,
      check: readiness.check,
      async stop() {
        readiness.drain()
        endKeptConnections(app.server)
        await waitMs(config.shutdownDelayMs)
        await stopListening(app.server)
        const drained = workers.map((worker) => worker.drain(config.shutdownTimeoutMs))
        // What is not finished by then is cut: the process must end.
        await withTimeout(Promise.all([...drained, app.close()]), config.shutdownTimeoutMs)
        // Half a request, or a download nobody reads, would hold the server open for ever.
        app.server.closeAllConnections()
        for (const close of closers.reverse()) await withTimeout(close(), closerTimeoutMs)
      },
    }
  } catch (error) {
    for (const close of closers.reverse()) await close().catch(() => {})
    throw error
  }
}

/** Gauges that are read where they live, whenever metrics are scraped. */
const measures: readonly ((rt: Runtime) => void | Promise<void>)[] = [
  measureUnresolved,
  measureWaiting,
  measureBroadcasts,
  measureBudgets,
  measureSigningKey,
  measureBulkheads,
  measureCallbacks,
  measureTokenExpiry,
  measureQueue,
  measureJobs,
  measureFeed,
  measureDisk,
  measureBucket,
]

type Worker = { drain(timeoutMs: number): Promise<void> }

function startWorkers(rt: Runtime, gate: Gate, sandbox: ServiceSandbox | null): Worker[] {
  return [
    startRunner(rt, sandbox ? [...jobDefinitions, sandboxJob(sandbox)] : jobDefinitions),
    startDeliveryEngine(rt),
    startCallbackApplier(rt, callbackHandlers),
    startSendLanes(rt, gate),
  ]
}

function sandboxJob(sandbox: ServiceSandbox): JobDefinition {
  const own = { ...sandbox, openNumber: openSandboxNumber, addTemplates: addSandboxTemplates }
  return {
    kind: sandboxRequestKind,
    async run(rt, { subject }) {
      await grantSandbox(rt, subject, own)
      return 'done'
    },
  }
}

const sandboxDeadlineMs = 10_000
/** For a last write that is under way; a database that is gone must not keep the process. */
const closerTimeoutMs = 5_000

/** "Ready" means that a first message can be sent; a sandbox that does not work must not keep the rest from starting. */
async function settleSandbox(rt: Runtime, sandbox: ServiceSandbox, first: FirstRun | null): Promise<void> {
  try {
    // A sandbox opens the window of its first customer at every start, and so do we.
    for (const accountId of await followSandbox(rt, sandbox)) await seedCustomer(rt, accountId)
    if (first && !(await sandboxConnected(rt, first.accountId, sandboxDeadlineMs)))
      rt.log.warn({ account_id: first.accountId }, 'sandbox.not_connected_yet')
  } catch (error) {
    rt.log.warn({ err: error }, 'sandbox.not_settled')
  }
}

/** From now on every answer is the last on its connection: one that is closed while idle may meet the next request. */
function endKeptConnections(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
}

/**
 * Connections that wait to be accepted, or whose request waits to be read, are reset when they are closed, which a client
 * cannot tell from a lost answer. Right after a poll for events none waits.
 */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      // Leaves connections open, which the close of an HTTP server does not.
      TcpServer.prototype.close.call(server)
      server.closeIdleConnections()
      resolve()
    })
  })
}

function waitMs(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve()
}

/** For the operator's gauges: what is left for us, which is less than what is free for root. */
export async function measureDisk({ config, metrics }: { config: Config; metrics: Metrics }): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  metrics.diskFree.set({}, bavail * bsize)
  metrics.diskSize.set({}, blocks * bsize)
}
