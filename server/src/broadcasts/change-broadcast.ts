import { type Author, writeAudited } from '../audit/audit.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import type { BroadcastChanges } from '../contract/broadcasts/draft.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, deleteBroadcast, saveBroadcast } from '../store/broadcasts/broadcasts.ts'
import { deleteGroups, deleteSkips, findGroups, postponeGroup } from '../store/broadcasts/recipients.ts'
import { dropUploads, findUploads } from '../store/broadcasts/uploads.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { describe, type Owner, requireBroadcast } from './broadcast.ts'
import { eventsOf, quietText, requireFitting, requireLanguage, requireReadable } from './draft-fields.ts'
import { compilePattern } from './recipients/check-row.ts'
import { validMs } from './start-broadcast.ts'

const ofDraft = ['from', 'template', 'language', 'components'] as const

export async function changeBroadcast(
  rt: Runtime,
  owner: Owner,
  id: string,
  changes: BroadcastChanges,
  author: Author,
) {
  requireReadable(changes.components, null)
  const row = await requireBroadcast(rt, owner, id)
  if (row.status === 'completed' || row.status === 'canceled') {
    throw new AppError('broadcast_state', `The broadcast is ${row.status}, and cannot be changed. Copy it instead.`)
  }
  const frozen = ofDraft.find((field) => changes[field] !== undefined)
  if (frozen && row.status !== 'draft') {
    throw new AppError(
      'broadcast_state',
      `The broadcast is ${row.status}. \`${frozen}\` can be changed in a draft only.`,
    )
  }
  const next = { ...row, ...(await changed(rt, owner, row, changes)), updated_at: rt.clock.now() }
  const line = { accountId: owner.accountId, action: 'broadcast.changed', ...author, targets: targetsOf(row) }
  // Groups wait for the end of the quiet hours as they were.
  const groups = changes.quiet_hours === undefined ? [] : await rt.store.read(findGroups, { broadcast_id: row.id })
  const postponed = groups.filter(({ due_at }) => due_at > 0).map((group) => ({ ...group, due_at: 0 }))
  try {
    await writeAudited(rt, { ...line, metadata: { fields: Object.keys(changes) } }, (unit) => {
      unit.add(saveBroadcast, next)
      if (postponed.length > 0) unit.add(postponeGroup, ...postponed)
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('concurrent_change', 'The broadcast was changed at the same time. Read it again and retry.')
  }
  return describe(rt, { ...next, revision: row.revision + 1 })
}

async function changed(
  rt: Runtime,
  owner: Owner,
  row: BroadcastRow,
  {
    name,
    from,
    template,
    language,
    components,
    quiet_hours,
    valid_for,
    max_per_second,
    message_events,
  }: BroadcastChanges,
): Promise<Partial<BroadcastRow>> {
  const patch: Partial<BroadcastRow> = {
    ...(name === undefined ? {} : { name }),
    ...(quiet_hours === undefined ? {} : { quiet_hours: quietText(quiet_hours) }),
    // It looks again whether it is quiet.
    ...(quiet_hours !== undefined && row.reason === 'quiet_hours' ? { hold_until: rt.clock.now() } : {}),
    ...(valid_for === undefined
      ? {}
      : { valid_for, expires_at: row.started_at && row.started_at + validMs(rt, valid_for) }),
    ...(max_per_second === undefined ? {} : { max_per_second }),
    ...(message_events === undefined ? {} : { message_events: eventsOf(message_events) }),
  }
  if (ofDraft.every((field) => ({ from, template, language, components })[field] === undefined)) return patch
  const wanted = {
    name: template ?? row.template,
    language: language === undefined ? row.language : requireLanguage(language),
  }
  const filled = components === undefined ? JSON.parse(row.components) : components
  const number = await requireNumber(rt, owner.accountId, {
    from: from ?? row.number_id,
    allowedIds: owner.phoneNumberIds,
  })
  await requireFitting(rt, number, wanted, filled)
  await requireColumns(rt, row, filled)
  return {
    ...patch,
    number_id: number.id,
    template: wanted.name,
    language: wanted.language,
    components: JSON.stringify(filled),
  }
}

/** The uploaded list must have the columns that the new values name. */
async function requireColumns(rt: Runtime, { id }: BroadcastRow, components: unknown): Promise<void> {
  const uploads = await rt.store.read(findUploads, { broadcast_id: id })
  for (const { columns } of uploads.filter(({ state }) => state === 'complete')) {
    const known = JSON.parse(columns) as string[]
    const missing = compilePattern(components).columns.find(({ name, optional }) => !optional && !known.includes(name))
    if (!missing) continue
    const message = `The uploaded recipients have no column '${missing.name}'. They have: ${known.join(', ').slice(0, 300)}.`
    throw invalidField('components', 'invalid_value', message)
  }
}

const targetsOf = ({ id, name }: BroadcastRow) => [{ type: 'broadcast', id, name }]

/** A draft, or one that has ended; its messages stay. */
export async function removeBroadcast(rt: Runtime, owner: Owner, id: string, author: Author) {
  const row = await requireBroadcast(rt, owner, id)
  if (!['draft', 'completed', 'canceled'].includes(row.status)) {
    throw new AppError('broadcast_state', `The broadcast is ${row.status}. Cancel it before you delete it.`)
  }
  await dropDraft(rt, row, author)
  return { id: row.id, deleted: true as const }
}

/** With all that belongs to it; the rows of its recipients go bit by bit. */
export async function dropDraft(rt: Runtime, row: BroadcastRow, author: Author): Promise<void> {
  const line = { accountId: row.account_id, action: 'broadcast.deleted', ...author, targets: targetsOf(row) }
  try {
    await writeAudited(rt, line, (unit) => {
      unit.add(deleteBroadcast, { id: row.id, account_id: row.account_id, revision: row.revision })
      unit.add(deleteGroups, { broadcast_id: row.id })
      unit.add(deleteSkips, { broadcast_id: row.id })
      unit.add(dropUploads, { broadcast_id: row.id, before_group: Number.MAX_SAFE_INTEGER })
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('concurrent_change', 'The broadcast was changed at the same time. Read it again and retry.')
  }
}
