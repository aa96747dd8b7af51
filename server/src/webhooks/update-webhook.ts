import { type AuditEntry, type Author, writeChange } from '../audit/audit.ts'
import { validationFailed } from '../contract/app-error.ts'
import { events, eventTypes, wantsEvent } from '../contract/events.ts'
import { bodyProblem } from '../contract/schema.ts'
import type { WebhookChanges } from '../contract/webhooks.ts'
import { enforced } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { CallHandle, Unit } from '../store/engine/unit.ts'
import { cancelWaiting, moveWaiting } from '../store/webhooks/deliveries.ts'
import { forgiveWebhook } from '../store/webhooks/webhook-states.ts'
import {
  deleteWebhookState,
  releaseWebhook,
  deleteWebhook as remove,
  updateWebhook as update,
  type WebhookRow,
} from '../store/webhooks/webhooks.ts'
import { countCancelled } from './delivery/report-attempt.ts'
import { generateSecret } from './delivery/sign-delivery.ts'
import {
  eventList,
  eventText,
  getWebhook,
  noSuchWebhook,
  type WebhookView,
  webhookLine,
  webhookOf,
} from './find-webhook.ts'
import { outliveReadings } from './queue/webhook-queue.ts'
import { checkWebhookUrl, sealSecret, unverified, type WebhookEditor } from './register-webhook.ts'

/** Changes the given fields and leaves the others. */
export async function updateWebhook(
  rt: Runtime,
  accountId: string,
  id: string,
  requested: WebhookChanges,
  { author = null, seesPeople = true }: WebhookEditor = {},
): Promise<WebhookView> {
  const changes = given(requested)
  if (typeof changes.url === 'string') await checkWebhookUrl(rt, accountId, changes.url)
  const line = (row: WebhookRow) => webhookLine(author, 'webhook.updated', row, { fields: Object.keys(changes) })
  const change = (before: WebhookRow) => {
    const after = changed(rt, before, changes)
    return { ...after, masked: maskedAfter(before, after, { seesPeople, namesUrl: typeof changes.url === 'string' }) }
  }
  await changeWebhook(rt, accountId, id, { change, line })
  return getWebhook(rt, accountId, id)
}

/**
 * Nobody hands out more than they have: who sees no people cannot send them to another address, nor more about them to
 * this one. Who does ends the masking by naming the address: any other change may be made without a thought of it.
 */
function maskedAfter(
  before: WebhookRow,
  after: WebhookRow,
  { seesPeople, namesUrl }: { seesPeople: boolean; namesUrl: boolean },
): number {
  if (seesPeople) return namesUrl ? 0 : before.masked
  const [had, has] = [eventList(before.events), eventList(after.events)]
  const widened = eventTypes.some((type) => events[type].personal && wantsEvent(has, type) && !wantsEvent(had, type))
  return widened || after.url !== before.url ? 1 : before.masked
}

const clearable = ['secret', 'description', 'max_per_second']

/** Null clears what a webhook may be without; anywhere else it is the same as leaving the field out. */
function given(requested: WebhookChanges): WebhookChanges {
  const entries = Object.entries(requested).filter(([, value]) => value !== undefined)
  const changes = entries.filter(([field, value]) => value !== null || clearable.includes(field))
  if (changes.length > 0) return Object.fromEntries(changes)
  const message = 'Null has no effect here. Give a value for at least one field.'
  throw validationFailed(entries.map(([field]) => bodyProblem(field, 'required', message)))
}

const triesMax = 5

/**
 * Another change at the same moment is seen and taken into account, never overwritten. Holds for all that starts
 * afterwards.
 */
async function changeWebhook(
  rt: Runtime,
  accountId: string,
  id: string,
  { change, line }: { change: (row: WebhookRow) => WebhookRow; line: (row: WebhookRow) => AuditEntry | null },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = await webhookOf(rt, accountId, id)
    try {
      const after = { ...change(before), updated_at: rt.clock.now() }
      await writeChange(rt, line(after), (unit) => addUpdate(rt, unit, before, after))
      return await outliveReadings()
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries === triesMax) throw error
    }
  }
}

function changed(rt: Runtime, row: WebhookRow, changes: WebhookChanges): WebhookRow {
  const now = rt.clock.now()
  const { url, events: wanted, secret, active, description, max_in_flight, max_per_second } = changes
  const moved = typeof url === 'string' && url !== row.url
  const switchedOn = active === true && row.active === 0
  // Another party may own the address by now; a caller that switched it off by hand is trusted.
  const proveAgain = moved || (switchedOn && row.disabled_reason !== null)
  return {
    ...row,
    ...(typeof url === 'string' ? { url } : {}),
    ...(wanted ? { events: eventText(wanted) } : {}),
    ...(typeof active === 'boolean' ? { active: active ? 1 : 0 } : {}),
    ...(description !== undefined ? { description } : {}),
    ...(typeof max_in_flight === 'number' ? { max_in_flight } : {}),
    ...(max_per_second !== undefined ? { max_per_second } : {}),
    ...(secret !== undefined ? newSecret(rt, row.id, secret) : {}),
    ...(switchedOn ? { disabled_at: null, disabled_reason: null } : {}),
    ...(proveAgain ? unverified(rt, now) : {}),
  }
}

/** Replaces at once; rotate-secret is the way with an overlap. */
function newSecret(rt: Runtime, id: string, secret: string | null) {
  const sealed = secret === null ? null : sealSecret(rt, id, secret)
  return { secret: sealed, previous_secret: null, previous_secret_until: null }
}

/**
 * Pending deliveries follow the webhook: they are held for an unverified address and skipped by an inactive one. A new
 * address doesn't inherit the failures of the old one.
 */
function addUpdate(rt: Runtime, unit: Unit, before: WebhookRow, after: WebhookRow): void {
  const moved = after.url !== before.url
  unit.add(update, after)
  if (moved || (after.active === 1 && before.active === 0)) unit.add(forgiveWebhook, { webhook_id: after.id })
  if (after.active === 0 && before.active === 1) unit.add(moveWaiting, { webhook_id: after.id, status: 'skipped' })
  else if (moved && enforced(rt) === 1) unit.add(moveWaiting, { webhook_id: after.id, status: 'held' })
}

/** Nothing starts after this; what is under way may finish. The log stays until its retention ends. */
export async function deleteWebhook(
  rt: Runtime,
  accountId: string,
  id: string,
  author: Author | null = null,
): Promise<{ id: string; deleted: true }> {
  const line = webhookLine(author, 'webhook.deleted', await webhookOf(rt, accountId, id))
  let cancelled: CallHandle<(typeof cancelWaiting)['returns']> | undefined
  const result = await writeChange(rt, line, (unit) => {
    unit.add(remove, { id, account_id: accountId })
    unit.add(deleteWebhookState, { webhook_id: id })
    unit.add(releaseWebhook, { account_id: accountId })
    cancelled = unit.add(cancelWaiting, { webhook_id: id })
  }).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? noSuchWebhook(id) : error
  })
  if (cancelled) countCancelled(rt, result.rows(cancelled))
  await outliveReadings()
  return { id, deleted: true }
}

type Rotation = { secret?: string | null; overlap_seconds?: number | null }

const overlapSecondsDefault = 86_400

/**
 * A new secret, the caller's or a random one. The old one keeps signing beside it while receivers change over. Two sign
 * at most: a rotation within the overlap of another ends the oldest at once, and says so.
 */
export async function rotateSecret(
  rt: Runtime,
  accountId: string,
  id: string,
  rotation: Rotation,
  author: Author | null = null,
) {
  const secret = rotation.secret ?? generateSecret()
  const now = rt.clock.now()
  const until = now + (rotation.overlap_seconds ?? overlapSecondsDefault) * 1_000
  let previousUntil: number | null = null
  let earlierEnded = false
  const rotated = (row: WebhookRow): WebhookRow => {
    earlierEnded = row.previous_secret !== null && (row.previous_secret_until ?? 0) > now
    previousUntil = row.secret === null ? null : until
    const previous = { previous_secret: row.secret, previous_secret_until: previousUntil }
    return { ...row, ...previous, secret: sealSecret(rt, id, secret) }
  }
  await changeWebhook(rt, accountId, id, {
    change: rotated,
    line: (row) => webhookLine(author, 'webhook.secret_rotated', row),
  })
  return {
    id,
    secret,
    previous_secret_expires_at: formatInstant(previousUntil),
    earlier_secret_ended: earlierEnded,
  }
}
