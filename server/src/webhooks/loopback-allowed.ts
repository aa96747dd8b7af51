import type { Runtime } from '../runtime.ts'

/**
 * May this account's webhooks live on this machine, by https? Only accounts on a sandbox channel have a reason to; until
 * an account is on a real channel everyone is, except in production.
 */
export function loopbackAllowed(rt: Pick<Runtime, 'config'>, _accountId: string): boolean {
  return rt.config.env !== 'production'
}
