/** What the command line itself reads from the environment; settings of the gateway are read by its config. */
export const environment = {
  /** Set by npm while it runs a script; npm does not pass signals on, so `serve` watches its parent then. */
  underNpm: process.env.npm_lifecycle_event !== undefined,
  noColor: process.env.NO_COLOR !== undefined,
}
