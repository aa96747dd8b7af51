import type { Shape } from './operation.ts'
import type { Store } from './store.ts'
import { type CallHandle, Unit } from './unit.ts'

/** A delete of this many rows holds the only writer of SQLite for a few milliseconds. */
const batchMax = 1_000

/** Repeats a bounded delete until it finds less than a batch, so that nobody waits for a long one. Returns how many went. */
export async function deleteInBatches(
  store: Pick<Store, 'writeApart'>,
  add: (unit: Unit, count: number) => CallHandle<Shape>,
): Promise<number> {
  for (let total = 0; ; ) {
    const unit = new Unit()
    const call = add(unit, batchMax)
    const deleted = (await store.writeApart(unit)).rows(call).length
    total += deleted
    if (deleted < batchMax) return total
  }
}
