import type { Config } from '@postern/server/config/config.ts'
import type { Runtime } from '@postern/server/runtime.ts'

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
  // Loaded only here: a command that a running server carries out needs no database driver and starts in half the time.
  const [{ createRuntime }, { createLogger }] = await Promise.all([
    import('@postern/server/create-runtime.ts'),
    import('@postern/server/observe/log.ts'),
  ])
  // A command prints results; of the log only what went wrong is of interest.
  const log = createLogger({ level: 'error', format: config.logFormat })
  try {
    return await use(await createRuntime({ ...config, migrate: migrates && config.migrate }, log, closers, { anyKey }))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}
