import type { Env } from '@postern/server/settings.ts'

export const ownEnv: Env = process.env

/** What the command line itself reads from the environment; settings of the gateway are read by its config. */
export function readEnvironment(env: Env) {
  return {
    /** Set by npm while it runs a script; npm does not pass signals on, so `serve` watches its parent then. */
    underNpm: env.npm_lifecycle_event !== undefined,
    /** Where programs of this user keep their settings. */
    configHome: env.XDG_CONFIG_HOME,
    /** Where nobody watches, or the screen cannot be drawn on. */
    noTerminal: env.CI !== undefined || env.TERM === 'dumb',
    /** The key that `master-key rotate` changes to: secrets are never flags, because other users can read those. */
    newMasterKey: env.POSTERN_NEW_MASTER_KEY,
    newMasterKeyFile: env.POSTERN_NEW_MASTER_KEY_FILE,
    /** Secrets of `channels connect`. */
    channelToken: env.POSTERN_CHANNEL_TOKEN,
    channelAppSecret: env.POSTERN_CHANNEL_APP_SECRET,
    channelPin: env.POSTERN_CHANNEL_PIN,
    /** The token that `connections try` calls with. */
    connectionToken: env.POSTERN_CONNECTION_TOKEN,
    /** The secret that `verify` checks deliveries with. */
    webhookSecret: env.POSTERN_WEBHOOK_SECRET,
    /** The gateway that commands talk to by its API, and who they are there; the same names as in the SDK. */
    baseUrl: env.POSTERN_BASE_URL,
    apiKey: env.POSTERN_API_KEY,
    apiSecret: env.POSTERN_API_SECRET,
  }
}
