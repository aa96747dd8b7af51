import type { DeliveredType } from '../../contract/connections.ts'
import { enforced } from '../../events/publish-event.ts'
import { dayMs, hourMs } from '../../lib/durations.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { Runtime } from '../../runtime.ts'
import { listOrphanedRelays } from '../../store/connections/relays.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import {
  endDeliveries,
  expireOverdue,
  listOverdue,
  listStranded,
  moveWaiting,
  queueDepth,
  releaseStranded,
} from '../../store/webhooks/deliveries.ts'
import { listExpiredLeases, releaseUnit } from '../../store/webhooks/delivery-claims.ts'
import { removeListeners } from '../../store/webhooks/listeners.ts'
import { clearOverfull, listFailing, markOverfull } from '../../store/webhooks/webhook-states.ts'
import { askUnasked } from '../../store/webhooks/webhook-verification.ts'
import { countWebhooks, findWebhook, disableWebhook as switchOff } from '../../store/webhooks/webhooks.ts'
import { announceWebhook, disableWebhook, warnOfFailing, warnOfQuotas } from '../disable-webhook.ts'

const batch = 500
const warnAfterMs = dayMs
const disableAfterMs = 72 * hourMs
/** One delivery that keeps failing says little about a receiver that hardly gets any. */
const failedDeliveriesMin = 10

/**
 * Gives back what a process that died or stood still had claimed. What this process holds itself is left alone, however
 * far its clock has jumped: it will come to an end by its own deadlines.
 */
export async function reclaimExpired(rt: Runtime, holds: (deliveryId: string) => boolean): Promise<number> {
  const expired = await rt.store.read(listExpiredLeases, { now: rt.clock.now(), count: batch })
  const lost = expired.filter(({ id }) => !holds(id))
  if (lost.length === 0) return 0
  const enforce = enforced(rt)
  await rt.store.write(
    releaseUnit(
      rt.store.engine,
      lost.map((row) => ({ ...row, enforce })),
    ),
  )
  rt.log.warn({ count: lost.length }, 'webhook.leases_reclaimed')
  return lost.length
}

/**
 * Held deliveries that wait for nothing any more. A webhook of the time when the operator had nobody asked is asked
 * now: nothing else would ever release what is held for it.
 */
export async function tidyHeld(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const unit = new Unit()
  if (rt.config.webhookVerification !== 'off') unit.add(askUnasked, { due_at: now })
  const enforce = enforced(rt)
  for (const { webhook_id } of await rt.store.read(listStranded, { enforce })) {
    unit.add(releaseStranded, { webhook_id, now, enforce, count: batch })
  }
  if (unit.calls.length > 0) await rt.store.write(endDeliveries(unit, rt.store.engine))
}

/** Maximum wait for an unavailable receiver. Nothing can be sent once the event is deleted. */
function backlogMs({ config }: Pick<Runtime, 'config'>): number {
  const keptMs = config.retentionDeliveriesDays * dayMs
  return config.webhookBacklogHours === null ? keptMs : Math.min(keptMs, config.webhookBacklogHours * hourMs)
}

/**
 * Deliveries that have waited too long expire, oldest first; they are counted, and the account is notified once.
 * Where events are kept for longer, a replay can still send it.
 */
export async function expireBacklogs(rt: Runtime, count = batch): Promise<void> {
  const oldest = firstIdAt('dlv', rt.clock.now() - backlogMs(rt))
  for (const { webhook_id, account_id, overfull_since } of await rt.store.read(listOverdue, { oldest })) {
    let expired = 0
    for (let found = count; found === count; expired += found) {
      const unit = new Unit()
      const call = unit.add(expireOverdue, { webhook_id, oldest, count })
      if (expired === 0 && overfull_since === null && account_id !== null)
        await addNotice(rt, unit, account_id, webhook_id)
      const rows = (await rt.store.write(endDeliveries(unit, rt.store.engine))).rows(call)
      for (const { type } of rows) rt.metrics.webhookDeliveries.inc({ event: type as DeliveredType, result: 'expired' })
      found = rows.length
    }
    if (expired > 0) rt.log.warn({ webhook_id, account_id, expired }, 'webhook.backlog_expired')
  }
  await rt.store.write(endDeliveries(unitOf(clearOverfull, { _: 0 }), rt.store.engine))
}

/** Told of once, as of a failing one. */
async function addNotice(rt: Runtime, unit: Unit, accountId: string, webhookId: string): Promise<void> {
  const [row] = await rt.store.read(findWebhook, { id: webhookId, account_id: accountId })
  if (!row) return
  unit.add(markOverfull, { webhook_id: webhookId, now: rt.clock.now() })
  announceWebhook(rt, unit, 'webhook.failing', row)
}

/**
 * Regular care: who has been failing for too long, whose backlog has grown too large, whose quota is nearly used, where
 * nobody listens any more.
 */
export async function watchWebhooks(rt: Runtime): Promise<'done'> {
  await watchFailing(rt)
  await stopOrphanedRelays(rt)
  await expireBacklogs(rt)
  await warnOfQuotas(rt)
  await removeIdleListeners(rt)
  return 'done'
}

/**
 * Looks after webhooks without a success for a day or longer. It is a job, because the schedule of a delivery ends after
 * two days: at 72 hours there may be no attempt left that could notice.
 */
async function watchFailing(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  for (const row of await rt.store.read(listFailing, { before: now - warnAfterMs })) {
    const overdue = now - (row.failing_since ?? now) >= disableAfterMs
    if (overdue && row.failed_deliveries >= failedDeliveriesMin) await disableWebhook(rt, row, 'failing')
    else if (row.warned_at === null) await warnOfFailing(rt, row)
  }
}

/**
 * The token of a connection was revoked or has expired: its tool gets nothing more, and what it missed is kept for a
 * replay.
 */
async function stopOrphanedRelays(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  for (const { id, url } of await rt.store.read(listOrphanedRelays, { now })) {
    const unit = unitOf(switchOff, { id, url, reason: 'revoked', now })
    unit.add(moveWaiting, { webhook_id: id, status: 'skipped' })
    await rt.store.write(endDeliveries(unit, rt.store.engine)).catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error
    })
    rt.log.info({ webhook_id: id }, 'relay.stopped')
  }
}

/** Depth and age of the queue and the state of webhooks: of every process, so that they show when no worker runs. */
export async function measureQueue(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const [depth] = await rt.store.read(queueDepth, { now })
  const [endpoints] = await rt.store.read(countWebhooks, {})
  if (!depth || !endpoints) return
  for (const state of ['ready', 'scheduled', 'leased'] as const)
    rt.metrics.webhookQueueDepth.set({ state }, depth[state])
  rt.metrics.webhookQueueOldestAge.set({}, depth.oldest === null ? 0 : (now - depth.oldest) / 1_000)
  for (const state of ['active', 'unverified', 'disabled'] as const) {
    rt.metrics.webhookEndpoints.set({ state }, endpoints[state])
  }
}

const idleMsMax = dayMs

/** A forwarding webhook goes after a day without a client. Its log stays until retention, its secret can be made again. */
async function removeIdleListeners(rt: Runtime): Promise<void> {
  const unit = new Unit()
  const removed = unit.add(removeListeners, { before: rt.clock.now() - idleMsMax })
  const count = (await rt.store.write(unit)).rows(removed).length
  if (count > 0) rt.log.info({ count }, 'webhook.listeners_removed')
}
