import { type Author, gateway, writeAudited } from '../audit/audit.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import type { PauseReason } from '../contract/broadcasts/broadcasts.ts'
import type { BroadcastStart } from '../contract/broadcasts/draft.ts'
import type { EventType } from '../contract/events.ts'
import { isAbove } from '../costs/money.ts'
import { publishEvent } from '../events/publish-event.ts'
import { dayMs, minuteMs, secondMs } from '../lib/durations.ts'
import { formatInstant, parseInstant } from '../lib/instant.ts'
import { daysAhead } from '../messages/send/accept-waiting.ts'
import { cancelOne } from '../messages/waiting/end-waiting.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, findBroadcast, findOpenMessage, saveBroadcast } from '../store/broadcasts/broadcasts.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { findMessagesById } from '../store/messages/messages.ts'
import { requireSendableTemplate } from '../templates/find-template.ts'
import { describe, isHold, markOf, type Owner, requireBroadcast } from './broadcast.ts'
import { estimateBroadcast } from './estimate.ts'

type Starter = Owner & { keyId: string | null }

/** Starts a draft now, or plans its start. Asked again, it stays started. */
export async function startBroadcast(rt: Runtime, owner: Starter, id: string, wanted: BroadcastStart, author: Author) {
  const row = await requireBroadcast(rt, owner, id)
  const startAt = readStart(rt, wanted.start_at)
  const template_mark = await requireReady(rt, row)
  const started = await changeState(rt, row, author, async (current) => {
    if (current.status === 'running') return null
    if (current.status === 'scheduled' && current.start_at === startAt) return null
    if (current.status === 'scheduled') throw wrongState(current, 'Pause it first to start it at another time.')
    if (current.status !== 'draft') throw wrongState(current, 'A draft can be started.')
    requireComplete(rt, current, wanted)
    await requireCost(rt, owner, current, wanted)
    const patch = { template_mark, key_id: owner.keyId, reason: null, reason_since: null, hold_until: null }
    if (startAt !== null) {
      return { patch: { ...patch, status: 'scheduled', start_at: startAt }, action: 'broadcast.scheduled', event: null }
    }
    return { patch: { ...patch, ...running(rt, current) }, action: 'broadcast.started', event: 'broadcast.started' }
  })
  return describe(rt, started)
}

/** From the draft or the plan to the first turn. */
export function running(rt: Runtime, { valid_for }: BroadcastRow): Partial<BroadcastRow> {
  const now = rt.clock.now()
  return { status: 'running', started_at: now, expires_at: now + validMs(rt, valid_for) }
}

/** Recipients are not kept for longer than the operator allows. */
export function validMs({ config }: Runtime, validFor: number): number {
  return Math.min(validFor * secondMs, config.retentionContentDays * dayMs)
}

function readStart(rt: Runtime, text: string | null | undefined): number | null {
  if (!text) return null
  const now = rt.clock.now()
  const at = parseInstant(text)
  if (at === null)
    throw invalidField('start_at', 'invalid_format', 'Write a date-time, for example 2026-12-01T09:00:00+00:00.')
  if (at < now - minuteMs)
    throw invalidField('start_at', 'invalid_value', 'This time has passed. Leave it out to start now.')
  const days = daysAhead(rt.config)
  if (at > now + days * dayMs)
    throw invalidField('start_at', 'invalid_value', `Give a time at most ${days} days ahead.`)
  return at <= now ? null : at
}

function requireComplete(rt: Runtime, row: BroadcastRow, { recipients }: BroadcastStart): void {
  if ((row.uploading_until ?? 0) > rt.clock.now()) {
    throw new AppError(
      'upload_in_progress',
      'Recipients are being uploaded. Start the broadcast when the upload has finished.',
    )
  }
  if (row.accepted === 0) throw new AppError('broadcast_empty', 'The broadcast has no recipients. Upload some first.')
  if (recipients === undefined || recipients === null || recipients === row.accepted) return
  throw new AppError('broadcast_changed', `The broadcast has ${row.accepted} recipients, not ${recipients}.`)
}

async function requireCost(rt: Runtime, owner: Owner, row: BroadcastRow, { max_cost: limit }: BroadcastStart) {
  if (!limit) return
  const { cost } = await estimateBroadcast(rt, owner, row.id)
  if (cost === null) {
    throw new AppError(
      'cost_limit_exceeded',
      'The cost cannot be estimated: there is no rate card for all its countries.',
    )
  }
  if (cost.currency !== limit.currency) {
    throw new AppError(
      'cost_limit_exceeded',
      `The estimate is in ${cost.currency}, and \`max_cost\` in ${limit.currency}.`,
    )
  }
  if (!isAbove(cost.amount, limit.amount)) return
  const sentence = `The broadcast may cost ${cost.amount} ${cost.currency}, more than ${limit.amount}.`
  throw new AppError('cost_limit_exceeded', sentence)
}

/** Its number is connected and its template can be sent. Gives the mark of the template. */
async function requireReady(rt: Runtime, row: BroadcastRow): Promise<string> {
  const number = await requireNumber(rt, row.account_id, { from: row.number_id })
  return markOf(await requireSendableTemplate(rt, number, { name: row.template, language: row.language }))
}

export async function pauseBroadcast(rt: Runtime, owner: Owner, id: string, author: Author) {
  const row = await requireBroadcast(rt, owner, id)
  const paused = await changeState(rt, row, author, (current) => {
    if (current.status === 'paused') return null
    if (current.status === 'scheduled') {
      return { patch: { status: 'draft', start_at: null }, action: 'broadcast.unscheduled', event: null }
    }
    if (current.status !== 'running') throw wrongState(current, 'One that runs or is scheduled can be paused.')
    return pauseFor(rt, 'by_person')
  })
  return describe(rt, paused)
}

/** Once it is on disk, nothing more is taken. */
export function pauseFor(rt: Runtime, reason: PauseReason): Change {
  return {
    patch: { status: 'paused', reason, reason_since: rt.clock.now(), hold_until: null },
    action: 'broadcast.paused',
    event: 'broadcast.paused',
  }
}

/** Goes on, with the template as it is now. */
export async function resumeBroadcast(rt: Runtime, owner: Starter, id: string, author: Author) {
  const row = await requireBroadcast(rt, owner, id)
  const template_mark = ['running', 'paused'].includes(row.status) ? await requireReady(rt, row) : row.template_mark
  const resumed = await changeState(rt, row, author, (current) => {
    if (current.status === 'running' && !isHold(current.reason)) return null
    if (current.status !== 'paused' && current.status !== 'running')
      throw wrongState(current, 'One that is paused can be resumed.')
    const patch = {
      status: 'running',
      reason: null,
      reason_since: null,
      hold_until: null,
      template_mark,
      key_id: owner.keyId,
    }
    const since = current.started_at === null ? running(rt, current) : {}
    return { patch: { ...since, ...patch }, action: 'broadcast.resumed', event: 'broadcast.resumed' }
  })
  return describe(rt, resumed)
}

/** Whose turn has not come gets nothing. What Meta was called for cannot be taken back. */
export async function cancelBroadcast(rt: Runtime, owner: Owner, id: string, author: Author) {
  const row = await requireBroadcast(rt, owner, id)
  const canceled = await changeState(rt, row, author, (current) => {
    if (current.status === 'canceled') return null
    if (current.status === 'completed' || current.status === 'draft') {
      throw wrongState(current, current.status === 'draft' ? 'Delete it instead.' : 'Everybody has a result.')
    }
    const patch = { status: 'canceled', reason: null, reason_since: null, hold_until: null, ended_at: rt.clock.now() }
    return { patch, action: 'broadcast.canceled', event: 'broadcast.canceled' }
  })
  await cancelWaiting(rt, canceled.id)
  return describe(rt, canceled)
}

const batch = 200

/** Messages that Meta did not take wait in the lane of their number. */
async function cancelWaiting(rt: Runtime, broadcast_id: string): Promise<void> {
  const open = await rt.store.read(findOpenMessage, { broadcast_id, count: batch })
  const rows = await rt.store.read(findMessagesById, { ids: open.map(({ id }) => id) })
  const waiting = rows.filter(({ status }) => status === 'waiting')
  await Promise.all(waiting.map((message) => cancelOne(rt, message)))
  if (waiting.length === batch) return cancelWaiting(rt, broadcast_id)
}

function wrongState({ status }: BroadcastRow, possible: string): AppError {
  return new AppError('broadcast_state', `The broadcast is ${status}. ${possible}`)
}

type BroadcastEvent = Extract<EventType, `broadcast.${string}`>

type Change = {
  patch: Partial<BroadcastRow>
  /** As the audit log names it. */
  action: string
  event: BroadcastEvent | null
  /** What else happens in the same unit. */
  with?: (unit: Unit) => void
}

export const byGateway: Author = { actor: gateway, context: { ip: null, user_agent: null, request_id: null } }

const triesMax = 20

/**
 * Changes a broadcast with its event and its line in the audit log. `decide` looks at it as it is, and again when another
 * writer was faster; null leaves it as it is.
 */
export async function changeState(
  rt: Runtime,
  first: BroadcastRow,
  author: Author,
  decide: (row: BroadcastRow) => Promise<Change | null> | Change | null,
): Promise<BroadcastRow> {
  for (let row = first, tries = 1; ; tries++) {
    const change = await decide(row)
    if (change === null) return row
    try {
      return await write(rt, row, author, change)
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries >= triesMax) throw error
      const [stored] = await rt.store.read(findBroadcast, { account_id: row.account_id, id: row.id })
      if (!stored) throw error
      row = stored
    }
  }
}

async function write(rt: Runtime, row: BroadcastRow, author: Author, change: Change): Promise<BroadcastRow> {
  const { patch, action, event } = change
  const now = rt.clock.now()
  const next = { ...row, ...patch, updated_at: now, sequence: row.sequence + (event ? 1 : 0) }
  const data = event && (await describe(rt, next, event === 'broadcast.completed' ? 'end' : 'change'))
  const { actor, context } = author
  const targets = [{ type: 'broadcast', id: row.id, name: row.name }]
  const metadata = { status: next.status, reason: next.reason, recipients: row.accepted }
  await writeAudited(rt, { accountId: row.account_id, action, actor, context, targets, metadata }, (unit) => {
    unit.add(saveBroadcast, next)
    change.with?.(unit)
    if (!event || !data) return
    publishEvent(rt, unit, {
      accountId: row.account_id,
      type: event,
      subject: row.id,
      sequence: next.sequence,
      data: { ...data, timestamp: formatInstant(now) },
    })
  })
  return { ...next, revision: row.revision + 1 }
}
