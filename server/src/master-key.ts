import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

export type MasterKey = { key: Buffer; warning: string | null }

/**
 * The key that everything secret at rest hangs on. In development one is made beside the data, which is convenient and
 * not safe: whoever copies the folder has both. Production must bring its own.
 */
export function findMasterKey(config: Pick<Config, 'masterKey' | 'dataDir'>): MasterKey {
  if (config.masterKey) return { key: config.masterKey, warning: null }
  const file = join(config.dataDir, 'master.key')
  const warning = `No POSTERN_MASTER_KEY is set: secrets are sealed with the key in ${file}. Keep a copy of it apart from the data.`
  const known = readIfThere(file)
  if (known) return { key: known, warning }
  const key = randomBytes(32)
  // `wx`: when two processes start at once, the second reads what the first wrote.
  try {
    writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const theirs = readIfThere(file)
    if (theirs) return { key: theirs, warning }
    throw error
  }
  return { key, warning }
}

function readIfThere(file: string): Buffer | null {
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  } catch {
    return null
  }
}
