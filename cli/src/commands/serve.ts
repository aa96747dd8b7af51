import type { Config } from '@postern/server/config/config.ts'
import type { Log } from '@postern/server/observe/log.ts'
import { factsOf } from '@postern/server/store/engine/facts-of.ts'
import { announceFirstRun, keepFirstRun } from '../announce.ts'
import type { Command, Output } from '../command.ts'
import { startControlServer } from '../control/control-server.ts'
import { lockDataFolder } from '../control/data-lock.ts'
import { localToken } from '../control/local-token.ts'
import type { DataCommand } from '../data-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { loadSettings, settingHelp, settingOptions } from '../settings.ts'
import { untilAskedToStop } from '../signals.ts'
import { type Addresses, startScreen } from '../start-screen.ts'

/** `serve` runs the data commands of others while it works, so it is given them. */
export function serveCommand(dataCommands: readonly DataCommand[]): Command {
  return {
    name: 'serve',
    summary: 'Run the gateway: API, console and workers in one process.',
    examples: ['postern serve', 'postern serve --port 9000 --data /var/lib/postern', 'postern serve --port 0 --json'],
    options: settingOptions,
    help: settingHelp,
    async run({ flags, output }) {
      const { config, warnings } = loadSettings(flags)
      const { createLogger } = await import('@postern/server/observe/log.ts')
      const log = createLogger({ level: config.logLevel, format: config.logFormat })
      for (const warning of warnings) log.warn({}, warning)
      await serve({ config, log, output, json: flags.json === true, dataCommands })
      return exitCodes.ok
    },
  }
}

type Serving = {
  config: Config
  log: Log
  output: Output
  json: boolean
  dataCommands: readonly DataCommand[]
}

/** Whatever was started is stopped in reverse order, also when a later step fails. */
async function serve({ config, log, output, json, dataCommands }: Serving): Promise<void> {
  // Loaded only here, so that the other commands do not wait for the whole gateway.
  const [{ startService }, { startOwnSandbox }] = await Promise.all([
    import('@postern/server/service.ts'),
    import('../own-sandbox.ts'),
  ])
  const closers: (() => unknown)[] = []
  // Heard from the beginning: a signal that comes while we start ends us as gracefully as a later one.
  const asked = untilAskedToStop((reason) => log.info({ reason }, 'stopping'))
  try {
    const { shared } = factsOf(config.database)
    if (!shared) closers.push(lockDataFolder(config.dataDir).release)
    const sandbox = await startOwnSandbox(config)
    if (sandbox) closers.push(() => sandbox.close())
    const service = await startService(config, log, { sandbox: sandbox?.forService ?? null })
    closers.push(() => service.stop())
    if (!shared) {
      const verbs = new Map([...dataCommands, localToken].map(({ name, verb }) => [name, verb]))
      const control = await startControlServer(service.rt, verbs)
      closers.push(() => control.close())
    }
    const addresses: Addresses = {
      base_url: service.urls.base,
      console_url: service.urls.console,
      sandbox_url: sandbox?.forService.url ?? null,
      admin_url: service.urls.admin,
    }
    const { firstRun } = service
    if (json) {
      if (firstRun) announceFirstRun(firstRun, output)
      output.result({ event: 'ready', ...addresses }, '')
    } else if (process.stdout.isTTY)
      output.result({}, startScreen({ firstRun, addresses, database: databaseOf(config) }))
    else if (firstRun) keepFirstRun(firstRun, config.dataDir, output)
    // The screen says the same to who sees both.
    if (json || !process.stdout.isTTY || !process.stderr.isTTY) {
      log.info({ ...addresses, database: config.database.kind }, `ready on ${service.urls.base}`)
    }
    await asked
  } finally {
    for (const close of closers.reverse()) await close()
  }
  log.info({}, 'stopped')
}

/** The address of a server stays out of it: it may hold a password. */
function databaseOf({ database, dataDir, masterKey }: Config): string {
  const { shared, title } = factsOf(database)
  if (shared) return title
  return masterKey ? `${title} in ${dataDir}` : `${title} in ${dataDir}; keep a copy of its master.key apart from it`
}
