import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { listAccounts } from '../../store/accounts/accounts.ts'
import { expireRequests, trimRequests } from '../../store/accounts/request-log.ts'
import { deleteInBatches } from '../../store/engine/delete-in-batches.ts'

const ageMaxMs = 7 * dayMs
const rowsMaxDefault = 50_000
const page = 100

/** The request log is for looking at what just happened: seven days, and at most 50,000 rows of one account. */
export async function expireOldRequests(rt: Runtime, rowsMax = rowsMaxDefault): Promise<'done'> {
  const before = rt.clock.now() - ageMaxMs
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireRequests, { before, count }))
  for (let after = ''; ; ) {
    const accounts = await rt.store.read(listAccounts, { after, count: page })
    for (const { id } of accounts) {
      await deleteInBatches(rt.store, (unit, count) => unit.add(trimRequests, { account_id: id, keep: rowsMax, count }))
    }
    if (accounts.length < page) return 'done'
    after = accounts.at(-1)?.id ?? ''
  }
}
