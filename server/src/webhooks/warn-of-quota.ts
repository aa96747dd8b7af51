import { startOfDay, toFacts, windowsAt } from '../access/quota.ts'
import { type Plan, plans } from '../contract/plans.ts'
import { publishEvent } from '../events/publish-event.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import { listUnwarned, markQuotaWarned } from '../store/webhooks/webhook-quota-warnings.ts'

const warnFrom = 0.8

/** Tells accounts that have used four fifths of their day, once a day. */
export async function warnOfQuotas(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const day_start = startOfDay(now)
  for (const { account_id, plan, day_used } of await rt.store.read(listUnwarned, { day_start, used_min: usedMin })) {
    const [, day] = windowsAt(plan as Plan, { hour: 0, day: day_used }, now) ?? []
    if (!day || day.used < day.quota * warnFrom) continue
    const unit = new Unit()
    unit.add(markQuotaWarned, { account_id, day_start })
    const about = { accountId: account_id, subject: null, sequence: 1, data: toFacts(day) }
    publishEvent(rt, unit, { ...about, type: 'account.quota_warning' })
    await rt.store.write(unit).catch((error: unknown) => {
      // Another node was first.
      if (!(error instanceof ConditionFailed)) throw error
    })
  }
}

/** No plan is warned of below this, so that the query returns next to nothing. */
const usedMin = Math.min(...Object.values(plans).flatMap(({ day }) => (day === null ? [] : [day * warnFrom])))
