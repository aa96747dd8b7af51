import type { Schemas } from '../../api.ts'
import { formatPercent } from '../../components/format-number.ts'

export type Analytics = Schemas['Analytics']
type Series = Analytics['series'][number]
type Counts = { created: number; sent: number; delivered: number; read: number; failed: number; received: number }

export type Day = Counts & { start: string; label: string }

/** All groups together, day by day: the shown ones and the rest are everything. */
export function toDays({ series, timezone }: Analytics): Day[] {
  const [first] = series
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: timezone })
  return (first?.points ?? []).map(({ start }, index) => {
    const sum = (name: keyof Counts) => series.reduce((total, { points }) => total + (points[index]?.[name] ?? 0), 0)
    return {
      start,
      label: format.format(new Date(start)),
      created: sum('created'),
      sent: sum('sent'),
      delivered: sum('delivered'),
      read: sum('read'),
      failed: sum('failed'),
      received: sum('received'),
    }
  })
}

/** The messages behind the figures. A span that is still growing has no end, so that the log goes on with it. */
export function logPath(
  { from, to }: Pick<Analytics, 'from' | 'to'>,
  isGrowing: boolean,
  filter: Record<string, string> = {},
): string {
  return `/messages?${new URLSearchParams({ ...filter, since: from, ...(isGrowing ? {} : { until: to }) })}`
}

/** The span of one of the days. */
export function dayAt(days: readonly Day[], index: number, { to }: Analytics): Pick<Analytics, 'from' | 'to'> {
  return { from: days[index]?.start ?? to, to: days[index + 1]?.start ?? to }
}

/** Of all that were asked for: what Meta refused at once was never sent, and was not delivered either. */
export function deliveredShare({ delivered, created }: Pick<Counts, 'delivered' | 'created'>): number | null {
  return share(delivered, created)
}

/** A rate without messages is not 0, it is nothing. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole
}

/** Shares as everywhere on the page: sent and delivered of all that were asked for, read of those that were delivered. */
export function funnelSteps({ created, sent, delivered, read }: Omit<Counts, 'failed' | 'received'>) {
  return [
    { name: 'Accepted', count: created, share: '' },
    { name: 'Sent', count: sent, share: `${formatPercent(share(sent, created))} of accepted` },
    { name: 'Delivered', count: delivered, share: `${formatPercent(share(delivered, created))} of accepted` },
    { name: 'Read', count: read, share: `${formatPercent(share(read, delivered))} of delivered` },
  ]
}

/** The value of a group in words; messages without one, for example texts without template, have none. */
export function groupOf({ group }: Series): string | null {
  return Object.values(group)[0] ?? null
}
