/** What the command line itself reads from the environment; settings of the gateway are read by its config. */
export const environment = {
  /** Set by npm while it runs a script; npm does not pass signals on, so `serve` watches its parent then. */
  underNpm: process.env.npm_lifecycle_event !== undefined,
  /** Where programs of this user keep their settings. */
  configHome: process.env.XDG_CONFIG_HOME,
  /** Where nobody watches, or the screen cannot be drawn on. */
  noTerminal: process.env.CI !== undefined || process.env.TERM === 'dumb',
  noColor: process.env.NO_COLOR !== undefined,
  /** The key that `master-key rotate` changes to: secrets are never flags, because other users can read those. */
  newMasterKey: process.env.POSTERN_NEW_MASTER_KEY,
  newMasterKeyFile: process.env.POSTERN_NEW_MASTER_KEY_FILE,
  /** Secrets of `channels connect`. */
  channelToken: process.env.POSTERN_CHANNEL_TOKEN,
  channelAppSecret: process.env.POSTERN_CHANNEL_APP_SECRET,
  channelPin: process.env.POSTERN_CHANNEL_PIN,
  /** The secret that `verify` checks deliveries with. */
  webhookSecret: process.env.POSTERN_WEBHOOK_SECRET,
  /** The gateway that commands talk to by its API, and who they are there; the same names as in the SDK. */
  baseUrl: process.env.POSTERN_BASE_URL,
  apiKey: process.env.POSTERN_API_KEY,
  apiSecret: process.env.POSTERN_API_SECRET,
}
