import { setTimeout as pause } from 'node:timers/promises'
import { addRelease, type Repeatable } from '../../access/idempotency.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { findMessagesById, type MessageRow } from '../../store/messages/messages.ts'
import type { Draft } from './draft.ts'
import { recordFailed } from './record-outcome.ts'

export type Queued = { row: MessageRow; draft: Draft; repeatable: Repeatable | null }

const pauseMs = { first: 100, max: 5_000 }
// Twenty minutes of looking; a database that is away for longer leaves the message to recovery, as unknown.
const looksMax = 250
// A commit whose connection was lost is there within a moment or never.
const absentMax = 6

/**
 * The connection was lost while the first commit of a send was on its way: nobody knows whether the message is stored.
 * The platform was not called and never will be, because only that call could have done it. So whatever was stored is
 * turned into a failure, and its key is let go: the client was told to come again, and must not meet itself.
 */
export async function takeBack(rt: Runtime, { row, draft, repeatable }: Queued): Promise<void> {
  const failure = new PlatformError({ kind: 'unreachable', outcome: 'not_sent', code: 'upstream_unavailable' })
  let absent = 0
  for (let look = 0; look < looksMax && absent < absentMax; look++) {
    await pause(Math.min(pauseMs.first * 2 ** look, pauseMs.max), undefined, { ref: false })
    try {
      const [stored] = await rt.store.read(findMessagesById, { ids: [row.id] })
      if (!stored) absent++
      else if (stored.status !== 'queued') return
      else {
        await recordFailed(rt, stored, draft, failure, (unit) => {
          if (repeatable) addRelease(unit, repeatable, row.id)
        })
        return
      }
    } catch (error) {
      rt.log.warn({ err: error, message_id: row.id, look }, 'message.not_taken_back')
    }
  }
}
