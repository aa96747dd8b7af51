import type { Config } from '../config/config.ts'
import type { Log } from '../observe/log.ts'
import type { Runtime } from '../runtime.ts'
import type { Service, ServiceOptions } from '../service.ts'

/**
 * The gateway itself. Nothing of it is loaded before it is called: a command that a running server carries out needs no
 * database driver and starts in half the time.
 */
export type { Check } from '../http/health.ts'
export type { FirstRun } from '../installation/first-run.ts'
export type { Log } from '../observe/log.ts'
export type { Runtime } from '../runtime.ts'
export type { Service, ServiceSandbox } from '../service.ts'

export async function openLog({
  logLevel: level,
  logFormat: format,
}: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Log> {
  const { createLogger } = await import('../observe/log.ts')
  return createLogger({ level, format })
}

export async function startGateway(config: Config, log: Log, options: ServiceOptions): Promise<Service> {
  const { startService } = await import('../service.ts')
  return startService(config, log, options)
}

type Options = {
  /** Brings the schema to that of this program, as a start does. Others would upgrade a database while the version before runs on it. */
  migrates?: boolean
  anyKey?: boolean
}

/** The tools of the gateway for one command: opened, used, closed. Other processes see the changes by their epochs. */
export async function withRuntime<T>(
  config: Config,
  use: (rt: Runtime) => Promise<T>,
  { migrates = false, anyKey = false }: Options = {},
): Promise<T> {
  const closers: (() => Promise<unknown>)[] = []
  const { createRuntime } = await import('../create-runtime.ts')
  // A command prints results; of the log only what went wrong is of interest.
  const log = await openLog({ ...config, logLevel: 'error' })
  try {
    return await use(await createRuntime({ ...config, migrate: migrates && config.migrate }, log, closers, { anyKey }))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** The OpenAPI document as a server with this runtime returns it. */
export async function openApiDocument(rt: Runtime): Promise<object> {
  const [{ createApp }, { documentOf }, { resources }] = await Promise.all([
    import('../http/app.ts'),
    import('../http/openapi.ts'),
    import('../http/v1/resources.ts'),
  ])
  const app = await createApp(rt, { readiness: { check: async () => [] }, resources })
  try {
    await app.ready()
    return documentOf(app, '/v1/')
  } finally {
    await app.close()
  }
}
