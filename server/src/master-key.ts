import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config/config.ts'
import { parseMasterKey } from './config/config-kinds.ts'
import { keepPrivate } from './lib/private-file.ts'

export type MasterKey = { key: Buffer; notice: string | null }

/**
 * The key that everything secret at rest hangs on. In development one is made beside the data, which is convenient and
 * not safe: a copy of the folder has both. Production must bring its own. Where secrets are stored already, another key would
 * open nothing, and none is made.
 */
export function findMasterKey(config: Pick<Config, 'masterKey' | 'dataDir'>, hasSecrets: boolean): MasterKey {
  if (config.masterKey) return { key: config.masterKey, notice: null }
  const file = join(config.dataDir, 'master.key')
  const notice = `No POSTERN_MASTER_KEY is set: secrets are encrypted with the key in ${file}. Store a copy of it separately from the data.`
  const found = readKey(file)
  if (!found && hasSecrets) throw new ConfigError([missingMasterKey(file)])
  return { key: found ?? makeKey(file), notice }
}

export const missingMasterKey = (file: string): string =>
  `There is a database, but no key: put ${file} back, or set POSTERN_MASTER_KEY. Without the key, stored secrets cannot be decrypted.`

export const wrongMasterKey =
  'This key cannot decrypt the stored secrets: set the master key that was used to create this data.'

/** Null: there is no such file. One that holds no key is never replaced: what it sealed would be lost. */
function readKey(file: string): Buffer | null {
  keepPrivate(file)
  const text = readIfThere(file)
  if (text === null) return null
  const key = parseMasterKey(text.trim())
  if (key) return key
  throw new ConfigError([
    `${file} is damaged: it must contain a key of 64 hexadecimal characters. Put your copy of it back; without it, the stored secrets cannot be decrypted.`,
  ])
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * The file appears whole, and on disk, or not at all: a machine that stops in between leaves no half a key. When two
 * processes start at once, the second takes what the first made.
 */
function makeKey(file: string): Buffer {
  const key = randomBytes(32)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, file)
    return key
  } catch (error) {
    const theirs = readKey(file)
    if (theirs) return theirs
    throw error
  } finally {
    rmSync(draft)
  }
}
