import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf } from '@postern/server/database.ts'
import { type Config, missingMasterKey } from '@postern/server/settings.ts'
import { type Finding, found, problem, warning } from './finding.ts'

const freeBytesMin = 100_000_000
const freeBytesFew = 1_000_000_000

export function checkFolder({ dataDir, database }: Config): Finding {
  const check = 'data folder'
  if (!existsSync(dataDir) && factsOf(database).shared)
    return found(check, `${dataDir} will be created at the first start`)
  if (!existsSync(dataDir)) {
    const elsewhere = 'If the data is elsewhere, set its folder with --data.'
    return warning(check, `${dataDir} does not exist: the first start of the gateway creates it. ${elsewhere}`)
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return problem(
      check,
      `${dataDir} is not writable for this user: change its owner, or choose another folder with --data.`,
    )
  }
  const open = (statSync(dataDir).mode & 0o077) !== 0
  return open ? warning(check, `Other users can read ${dataDir}: run chmod 700 on it.`) : found(check, dataDir)
}

/** With a nearly full disk everything works, until nothing does. */
export function checkDisk({ dataDir }: Config): Finding[] {
  if (!existsSync(dataDir)) return []
  const { bavail, bsize } = statfsSync(dataDir)
  const freeBytes = bavail * bsize
  const detail = `${(freeBytes / 1_000_000_000).toFixed(1)} GB free`
  if (freeBytes < freeBytesMin) return [problem('disk', `${detail}: free up space, or sends will soon be rejected.`)]
  if (freeBytes < freeBytesFew) return [warning('disk', `${detail}: free up space soon.`)]
  return [found('disk', detail)]
}

/** Before anything opens the data: without its key nothing starts on them. */
export function checkMasterKeyFile({ masterKey, dataDir, database }: Config): Finding[] {
  const file = join(dataDir, 'master.key')
  if (masterKey || existsSync(file) || !factsOf(database).hasData()) return []
  return [problem('master key', missingMasterKey(file))]
}
