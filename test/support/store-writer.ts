/**
 * A process that writes until it is killed: `node store-writer.ts <database as JSON> <writers>`. Each unit is one account
 * and one event of it; the account's id is printed only after the store has acknowledged the unit.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { steadyClock } from '../../server/src/lib/clock.ts'
import { createIds } from '../../server/src/lib/ids.ts'
import { insertAccount } from '../../server/src/store/accounts/accounts.ts'
import type { Database } from '../../server/src/store/engine/database.ts'
import { StoreUnavailable } from '../../server/src/store/engine/store-error.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import { insertEvent } from '../../server/src/store/webhooks/events.ts'

const [database = '', writers = ''] = process.argv.slice(2)
const clock = steadyClock()
const newId = createIds(clock)
const store = await openStore({ database: JSON.parse(database) as Database, now: clock.now() })
await Promise.all(Array.from({ length: Number(writers) }, writeForever))

async function writeForever(): Promise<never> {
  for (;;) {
    const id = newId('acc')
    try {
      await store.write(unitOf(id))
      process.stdout.write(`${id}\n`)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await delay(20)
    }
  }
}

function unitOf(id: string): Unit {
  const now = clock.now()
  const unit = new Unit()
  unit.add(insertAccount, {
    id,
    name: 'Acme',
    plan: 'free',
    status: 'active',
    created_at: now,
    updated_at: now,
    revision: 1,
  })
  unit.add(insertEvent, {
    id: newId('evt'),
    account_id: id,
    type: 'account.quota_warning',
    subject: null,
    sequence: 1,
    created_at: now,
    body: '{}',
    traceparent: null,
  })
  return unit
}
