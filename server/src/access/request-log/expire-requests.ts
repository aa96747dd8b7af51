import type { Runtime } from '../../runtime.ts'
import { listAccounts } from '../../store/accounts/accounts.ts'
import { expireRequests, trimRequests } from '../../store/accounts/request-log.ts'
import { Unit } from '../../store/engine/unit.ts'

const ageMaxMs = 7 * 86_400_000
const rowsMax = 50_000
const batch = 5_000
const page = 100

/** The request log is for looking at what just happened: seven days, and at most 50,000 rows of one account. */
export async function expireOldRequests(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - ageMaxMs
  for (;;) {
    const unit = new Unit()
    const slot = unit.add(expireRequests, { before, count: batch })
    if ((await rt.store.writeApart(unit)).rows(slot).length < batch) break
  }
  for (let after = ''; ; ) {
    const accounts = await rt.store.read(listAccounts, { after, count: page })
    // One at a time: a trim may delete thousands of rows, and other writers wait behind it.
    for (const { id } of accounts) {
      const unit = new Unit()
      unit.add(trimRequests, { account_id: id, keep: rowsMax - 1 })
      await rt.store.writeApart(unit)
    }
    if (accounts.length < page) return 'done'
    after = accounts.at(-1)?.id ?? ''
  }
}
