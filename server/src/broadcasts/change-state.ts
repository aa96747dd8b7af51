import { type Author, gateway, writeAudited } from '../audit/audit.ts'
import type { EventType } from '../contract/events.ts'
import { publishEvent } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, findBroadcast, saveBroadcast } from '../store/broadcasts/broadcasts.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { describe } from './broadcast.ts'

type BroadcastEvent = Extract<EventType, `broadcast.${string}`>

export type Change = {
  patch: Partial<BroadcastRow>
  /** As the audit log names it. */
  action: string
  event: BroadcastEvent | null
  /** What else happens in the same unit. */
  with?: (unit: Unit) => void
}

export const byGateway: Author = { actor: gateway, context: { ip: null, user_agent: null, request_id: null } }

const triesMax = 20

/**
 * Changes a broadcast with its event and its line in the audit log. `decide` looks at it as it is, and again when another
 * writer was faster; null leaves it as it is.
 */
export async function changeState(
  rt: Runtime,
  first: BroadcastRow,
  author: Author,
  decide: (row: BroadcastRow) => Promise<Change | null> | Change | null,
): Promise<BroadcastRow> {
  for (let row = first, tries = 1; ; tries++) {
    const change = await decide(row)
    if (change === null) return row
    try {
      return await write(rt, row, author, change)
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries >= triesMax) throw error
      const [stored] = await rt.store.read(findBroadcast, { account_id: row.account_id, id: row.id })
      if (!stored) throw error
      row = stored
    }
  }
}

async function write(rt: Runtime, row: BroadcastRow, author: Author, change: Change): Promise<BroadcastRow> {
  const { patch, action, event } = change
  const now = rt.clock.now()
  const next = { ...row, ...patch, updated_at: now, sequence: row.sequence + (event ? 1 : 0) }
  const data = event && (await describe(rt, next, event === 'broadcast.completed' ? 'end' : 'change'))
  const { actor, context } = author
  const targets = [{ type: 'broadcast', id: row.id, name: row.name }]
  const metadata = { status: next.status, reason: next.reason, recipients: row.accepted }
  await writeAudited(rt, { accountId: row.account_id, action, actor, context, targets, metadata }, (unit) => {
    unit.add(saveBroadcast, next)
    change.with?.(unit)
    if (!event || !data) return
    publishEvent(rt, unit, {
      accountId: row.account_id,
      type: event,
      subject: row.id,
      sequence: next.sequence,
      data: { ...data, timestamp: formatInstant(now) },
    })
  })
  return { ...next, revision: row.revision + 1 }
}
