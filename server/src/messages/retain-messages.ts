import { dayMs, hourMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { expireIdempotencyKeys } from '../store/accounts/idempotency.ts'
import { expireRateKeys } from '../store/channels/numbers.ts'
import type { Shape } from '../store/engine/operation.ts'
import { type CallHandle, Unit } from '../store/engine/unit.ts'
import { expireAliases, expireContacts, expireSilentContacts, forgetNames } from '../store/messages/contacts.ts'
import { expireMessages, purgeContent } from '../store/messages/messages.ts'
import { expireThreads } from '../store/messages/threads.ts'

const batch = 1_000

/**
 * Words and names go after 30 days, records and whom they were with after 400, keys when they have expired; a thousand
 * at a time.
 */
export async function retainMessages(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const content = { before: now - rt.config.retentionContentDays * dayMs, count: batch }
  const metadata = { before: now - rt.config.retentionMetadataDays * dayMs, count: batch }
  const unit = new Unit()
  const calls: CallHandle<Shape>[] = [
    unit.add(purgeContent, { ...content, now }),
    unit.add(expireMessages, metadata),
    unit.add(forgetNames, content),
    unit.add(expireContacts, metadata),
    unit.add(expireSilentContacts, metadata),
    unit.add(expireAliases, metadata),
    unit.add(expireThreads, metadata),
    unit.add(expireIdempotencyKeys, { before: now, count: batch }),
    unit.add(expireRateKeys, { before: now - hourMs, count: batch }),
  ]
  const result = await rt.store.writeApart(unit)
  const full = calls.some((call) => result.rows(call).length >= batch)
  return full ? { againAt: now } : 'done'
}
