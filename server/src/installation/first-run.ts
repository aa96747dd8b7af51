import { draftKey, keyCreated } from '../access/keys/create-key.ts'
import { gateway, writeAudited } from '../audit/audit.ts'
import { isFailed } from '../channels/check/check-step.ts'
import { requireNumber } from '../channels/require-number.ts'
import { addSandboxRequest } from '../channels/sandbox-number.ts'
import { connectSandboxChannel, type OpenSandboxNumber } from '../connect/connect-channel.ts'
import { scopes } from '../contract/scopes.ts'
import { seedCustomer } from '../messages/sandbox-phone.ts'
import { addSetupLink } from '../people/setup-link.ts'
import type { SandboxNumber } from '../platform/sandbox-control.ts'
import type { Runtime } from '../runtime.ts'
import { insertApiKey } from '../store/accounts/api-keys.ts'
import { claimFact, readFact } from '../store/accounts/installation.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { type AddSandboxTemplates, seedCatalog } from '../templates/catalog/seed-catalog.ts'
import { accountCreated, addAccount, draftAccount } from './account.ts'

/** Shown once: neither the secret nor the link can be read again. */
export type FirstRun = {
  accountId: string
  credentials: { apiKey: string; apiSecret: string } | null
  consoleLink: string
}

const firstRunFact = 'first_run'

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
      addAccount(unit, draft, 'first')
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

export type OwnSandbox = {
  url: string
  /** The one a sandbox has from the start; its control API means it where no number is named. */
  firstNumber: SandboxNumber
  openNumber: OpenSandboxNumber
  addTemplates: AddSandboxTemplates
}

/**
 * Carries out the request of channels/sandbox-number.ts: a number, the catalog, and a customer who may be written to. May run
 * again after a crash: what is there already is kept.
 */
export async function grantSandbox(rt: Runtime, accountId: string, sandbox: OwnSandbox): Promise<void> {
  const numbers = await rt.store.read(connectedNumbers, { account_id: accountId })
  if (numbers.length === 0) await connectNumber(rt, accountId, sandbox)
  await seedCatalog(rt, await requireNumber(rt, accountId), sandbox.addTemplates)
  await seedCustomer(rt, accountId)
}

async function connectNumber(rt: Runtime, accountId: string, sandbox: OwnSandbox): Promise<void> {
  const [first] = await rt.store.read(readFact, { name: firstRunFact })
  const openNumber = first?.value === accountId ? async () => sandbox.firstNumber : sandbox.openNumber
  const { channel, steps } = await connectSandboxChannel(rt, accountId, { url: sandbox.url, openNumber })
  if (!channel) throw new Error(`The sandbox number was not connected: ${steps.find(isFailed)?.name ?? 'unknown step'}`)
}
