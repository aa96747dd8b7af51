import cluster from 'node:cluster'
import { factsOf } from '@postern/server/database.ts'
import { openLog, startGateway } from '@postern/server/gateway.ts'
import type { Command, Host } from '../command.ts'
import { startControlServer } from '../control/control-server.ts'
import { lockDataFolder } from '../control/data-lock.ts'
import { localToken } from '../control/local-token.ts'
import { servedAtVerb } from '../control/served-at.ts'
import type { DataCommand } from '../data-command.ts'
import { exitCodes, wrongUsage } from '../exit-codes.ts'
import { strayBaseUrl, withFlag } from '../listeners.ts'
import { announceReady, type Serving } from '../output/announce.ts'
import { noWords } from '../read-flags.ts'
import { loadSettings, settingOptions } from '../settings.ts'
import { untilAskedToStop } from '../signals.ts'

/** `serve` runs the data commands of others while it works, so it is given them. */
export function serveCommand(dataCommands: readonly DataCommand[]): Command {
  return {
    name: 'serve',
    summary: 'Run the gateway: API, console and workers.',
    examples: [
      'postern serve',
      'postern serve --port 9000 --data /var/lib/postern',
      'postern serve --processes auto',
      'postern serve --port 0 --json',
    ],
    options: settingOptions,
    async run({ flags, positionals, output, host }) {
      refuseWords(positionals)
      const { config, warnings } = loadSettings(flags, host)
      const log = await openLog(config)
      const named = (error: unknown): never => {
        throw withFlag(config, error)
      }
      if (cluster.isWorker) {
        const { servePart } = await import('../processes/serve-part.ts')
        await servePart(config, log).catch(named)
        return exitCodes.ok
      }
      for (const warning of warnings) log.warn({}, warning)
      const stray = strayBaseUrl(config)
      if (stray !== null) log.warn({}, stray)
      const serving = { config, log, output, json: flags.json === true }
      if (config.processes > 1) {
        const { serveProcesses } = await import('../processes/serve-processes.ts')
        return serveProcesses(serving).catch(named)
      }
      await serve(serving, dataCommands, host).catch(named)
      return exitCodes.ok
    },
  }
}

/** `npm start --port 9000` gives the flag to npm, and only its value to this command. */
function refuseWords(words: readonly string[]): void {
  if (/^\d+$/.test(words[0] ?? '')) {
    throw wrongUsage(
      `Give the port as --port ${words[0]}; after npm start with two dashes before it: npm start -- --port ${words[0]}`,
    )
  }
  noWords(words)
}

/** Whatever was started is stopped in reverse order, also when a later step fails. */
async function serve(serving: Serving, dataCommands: readonly DataCommand[], host: Host): Promise<void> {
  const { config, log } = serving
  // Loaded only here, so that the other commands do not wait for it.
  const { startOwnSandbox } = await import('../own-sandbox.ts')
  const closers: (() => unknown)[] = []
  // Heard from the beginning: a signal that comes while we start ends us as gracefully as a later one.
  const asked = untilAskedToStop((reason) => log.info({ reason }, 'stopping'), host)
  try {
    const { shared } = factsOf(config.database)
    if (!shared) closers.push(lockDataFolder(config.dataDir).release)
    const sandbox = await startOwnSandbox(config)
    if (sandbox) closers.push(() => sandbox.close())
    const service = await startGateway(config, log, { sandbox: sandbox?.forService ?? null })
    closers.push(() => service.stop())
    if (!shared) {
      const verbs = new Map([...dataCommands, localToken, servedAtVerb].map(({ name, verb }) => [name, verb]))
      const control = await startControlServer(service.rt, verbs)
      closers.push(() => control.close())
    }
    const { base, console, admin } = service.urls
    const addresses = { base_url: base, console_url: console, admin_url: admin }
    announceReady(serving, { ...addresses, sandbox_url: sandbox?.forService.url ?? null }, service.firstRun)
    await asked
  } finally {
    for (const close of closers.reverse()) await close()
  }
  log.info({}, 'stopped')
}
