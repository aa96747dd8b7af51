import { mkdirSync } from 'node:fs'
import { createPepper, hasPepper } from './access/installation.ts'
import { createRecipients } from './analytics/count-message.ts'
import type { Config } from './config/config.ts'
import { createMutexByKey, createSingleflight } from './lib/async/with-timeout.ts'
import { type Clock, steadyClock } from './lib/clock.ts'
import { normaliseHost, ownHosts } from './lib/guarded-http/address-guard.ts'
import { createGuardedHttp } from './lib/guarded-http/guarded-http.ts'
import { createIds } from './lib/ids.ts'
import { createMailer } from './lib/mailer.ts'
import { createOidc } from './lib/oidc.ts'
import type { S3Bucket } from './lib/s3/s3-bucket.ts'
import { createSecrets, SealedWithAnotherKey } from './lib/secrets.ts'
import { createWaitingRoom } from './limits/concurrency.ts'
import { createMemoryRateLimiter } from './limits/rate.ts'
import { createSharedRateLimiter } from './limits/rate-shared.ts'
import { createSendRateLimiter } from './limits/send-limits.ts'
import { createConcurrency, createThrottles } from './limits/throttles.ts'
import { findMasterKey, wrongMasterKey } from './master-key.ts'
import type { Log } from './observe/log.ts'
import { measuredPlatform, measuredStore, tracedStore } from './observe/measured-calls.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { startTracing } from './observe/tracing.ts'
import { passwordCost } from './people/passwords.ts'
import { createCloudApi } from './platform/cloud/cloud-api.ts'
import { createPresence } from './presence.ts'
import {
  createKnownRecipients,
  createNumberMemory,
  createOpenChannels,
  createRecentCounts,
  createRelayMemory,
} from './process-memory.ts'
import type { ProcessState, Runtime } from './runtime.ts'
import { StartRefused } from './start-failure.ts'
import { openCopyFact, readFact } from './store/accounts/installation.ts'
import { createCursors } from './store/engine/cursor.ts'
import type { Store } from './store/engine/store.ts'
import { factsOf, openStore } from './store/open-store.ts'
import { commit, version } from './version.ts'

export type RuntimeOptions = {
  /** That of the listener: with port 0 the system chooses it when the listener opens. */
  port?: () => number
  /** Of one of several processes behind one port. */
  processNumber?: number | undefined
  /** Goes on with a key that opens nothing: to say so, or to finish a rotation of the master key that was cut short. */
  anyKey?: boolean
}

/** The tools alone; the command line uses them too when no server is running. */
export async function createRuntime(
  config: Config,
  log: Log,
  closers: (() => Promise<unknown>)[],
  { port = () => config.listen.port, processNumber, anyKey = false }: RuntimeOptions = {},
): Promise<Runtime> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const engine = factsOf(config.database)
  let offsetMs = () => 0
  const clock = steadyClock(() => offsetMs())
  const store = await openStore({
    database: config.database,
    now: clock.now(),
    migrateFirst: config.migrate,
    writeConnections: config.databasePoolWriteMax,
    readConnections: config.databasePoolReadMax,
  })
  closers.push(() => store.close())
  await refuseHalfCopy(store)
  const { key, notice } = findMasterKey(config, await hasPepper(store))
  if (notice && (processNumber ?? 1) === 1) log.info({}, notice)
  offsetMs = store.clockOffsetMs
  const tracer = await startTracing({ endpoint: config.otelEndpoint, serviceName: config.otelServiceName })
  closers.push(() => tracer.stop())
  const metrics = createMetrics({ version, commit }, processNumber)
  const guard = {
    allow: [...config.webhookDevAllow],
    allowLoopback: config.env !== 'production',
    deny: await ownHosts({ urls: [config.baseUrl, config.consoleUrl], databaseUrls: engine.serverUrls() }),
    caFile: config.webhookCaFile,
    egressProxy: config.webhookEgressProxy,
    connectMs: config.webhookConnectTimeoutMs,
  }
  const deliver = createGuardedHttp(guard)
  closers.push(() => deliver.close())
  const deliverRelay =
    config.relayAllow.length === 0
      ? deliver
      : createGuardedHttp({ ...guard, allow: [...guard.allow, ...config.relayAllow] })
  if (deliverRelay !== deliver) closers.push(() => deliverRelay.close())
  const platform = createCloudApi(cloudLimits(config), {
    hosts: config.channelMediaHosts,
    fetchStream: deliver.fetchStream,
  })
  closers.push(() => platform.close())
  const bucket = await openMediaBucket(config, { clock, metrics, closers })
  const secrets = createSecrets(key)
  const tools = { store: tracedStore(measuredStore(store, metrics), tracer, engine.traceName), secrets, clock, metrics }
  const rt: Runtime = {
    config,
    ...tools,
    platform: measuredPlatform(platform, metrics),
    deliver,
    deliverRelay,
    bucket,
    newId: createIds(clock),
    cursors: createCursors(secrets, clock),
    oidc: openOidc(config),
    mailer: openMailer(config, closers),
    log,
    tracer,
    ...createProcessState(tools),
    passwordCost,
    urls: publicUrls(config, port),
  }
  await rt.recipients.loadKey().catch((error: unknown) => {
    if (error instanceof SealedWithAnotherKey && !anyKey) throw new StartRefused(wrongMasterKey)
    // Only sending needs it.
    log.warn({ err: error }, 'recipients.key_not_loaded')
  })
  return rt
}

async function refuseHalfCopy(store: Store): Promise<void> {
  if ((await store.read(readFact, { name: openCopyFact })).length === 0) return
  throw new StartRefused(
    "The copy into this database is not finished: run 'postern copy' again, or choose another database.",
  )
}

function openOidc({ oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret }: Config) {
  return issuer === null || clientId === null ? null : createOidc({ issuer, clientId, clientSecret })
}

function openMailer({ smtpUrl: url, mailFrom: from }: Config, closers: (() => Promise<unknown>)[]) {
  if (url === null || from === null) return null
  const mailer = createMailer({ url, from })
  closers.push(async () => mailer.close())
  return mailer
}

type BucketTools = { clock: Clock; metrics: Metrics; closers: (() => Promise<unknown>)[] }

/** A guard of its own: the address that the operator set may be a private one, and nothing else may. */
export async function openMediaBucket(
  config: Config,
  { clock, metrics, closers }: BucketTools,
): Promise<S3Bucket | null> {
  const { mediaStore, mediaStoreEndpoint: endpoint, mediaStoreAccessKeyId, mediaStoreSecretAccessKey } = config
  if (mediaStore === null) return null
  const [{ AwsV4Signer }, { openBucket }] = await Promise.all([import('aws4fetch'), import('./lib/s3/s3-bucket.ts')])
  const [bucket = '', ...path] = mediaStore.replace(/^s3:\/\//, '').split('/')
  const http = createGuardedHttp({
    allow: endpoint === null ? [] : [normaliseHost(new URL(endpoint).hostname)],
    allowLoopback: false,
  })
  closers.push(() => http.close())
  return openBucket({
    endpoint,
    region: config.mediaStoreRegion,
    bucket,
    prefix: path.join('/'),
    accessKeyId: mediaStoreAccessKeyId ?? '',
    secretAccessKey: mediaStoreSecretAccessKey ?? '',
    http,
    signer: AwsV4Signer,
    now: () => clock.now(),
    onRequest: (operation, outcome, seconds) => metrics.mediaStoreDuration.observe({ operation, outcome }, seconds),
  })
}

function cloudLimits({ channelConnectTimeoutMs, channelTimeoutMs }: Config) {
  const userAgent = `Postern/${version.split('.', 2).join('.')}`
  return { connectMs: channelConnectTimeoutMs, totalMs: channelTimeoutMs, userAgent }
}

function publicUrls({ baseUrl, consoleUrl }: Config, port: () => number): Runtime['urls'] {
  return {
    get base() {
      return baseUrl ?? `http://localhost:${port()}`
    },
    get console() {
      return consoleUrl ?? this.base
    },
  }
}

/** Everything a process keeps in memory between calls. Of several processes on one database each has its own. */
export function createProcessState(tools: Pick<Runtime, 'store' | 'secrets' | 'clock' | 'metrics'>): ProcessState {
  const pepper = createPepper(tools)
  const createLimiter = () => (tools.store.shared ? createSharedRateLimiter(tools) : createMemoryRateLimiter(tools))
  return {
    throttles: createThrottles(),
    concurrency: createConcurrency(),
    singleflight: createSingleflight(),
    mutex: createMutexByKey(),
    openChannels: createOpenChannels(),
    numberMemory: createNumberMemory(tools),
    relayMemory: createRelayMemory(tools),
    knownRecipients: createKnownRecipients(tools.clock),
    sendRate: createSendRateLimiter(tools, createLimiter()),
    sharedRate: createLimiter(),
    recentCounts: createRecentCounts(),
    waitingRoom: createWaitingRoom(tools),
    presence: createPresence(tools),
    pepper,
    recipients: createRecipients(pepper),
  }
}
