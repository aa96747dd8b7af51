import { plans } from '../../contract/plans.ts'
import { dayMs, hourMs } from '../../lib/durations.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { readUsage } from '../../store/accounts/quotas.ts'
import { findMediaUsage } from '../../store/media/media-usage.ts'
import type { Member } from '../console-member.ts'
import type { Gate } from '../gate.ts'
import { startOfDay, startOfHour, type Window } from '../quota.ts'

const hoursShown = 24
const daysShown = 30

/** How much of the plan is used now. */
export async function describeLimits(gate: Gate, { accountId, plan }: Member) {
  const [hour = null, day = null] = (await gate.peek(accountId, plan))?.windows ?? []
  return { hour: hour && toLimit(hour), day: day && toLimit(day) }
}

/** The plan, what is left of it, and how it was used: 24 hours and 30 days, gaps as zero. */
export async function describeUsage(rt: Runtime, gate: Gate, member: Member) {
  const now = rt.clock.now()
  const firstHour = startOfHour(now) - (hoursShown - 1) * hourMs
  const firstDay = startOfDay(now) - (daysShown - 1) * dayMs
  const rows = await rt.store.read(readUsage, { account_id: member.accountId, since: firstDay })
  const [usage] = await rt.store.read(findMediaUsage, { account_id: member.accountId })
  const sum = (from: number, lengthMs: number) =>
    rows.reduce((total, row) => total + (row.hour_start >= from && row.hour_start < from + lengthMs ? row.used : 0), 0)
  const buckets = (first: number, lengthMs: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const start = first + index * lengthMs
      return { start: formatInstant(start), used: sum(start, lengthMs) }
    })
  return {
    plan: member.plan,
    limits: await describeLimits(gate, member),
    media_bytes: { quota: plans[member.plan].mediaBytes, used: usage?.bytes ?? 0 },
    hours: buckets(firstHour, hourMs, hoursShown),
    days: buckets(firstDay, dayMs, daysShown),
  }
}

function toLimit({ quota, used, resetsAt }: Window) {
  return { quota, used: Math.min(used, quota), resets_at: formatInstant(resetsAt) }
}
