import { dayMs } from '@postern/server/lib/durations.ts'
import { firstIdAt } from '@postern/server/lib/ids.ts'
import type { Runtime } from '@postern/server/runtime.ts'
import { countMessagesBetween, databaseBytes } from '@postern/server/store/engine/database-size.ts'
import { type Finding, found } from './finding.ts'

const check = 'capacity'
const days = 7

/** Measured by `npm run bench growth`; docs/capacity.md explains each. Kilobytes a message. */
const kilobytes = {
  shared: { message: 2.7, record: 1.6, deliveries: 8.5, rest: 25 },
  embedded: { message: 1.6, record: 1.0, deliveries: 5.8, rest: 22 },
} as const

/** How much is sent and received, what it takes now, and what it will take once the oldest records go. */
export async function checkCapacity(rt: Runtime): Promise<Finding[]> {
  const now = rt.clock.now()
  const between = (prefix: 'in' | 'out') =>
    rt.store.read(countMessagesBetween, {
      from_id: firstIdAt(prefix, now - days * dayMs),
      to_id: firstIdAt(prefix, now),
    })
  const [[received], [sent], [size]] = await Promise.all([
    between('in'),
    between('out'),
    rt.store.read(databaseBytes, {}),
  ])
  const perDay = Math.round(((received?.count ?? 0) + (sent?.count ?? 0)) / days)
  const taken = sizeText(size?.bytes ?? 0)
  if (perDay === 0)
    return [found(check, `the database takes ${taken}; too few messages in the last ${days} days to project it`)]
  const projected = sizeText(projectedBytes(perDay, rt))
  const retention = `${rt.config.retentionMetadataDays} days`
  return [
    found(
      check,
      `${perDay} messages a day; the database takes ${taken}, and about ${projected} after ${retention} at this rate`,
    ),
  ]
}

/** The model of docs/capacity.md: what a message takes, for as many days as each part of it is kept. */
export function projectedBytes(messagesPerDay: number, { config, store }: Pick<Runtime, 'config' | 'store'>): number {
  const of = store.shared ? kilobytes.shared : kilobytes.embedded
  const { retentionContentDays: content, retentionMetadataDays: metadata, retentionDeliveriesDays: deliveries } = config
  const whole = Math.min(content, metadata)
  const kilobyteDays = of.message * whole + of.record * (metadata - whole) + of.deliveries * deliveries + of.rest
  return messagesPerDay * kilobyteDays * 1_000
}

function sizeText(bytes: number): string {
  const units = ['MB', 'GB', 'TB'] as const
  let value = bytes / 1e6
  let unit = 0
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000
  return `${value.toFixed(1)} ${units[unit]}`
}
