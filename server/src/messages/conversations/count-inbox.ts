import type { Member } from '../../access/console-member.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { countOpen, countWaiting } from '../../store/messages/conversation-list.ts'

/** Some milliseconds of work; an inbox with more than this says so. */
const countedMax = 10_000

/** The numbers at the tabs of the inbox, in the sidebar and on the icon. */
export async function countInbox(rt: Runtime, { accountId, userId }: Member) {
  const [[counts], [waiting]] = await Promise.all([
    rt.store.read(countOpen, { account_id: accountId, user_id: userId, count: countedMax }),
    rt.store.read(countWaiting, { account_id: accountId, count: countedMax }),
  ])
  const { open = 0, unread = 0, mine = 0, unassigned = 0 } = counts ?? {}
  return {
    ...{ open, unread, mine, unassigned },
    waiting: waiting?.waiting ?? 0,
    waiting_since: formatInstant(waiting?.since ?? null),
    counted_max: countedMax,
  }
}
