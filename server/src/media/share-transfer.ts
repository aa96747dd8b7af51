import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'

const runs = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Files of one account on their way at once: a slow host or platform fills its own account's places alone. */
const transfersMax = 32
const transferWaitMs = 8_000

/**
 * A transfer of a file of an account. Everyone who asks for the same one while it is under way waits for the one who
 * asked first.
 */
export async function shareTransfer<T>(
  rt: Runtime,
  accountId: string,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const underWay = runs.get(rt.store) ?? new Map<string, Promise<unknown>>()
  runs.set(rt.store, underWay)
  const first = underWay.get(key)
  if (first) return first as Promise<T>
  const run = limited(rt, accountId, work).finally(() => underWay.delete(key))
  underWay.set(key, run)
  return run
}

async function limited<T>(rt: Runtime, accountId: string, work: () => Promise<T>): Promise<T> {
  const release = await rt.concurrency.transfers.acquire(accountId, transfersMax, transferWaitMs)
  if (!release) {
    const sentence = `${transfersMax} files of this account are being transferred already. Nothing was sent.`
    throw new AppError('service_unavailable', sentence, { retryAfterSeconds: 5 })
  }
  return work().finally(release)
}
