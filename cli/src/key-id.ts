import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, createSecrets, findMasterKey } from '@postern/server/settings.ts'

/** Of the master key that is set or lies in the folder; none is made here. */
export function keyIdOf(config: Config): string | null {
  const none = !config.masterKey && !existsSync(join(config.dataDir, 'master.key'))
  return none ? null : createSecrets(findMasterKey(config, true).key).keyId
}
