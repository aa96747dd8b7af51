import { addReservations, isOverBudget, overBudget } from '../../budgets/hold.ts'
import { recallTerms } from '../../budgets/terms.ts'
import type { Release } from '../../limits/concurrency.ts'
import { addRecipient, customerInRates, withCustomer } from '../../messages/customers/recipient.ts'
import { requestText } from '../../messages/send/accept-waiting.ts'
import type { Draft, Sender } from '../../messages/send/draft.ts'
import { queuedRow } from '../../messages/send/grant-send.ts'
import { waitAfter } from '../../messages/waiting/retry-send.ts'
import { callAndRecord } from '../../messages/waiting/send-due.ts'
import type { Lane } from '../../messages/waiting/take-turn.ts'
import type { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { type BroadcastRow, takeOfBroadcast } from '../../store/broadcasts/broadcasts.ts'
import { type GroupRow, insertSkip, takeOfGroup } from '../../store/broadcasts/recipients.ts'
import { insertBroadcastMessage } from '../../store/broadcasts/results.ts'
import { Unit } from '../../store/engine/unit.ts'
import { nameFile } from '../../store/messages/message-list.ts'
import type { NewMessage } from '../../store/messages/messages.ts'
import type { WaitingRow } from '../../store/messages/waiting.ts'
import type { Turn } from './draft-recipients.ts'
import type { RecentResults } from './stop-broadcast.ts'

type Taken = { row: BroadcastRow; group: GroupRow; upto: number; sender: Sender; turn: Turn }
type StartedMessage = { message: NewMessage; draft: Draft; components: unknown }

/**
 * The one unit before the calls: the turns have passed, skipped recipients say why, and each message is on disk. It fails
 * where the broadcast was stopped or another process was faster, and then nothing of it has happened.
 */
export async function startTaken(rt: Runtime, { row, group, upto, sender, turn }: Taken): Promise<StartedMessage[]> {
  const place = { broadcast_id: row.id, group_no: group.group_no }
  const unit = new Unit()
  unit.add(takeOfBroadcast, { id: row.id, count: upto - group.taken })
  unit.add(takeOfGroup, { ...place, was: group.taken, taken: upto, done: upto >= group.size ? 1 : 0 })
  const skips = turn.skipped.map((skip) => ({ ...place, place: skip.place, reason: skip.reason }))
  if (skips.length > 0) unit.add(insertSkip, ...skips)
  const queued = turn.drafted.map(
    ({ row: recipient, draft }): NewMessage => ({
      ...queuedRow(rt, sender, draft),
      broadcast_id: row.id,
      group_no: group.group_no,
      place: recipient.place,
      message_events: row.message_events,
      expires_at: row.expires_at,
      attempts: 1,
    }),
  )
  const [first] = turn.drafted
  const terms = first ? await recallTerms(rt, first.draft.number) : null
  const messages = addReservations(unit, terms, queued, rt.clock.now())
  const inserted = messages.map((message, index) => {
    const { draft, components } = turn.drafted[index] ?? missing()
    addRecipient(rt, unit, message, draft.address.value)
    for (const media_id of draft.files ?? []) unit.add(nameFile, { media_id, message_id: message.id })
    return { message, draft, components, call: unit.add(insertBroadcastMessage, message) }
  })
  const result = await rt.store.write(unit).catch(async (error: unknown) => {
    throw isOverBudget(error) ? await overBudget(rt, row.account_id, queued) : error
  })
  return Promise.all(
    inserted.map(async ({ message, draft, components, call }) => ({
      message: await withCustomer(rt, message, result.first(call)),
      draft,
      components,
    })),
  )
}

function missing(): never {
  throw new Error('A message without its draft.')
}

type Calls = {
  row: BroadcastRow
  started: readonly StartedMessage[]
  releases: readonly Release[]
  recent: RecentResults
}

/** Calls the platform for all of them at once; the lane does not wait for the answers. */
export function sendTaken(rt: Runtime, lane: Lane, { row, started, releases, recent }: Calls): void {
  for (const [index, { message, draft, components }] of started.entries()) {
    const release = releases[index] ?? (() => {})
    const done: Promise<unknown> = callAndRecord(rt, {
      waiting: waitingOf(row, message, components),
      row: message,
      draft,
      rate: {
        numberId: draft.number.id,
        sendsPerSecond: draft.number.sendsPerSecond,
        customer: customerInRates(rt, row.account_id, draft.address.value),
      },
      release,
      told(failure) {
        recent.add(failure)
        rt.metrics.broadcastRecipients.inc({ result: resultOf(failure) })
      },
    })
      .catch((error: unknown) =>
        rt.log.error(
          { err: error, number_id: lane.numberId, message_id: message.id },
          'broadcast.outcome_not_recorded',
        ),
      )
      .finally(() => {
        release()
        lane.running.delete(done)
      })
    lane.running.add(done)
  }
}

function resultOf(failure: PlatformError | null): 'sent' | 'failed' | 'unknown' | 'postponed' {
  if (failure === null) return 'sent'
  if (failure.outcome === 'unknown') return 'unknown'
  return waitAfter(failure, 1) ? 'postponed' : 'failed'
}

/** What a message becomes that Meta certainly did not take: one that waits by itself, until its broadcast is over. */
function waitingOf(row: BroadcastRow, message: NewMessage, components: unknown): WaitingRow {
  const body = {
    to: message.phone ?? message.user_id ?? '',
    template: row.template,
    language: row.language,
    components: (components ?? null) as unknown[] | null,
    client_reference: message.client_reference,
  }
  return {
    message_id: message.id,
    account_id: row.account_id,
    number_id: row.number_id,
    key_id: row.key_id,
    client_reference: message.client_reference,
    rank: 1,
    due_at: message.created_at,
    expires_at: row.expires_at ?? message.created_at,
    attempts: 1,
    held: 0,
    request: requestText({ kind: 'template', body }, row.number_id),
  }
}
