import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@postern/server/config/config.ts'
import { createSecrets } from '@postern/server/lib/secrets.ts'
import { findMasterKey } from '@postern/server/master-key.ts'

/** Of the master key that is set or lies in the folder; none is made here. */
export function keyIdOf(config: Config): string | null {
  const none = !config.masterKey && !existsSync(join(config.dataDir, 'master.key'))
  return none ? null : createSecrets(findMasterKey(config, true).key).keyId
}
