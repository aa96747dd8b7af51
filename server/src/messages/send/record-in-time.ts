import { setTimeout as pause } from 'node:timers/promises'
import type { SendDeadline } from '../../access/send-deadline.ts'
import { timedOut, withTimeout } from '../../lib/with-timeout.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'

const pauseMs = 200

/**
 * Records what the platform answered, again and again while the database is away: a restart takes a few seconds, and the
 * client waits. `record` names the revision it changes, so that one whose answer was lost is found and not repeated. A write
 * that is still under way when its time is over goes on; the caller has to call the outcome unknown.
 */
export async function recordInTime<Result>(deadline: SendDeadline, record: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      const result = await withTimeout(record(), deadline.answerWaitMs())
      if (result === timedOut) throw new Error('The outcome could not be stored in time.')
      return result
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || deadline.answerWaitMs() <= pauseMs) throw error
      await pause(pauseMs)
    }
  }
}
