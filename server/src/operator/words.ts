/** Words of the API that commands accept and print. */
export { AppError } from '../contract/app-error.ts'
export {
  type ConnectionOptions,
  callbackFieldPattern,
  callbackHostPattern,
  perMinuteMax,
  repeatWindowSecondsMax,
  type Tool,
  toolScopes,
  tools,
} from '../contract/connections.ts'
export { roles } from '../contract/console/roles.ts'
export { errorTable } from '../contract/errors.ts'
export { eventTypes } from '../contract/events.ts'
export { eventPatterns, type Triggered } from '../contract/listening.ts'
export type { DryRun } from '../contract/messages/send-answers.ts'
export { planNames } from '../contract/plans.ts'
export { type Scope, type ScopePreset, scopePresets, scopes } from '../contract/scopes.ts'
