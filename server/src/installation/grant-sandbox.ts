import { isFailed } from '../channels/check/check-step.ts'
import { requireNumber } from '../channels/require-number.ts'
import { connectSandboxChannel, type OpenSandboxNumber } from '../connect/connect-sandbox.ts'
import { seedCustomer } from '../messages/seed-customer.ts'
import type { SandboxNumber } from '../platform/sandbox-control.ts'
import type { Runtime } from '../runtime.ts'
import { readFact } from '../store/accounts/installation.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { type AddSandboxTemplates, seedCatalog } from '../templates/catalog/seed-catalog.ts'
import { firstRunFact } from './first-run.ts'

export type OwnSandbox = {
  url: string
  /** The one a sandbox has from the start; its control API means it where no number is named. */
  firstNumber: SandboxNumber
  openNumber: OpenSandboxNumber
  addTemplates: AddSandboxTemplates
}

/**
 * Carries out the request of sandbox-request.ts: a number, the catalog, and a customer who may be written to. May run
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
