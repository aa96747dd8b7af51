import { resolve } from 'node:path'
import { factsOf, refuseMoved } from '@postern/server/database.ts'
import type { Config } from '@postern/server/settings.ts'
import type { Flags, Host } from './command.ts'
import { isServed } from './control/data-lock.ts'
import { notFound } from './exit-codes.ts'
import { loadSettings } from './settings.ts'

const dataDirDefault = './data'

/**
 * The settings of a command that works with data. Without --data, and with nothing in the folder the settings name, a
 * server that runs on the default folder is what was meant.
 */
export function settingsForData(flags: Flags, host: Host): Config {
  // Only these two are settings here: a command's own flags may be called like one.
  const { config } = loadSettings({ data: flags.data, config: flags.config }, host)
  if (flags.data !== undefined || factsOf(config.database).hasData()) return config
  const usual = loadSettings({ data: dataDirDefault, config: flags.config }, host).config
  return isServed(usual) ? usual : config
}

/** Of a command that works with what is used now. */
export function requireData(config: Config): void {
  requireAnyData(config)
  refuseMoved(config.database)
}

/** Only a command that is asked to make data makes any; the others say where they looked. */
export function requireAnyData(config: Config): void {
  if (factsOf(config.database).hasData()) return
  throw notFound(
    `There is no data in ${resolve(config.dataDir)}, and no server uses it. Set the folder with --data or POSTERN_DATA_DIR, or POSTERN_DATABASE_URL if they are in PostgreSQL, or start the gateway with 'postern serve'.`,
  )
}

/**
 * What a command in another terminal needs to find these data: ` --data <folder>`, ready for a shell, or nothing for the
 * usual folder and for a database server.
 */
export function dataFlag({ database, dataDir }: Config): string {
  const folder = resolve(dataDir)
  if (factsOf(database).shared || folder === resolve(dataDirDefault)) return ''
  return ` --data ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}`
}

/** For people who did not name the folder. */
export function dataNote({ database, dataDir }: Config): string {
  const { shared, title } = factsOf(database)
  return shared ? `Data: ${title}, POSTERN_DATABASE_URL.` : `Data: ${resolve(dataDir)}`
}
