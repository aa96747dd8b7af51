import { AppError } from '../contract/app-error.ts'
import { type Plan, plans } from '../contract/plans.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { findMediaUsage } from '../store/media/media.ts'

const gibibyte = 1_073_741_824

/** Bytes that the plan of the account lets it store; null without a limit. */
export async function mediaBytesMax(rt: Runtime, accountId: string): Promise<number | null> {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  return account ? plans[account.plan as Plan].mediaBytes : null
}

/** Refuses before the first byte is read when nothing more fits. The unit that stores the file decides for certain. */
export async function requireMediaRoomLeft(rt: Runtime, accountId: string): Promise<void> {
  const bytesMax = await mediaBytesMax(rt, accountId)
  if (bytesMax === null) return
  const [usage] = await rt.store.read(findMediaUsage, { account_id: accountId })
  if ((usage?.bytes ?? 0) >= bytesMax) throw noMediaRoom(bytesMax)
}

export function noMediaRoom(bytesMax: number): AppError {
  const limit = `${bytesMax / gibibyte} GiB`
  return new AppError(
    'plan_not_sufficient',
    `The plan allows ${limit} of stored files, and this file would exceed that. Delete files, or ask the operator for a larger plan.`,
  )
}
