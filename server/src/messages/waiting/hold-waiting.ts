import { operator, writeAudited } from '../../audit/audit.ts'
import { feedEpoch } from '../../events/read-feed.ts'
import type { Runtime } from '../../runtime.ts'
import { readFact, replaceFact } from '../../store/accounts/installation.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import { findMessagesById } from '../../store/messages/messages.ts'
import {
  databaseTimeline,
  findHeld,
  findUnheld,
  markWaiting,
  measureWaitingSends,
  postponeWaiting,
  releaseWaiting,
  type WaitingRow,
} from '../../store/messages/waiting.ts'

const batch = 500
/** The fact of what was current when the gateway last started on these data. */
export const waitingEpochName = 'waiting_epoch'

/**
 * Data that came back, by a restore or by a standby that missed the last moment, may still hold what was sent already.
 * Everything that waits is held until a person says that it may go, and so is what `holdOthers` holds. True where that was done now.
 */
export async function holdAfterRestore(
  rt: Runtime,
  holdOthers: () => Promise<void> = async () => {},
): Promise<boolean> {
  const epoch = `${await feedEpoch(rt)} ${await timelineOf(rt)}`
  const [known] = await rt.store.read(readFact, { name: waitingEpochName })
  if (known?.value === epoch) return false
  let held = 0
  if (known) {
    held = await holdAll(rt)
    await holdOthers()
  }
  await rt.store.write(unitOf(replaceFact, { name: waitingEpochName, value: epoch }))
  if (held > 0) rt.log.warn({ held }, 'waiting.held_after_restore')
  return known !== undefined
}

/** Some hosted databases do not tell. */
async function timelineOf(rt: Runtime): Promise<string> {
  const rows = await rt.store.read(databaseTimeline, {}).catch(() => [])
  return rows[0]?.timeline ?? ''
}

async function holdAll(rt: Runtime): Promise<number> {
  let held = 0
  for (let after = ''; ; ) {
    const page = await rt.store.read(findUnheld, { after, count: batch })
    const now = rt.clock.now()
    held += await changeAll(rt, page, 'person', (unit, { message_id, due_at, attempts }) =>
      unit.add(postponeWaiting, { message_id, due_at: Math.max(due_at, now), held: 1, attempts }),
    )
    after = page.at(-1)?.message_id ?? ''
    if (page.length < batch) return held
  }
}

/** Releases the held messages of one account, or of all: they are sent as soon as the limits allow. */
export async function releaseHeld(rt: Runtime, accountId: string | null): Promise<{ released: number }> {
  let released = 0
  for (let after = ''; ; ) {
    const page = await rt.store.read(findHeld, { account_id: accountId ?? '', after, count: batch })
    const now = rt.clock.now()
    released += await changeAll(rt, page, 'time', (unit, { message_id, due_at }) =>
      unit.add(releaseWaiting, { message_id, due_at: Math.max(due_at, now) }),
    )
    after = page.at(-1)?.message_id ?? ''
    if (page.length < batch) break
  }
  if (accountId !== null) {
    const line = { accountId, actor: operator, action: 'message.released', targets: [], metadata: { released } }
    await writeAudited(rt, line, () => {})
  }
  return { released }
}

/** Each by itself: what was canceled or sent meanwhile is not changed, and stops nothing. */
async function changeAll(
  rt: Runtime,
  page: readonly WaitingRow[],
  waiting_for: 'person' | 'time',
  change: (unit: Unit, row: WaitingRow) => unknown,
): Promise<number> {
  const messages = await rt.store.read(findMessagesById, { ids: page.map(({ message_id }) => message_id) })
  const byId = new Map(messages.map((message) => [message.id, message]))
  const changed = await Promise.all(
    page.map(async (row) => {
      const message = byId.get(row.message_id)
      if (!message) return 0
      const unit = new Unit()
      change(unit, row)
      unit.add(markWaiting, { ...message, waiting_for })
      try {
        await rt.store.write(unit)
        return 1
      } catch (error) {
        if (error instanceof ConditionFailed) return 0
        throw error
      }
    }),
  )
  return changed.reduce((sum: number, one) => sum + one, 0)
}

/** For the operator's gauges: how many messages wait, and for how long the most overdue one has been due. */
export async function measureWaiting(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const rows = await rt.store.read(measureWaitingSends, { now })
  const count = (priority: 'code' | 'message' | 'held') =>
    rows
      .filter(({ rank, held }) => (held === 1 ? 'held' : rank === 0 ? 'code' : 'message') === priority)
      .reduce((sum, row) => sum + row.count, 0)
  for (const priority of ['code', 'message', 'held'] as const)
    rt.metrics.waitingSends.set({ priority }, count(priority))
  const due = rows.flatMap(({ held, first_due }) => (held === 0 && first_due !== null ? [first_due] : []))
  rt.metrics.waitingOverdue.set({}, due.length === 0 ? 0 : Math.max(0, now - Math.min(...due)) / 1_000)
}
