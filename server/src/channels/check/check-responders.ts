import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { respondersOf } from '../../store/messages/threads.ts'
import { type CheckStep, ok } from './check-step.ts'

const sinceDays = 30

/** Who else replies at a number. Meta has no call for it, so this is what was seen; none of it is a fault. */
export async function checkResponders(
  rt: Runtime,
  { numberId, onBusinessApp }: { numberId: string; onBusinessApp: boolean | null },
): Promise<CheckStep> {
  const since = rt.clock.now() - sinceDays * dayMs
  const rows = await rt.store.read(respondersOf, { number_id: numberId, since })
  const app = onBusinessApp
    ? ' The number is also used in the WhatsApp Business app: 20 messages a second, and it ends if the phone stays off for 14 days.'
    : ''
  if (rows.length === 0) return ok('responders', `No other responder was seen at this number.${app}`)
  const who = rows.map(({ role, threads }) => `${role ?? 'unnamed'} (${threads})`).join(', ')
  return ok('responders', `Other responders handle conversations of this number: ${who}.${app}`)
}
