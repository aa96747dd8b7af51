/** Connection settings found in the environment; a variable that is empty counts as absent. */
export interface EnvDefaults {
  baseUrl: string | undefined
  apiKey: string | undefined
  apiSecret: string | undefined
}

/**
 * Reads `POSTERN_BASE_URL`, `POSTERN_API_KEY` and `POSTERN_API_SECRET`.
 * Runtimes without a `process` global have no defaults.
 */
export function readEnv(): EnvDefaults {
  const env = typeof process === 'undefined' ? {} : (process.env ?? {})
  return {
    baseUrl: env.POSTERN_BASE_URL || undefined,
    apiKey: env.POSTERN_API_KEY || undefined,
    apiSecret: env.POSTERN_API_SECRET || undefined,
  }
}

/** `node/24` on Node, empty elsewhere: other runtimes add their own `User-Agent` or forbid ours. */
export function runtimeTag(): string {
  const release = typeof process === 'undefined' ? undefined : process.versions?.node
  return release === undefined ? '' : `node/${release.split('.')[0]}`
}
