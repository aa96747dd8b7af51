import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { requireWithinLimit } from '../throttles.ts'

export type ExportedLog = 'audit' | 'messages' | 'requests'

/** Writes down who takes a log away and how much of it, before the first line leaves. What was searched may be a person. */
export async function beginExport(
  rt: Runtime,
  member: Member,
  log: ExportedLog,
  filter: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { accountId } = member
  requireWithinLimit(rt.throttles.exports, accountId, rt.clock.now(), 'At most ten exports can be made in a minute.')
  const { search, ...rest } = filter
  const metadata = { ...rest, ...(search === undefined ? {} : { searched: true }) }
  const target = { type: 'log', id: log, name: log }
  await writeAudited(rt, { ...entryBy(member, `${log}.exported`, target), metadata }, () => {})
}
