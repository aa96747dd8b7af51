import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'

/** Concurrent transfers of one account: a slow host or platform uses up the limit of its own account alone. */
const transfersMax = 32
const transferWaitMs = 8_000

/** A transfer of a file of an account; concurrent calls for the same file share one. */
export async function shareTransfer<T>(
  rt: Runtime,
  accountId: string,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  return rt.singleflight.run(`transfer ${key}`, () => limited(rt, accountId, work))
}

async function limited<T>(rt: Runtime, accountId: string, work: () => Promise<T>): Promise<T> {
  const release = await rt.concurrency.transfers.acquire(accountId, transfersMax, transferWaitMs)
  if (!release) {
    const sentence = `${transfersMax} files of this account are already being transferred. Nothing was sent.`
    throw new AppError('service_unavailable', sentence, { retryAfterSeconds: 5 })
  }
  return work().finally(release)
}
