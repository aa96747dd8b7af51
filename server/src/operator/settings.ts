/** Settings, what stops a start, and the master key, before anything is opened. */
export {
  type Config,
  ConfigError,
  describeConfig,
  type LoadedConfig,
  loadConfig,
  settingFlags,
} from '../config/config.ts'
export { parseMasterKey } from '../config/config-kinds.ts'
export type { Env } from '../config/config-sources.ts'
export { createSecrets } from '../lib/secrets.ts'
export { findMasterKey, missingMasterKey, wrongMasterKey } from '../master-key.ts'
export { explainStartFailure, StartRefused } from '../start-failure.ts'
export { version } from '../version.ts'
