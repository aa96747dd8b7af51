import { createLogger } from '@postern/server/log.ts'
import { startService } from '@postern/server/service.ts'
import { type Command, exitCodes } from '../command.ts'
import { lockDataFolder } from '../data-lock.ts'
import { loadSettings, settingHelp, settingOptions } from '../settings.ts'
import { untilAskedToStop } from '../signals.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Run the gateway: API, console and workers in one process.',
  examples: ['postern serve', 'postern serve --port 9000 --data /var/lib/postern', 'postern serve --port 0 --json'],
  options: settingOptions,
  help: settingHelp,
  async run({ flags, output }) {
    const { config, warnings } = loadSettings(flags)
    const log = createLogger({ level: config.logLevel, format: config.logFormat })
    for (const warning of warnings) log.warn({}, warning)
    const lock = config.database.kind === 'sqlite' ? lockDataFolder(config.dataDir) : null
    try {
      const service = await startService(config, log)
      const ready = { base_url: service.urls.base, console_url: service.urls.console, admin_url: service.urls.admin }
      if (flags.json === true) output.result({ event: 'ready', ...ready }, '')
      log.info({ ...ready, database: config.database.kind }, `ready on ${service.urls.base}`)
      await untilAskedToStop((reason) => log.info({ reason }, 'stopping'))
      await service.stop()
      log.info({}, 'stopped')
      return exitCodes.ok
    } finally {
      lock?.release()
    }
  },
}
