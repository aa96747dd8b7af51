import type { Static } from 'typebox'
import type { Attention } from '../contract/console/home.ts'
import { minuteMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { findStopped } from '../store/broadcasts/broadcasts.ts'
import { countLate } from '../store/messages/waiting.ts'

type Item = Omit<Static<typeof Attention>, 'next_attempt_at'> & { state?: string }

const written = (count: number) => (count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`)

const stoppedMax = 20

/** The broadcast itself says why it is held or paused; here, only whether it waits for a person or for something else. */
export async function stoppedBroadcasts(rt: Runtime, accountId: string): Promise<Item[]> {
  const rows = await rt.store.read(findStopped, { account_id: accountId, count: stoppedMax })
  return rows.map(({ id, name, status, reason, reason_since: at }) => ({
    id: `broadcast-${id}`,
    tone: status === 'paused' ? 'warn' : 'info',
    text: `Broadcast ${name} is ${status === 'paused' ? 'paused' : 'held'}: ${reason.replaceAll('_', ' ')}.`,
    detail: status === 'paused' ? 'It waits for a person to resume it.' : 'It resumes automatically.',
    since: at === null ? null : formatInstant(at),
    to: `/broadcasts/${id}`,
  }))
}

const lateMs = minuteMs

/** Messages that wait for a person, and overdue ones. */
export async function waitingSends(rt: Runtime, accountId: string): Promise<Item[]> {
  const before = rt.clock.now() - lateMs
  const [found] = await rt.store.read(countLate, { account_id: accountId, before })
  const { held = 0, late = 0, first_due: firstDue = null } = found ?? {}
  const item = { since: null, to: '/messages?status=waiting' }
  return [
    ...(held > 0
      ? [
          {
            ...item,
            id: 'waiting-held',
            tone: 'warn' as const,
            text: `${written(held)} ${held === 1 ? 'is' : 'are'} held.`,
            detail: 'The data was restored, or the API key was revoked. The operator can release what should be sent.',
          },
        ]
      : []),
    ...(late > 0
      ? [
          {
            ...item,
            id: 'waiting-late',
            tone: 'warn' as const,
            text: `${written(late)} should have been sent by now.`,
            detail: 'Open one of them to see what it waits for.',
            since: firstDue === null ? null : formatInstant(firstDue),
          },
        ]
      : []),
  ]
}
