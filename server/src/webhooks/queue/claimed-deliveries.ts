import { enforced } from '../../events/verification-mode.ts'
import { createShares } from '../../limits/delivery-limits.ts'
import type { Runtime } from '../../runtime.ts'
import type { Unit } from '../../store/engine/unit.ts'
import { type ClaimedDelivery, dropUnit, releaseUnit } from '../../store/webhooks/delivery-claims.ts'

export type ClaimedDeliveries = {
  has(deliveryId: string): boolean
  /** How many more may be claimed. */
  room(): number
  /** How many more of one account. */
  roomOfAccount(accountId: string): number
  take(delivery: ClaimedDelivery): void
  /** Returns deliveries to the database for the next claim, at their `due_at`. */
  release(deliveries: readonly ClaimedDelivery[]): void
  /** For a delivery whose event is gone: nothing is left to send. */
  drop(delivery: ClaimedDelivery): void
  /** It is recorded, or its lease will run out. */
  forget(deliveryId: string): void
  /** Resolves when nothing is held any more. */
  emptied(): Promise<void>
}

/** Deliveries that this process has claimed and not yet recorded or given back. */
export function createClaimedDeliveries(rt: Runtime, max: number, onRoom: () => void): ClaimedDeliveries {
  /** Their accounts, by delivery. */
  const held = new Map<string, string>()
  const byAccount = createShares(max)
  let onEmpty: (() => void) | null = null

  return {
    has: (id) => held.has(id),
    room: () => Math.max(0, max - held.size),
    roomOfAccount: byAccount.left,
    take({ id, account_id }) {
      if (!held.has(id)) byAccount.take(account_id)
      held.set(id, account_id)
    },
    release(deliveries) {
      if (deliveries.length === 0) return
      const enforce = enforced(rt)
      const rows = deliveries.map(({ id, webhook_id, claim, due_at }) => ({ id, webhook_id, claim, due_at, enforce }))
      void finish(releaseUnit(rt.store.engine, rows), deliveries)
    },
    drop(delivery) {
      const { id, webhook_id, claim } = delivery
      void finish(dropUnit(rt.store.engine, { id, webhook_id, claim }), [delivery])
    },
    forget,
    emptied() {
      if (held.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        onEmpty = resolve
      })
    },
  }

  async function finish(unit: Unit, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await rt.store.write(unit).catch((error: unknown) => {
      rt.log.warn({ err: error, count: deliveries.length }, 'webhook.not_released')
    })
    for (const { id } of deliveries) forget(id)
  }

  function forget(id: string): void {
    const full = held.size >= max
    const account = held.get(id)
    if (account !== undefined && held.delete(id)) byAccount.give(account)
    if (held.size === 0) onEmpty?.()
    if (full && held.size < max) onRoom()
  }
}
