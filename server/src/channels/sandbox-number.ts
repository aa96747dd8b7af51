import { AppError } from '../contract/app-error.ts'
import type { SandboxPlace } from '../platform/sandbox-control.ts'
import type { Runtime } from '../runtime.ts'
import { listNumbers, type NumberRecord } from './list-numbers.ts'
import { requireNumber } from './require-number.ts'

export type SandboxLine = { numberId: string; phoneNumber: string; name: string | null; place: SandboxPlace }

export async function listSandboxNumbers(rt: Runtime, accountId: string): Promise<NumberRecord[]> {
  return (await listNumbers(rt, accountId)).filter(({ kind }) => kind === 'sandbox')
}

/** A number of this account that is in the sandbox. Nobody plays the customer of a real one. */
export async function requireSandboxNumber(rt: Runtime, accountId: string, numberId: string): Promise<SandboxLine> {
  const known = (await listSandboxNumbers(rt, accountId)).some(({ id }) => id === numberId)
  if (!known) throw new AppError('channel_not_found', 'This account does not have this number in the sandbox.')
  const number = await requireNumber(rt, accountId, { from: numberId })
  const { baseUrl, phoneNumberId } = number.credentials
  return {
    numberId: number.id,
    phoneNumber: number.phoneNumber,
    name: number.displayName,
    place: { url: baseUrl, phoneNumberId },
  }
}
