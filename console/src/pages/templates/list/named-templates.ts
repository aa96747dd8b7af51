import type { Schemas } from '../../../api.ts'

type Listed = Schemas['ListedTemplate']

/** One name in all its languages. */
export type NamedTemplate = {
  name: string
  versions: readonly Listed[]
  /** A rejected, disabled or paused language, otherwise the most sent one. */
  shown: Listed
  sent: number
  readPercent: number | null
  lastUsedAt: string | null
}

const troubles: readonly Listed['status'][] = ['rejected', 'disabled', 'paused']

/** Those with a rejected language first; within that, and for the languages of a name, as they were listed. */
export function namedTemplates(rows: readonly Listed[]): NamedTemplate[] {
  const byName = Map.groupBy(rows, ({ name }) => name)
  const named = [...byName].map(([name, versions]) => toNamed(name, versions))
  return named.sort((a, b) => Number(b.shown.status === 'rejected') - Number(a.shown.status === 'rejected'))
}

function toNamed(name: string, versions: readonly Listed[]): NamedTemplate {
  const sum = (of: 'sent' | 'delivered' | 'read') => versions.reduce((total, one) => total + one.last_7_days[of], 0)
  const [delivered, read] = [sum('delivered'), sum('read')]
  return {
    name,
    versions,
    shown: versions.reduce((best, one) => (comesBefore(one, best) ? one : best)),
    sent: sum('sent'),
    // A rate without messages is not 0, it is nothing.
    readPercent: delivered === 0 ? null : (100 * read) / delivered,
    lastUsedAt: versions.reduce<string | null>(
      (last, { last_used_at: at }) => (at && (!last || at > last) ? at : last),
      null,
    ),
  }
}

function comesBefore(one: Listed, other: Listed): boolean {
  const rank = ({ status }: Listed) => (troubles.includes(status) ? troubles.indexOf(status) : troubles.length)
  if (rank(one) !== rank(other)) return rank(one) < rank(other)
  return one.last_7_days.sent > other.last_7_days.sent
}
