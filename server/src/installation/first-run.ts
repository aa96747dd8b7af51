import { draftKey, keyCreated } from '../access/keys/create-key.ts'
import { gateway, writeAudited } from '../audit/audit.ts'
import { addSandboxRequest } from '../channels/sandbox-request.ts'
import { scopes } from '../contract/scopes.ts'
import { addSetupLink } from '../people/setup-owner.ts'
import type { Runtime } from '../runtime.ts'
import { insertApiKey } from '../store/accounts/api-keys.ts'
import { claimFact } from '../store/accounts/installation.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { accountCreated, addAccount, draftAccount } from './create-account.ts'

/** Shown once: neither the secret nor the link can be read again. */
export type FirstRun = {
  accountId: string
  credentials: { apiKey: string; apiSecret: string } | null
  consoleLink: string
}

export const firstRunFact = 'first_run'

/**
 * Fills an empty installation: the operator's account with its owner record, a link that lets a person take it over,
 * and, outside production, an API key and a sandbox number. One transaction with a claim in it, so of several nodes that
 * start at once one wins; the others get null.
 */
export async function firstRun(rt: Runtime): Promise<FirstRun | null> {
  const draft = draftAccount(rt, { name: 'My business', plan: 'enterprise' })
  const { account, owner } = draft
  const newKey = { accountId: account.id, name: 'First key', scopes, createdBy: owner.id, actor: gateway }
  const key = rt.config.env === 'production' ? null : await draftKey(rt, newKey)
  let consoleLink = ''
  try {
    const entries = [accountCreated(draft, gateway), ...(key ? [keyCreated(key, newKey)] : [])] as const
    await writeAudited(rt, entries, (unit) => {
      unit.add(claimFact, { name: firstRunFact, value: account.id })
      addAccount(unit, draft)
      if (key) unit.add(insertApiKey, key.row)
      consoleLink = addSetupLink(rt, unit, owner.id, 'owner').link
      addSandboxRequest(rt, unit, account.id)
    })
  } catch (error) {
    if (error instanceof ConditionFailed) return null
    throw error
  }
  return {
    accountId: account.id,
    credentials: key && { apiKey: key.row.public_key, apiSecret: key.secret },
    consoleLink,
  }
}
