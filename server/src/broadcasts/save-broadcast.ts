import { type Author, writeAudited } from '../audit/audit.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError, invalidField, validationFailed } from '../contract/app-error.ts'
import type { BroadcastChanges, BroadcastDraft } from '../contract/broadcasts/broadcasts.ts'
import { parseLanguage } from '../lib/text/language.ts'
import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import {
  type BroadcastRow,
  broadcastListing,
  deleteBroadcast,
  insertBroadcast,
  saveBroadcast,
} from '../store/broadcasts/broadcasts.ts'
import { deleteGroups, deleteSkips } from '../store/broadcasts/recipients.ts'
import { dropUploads, findUploads } from '../store/broadcasts/uploads.ts'
import { readList } from '../store/engine/list.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { TemplateRecord } from '../templates/content/template-types.ts'
import { requireSendableTemplate } from '../templates/find-template.ts'
import { matchParameters } from '../templates/values/match-parameters.ts'
import { readSendComponents } from '../templates/values/read-send-components.ts'
import { describe, type Owner, requireBroadcast } from './broadcast.ts'
import { compilePattern } from './pattern.ts'
import { readQuietHours } from './quiet-hours.ts'
import { isTimeZone } from './recipients/check-row.ts'
import { readObjectRows } from './recipients/read-rows.ts'
import { uploadTo } from './recipients/receive-upload.ts'
import { startBroadcast } from './start-broadcast.ts'

const validForDefault = 259_200
/** No group has a number below it, so that the first upload begins at a round one. */
const firstGroup = 0

/** A draft; with recipients in the same request and its start, all of it or nothing. */
export async function createBroadcast(
  rt: Runtime,
  owner: Owner & { keyId: string | null },
  draft: BroadcastDraft,
  author: Author,
) {
  const { recipients, start = false, start_at: startAt } = draft
  if ((start || startAt) && !recipients) {
    throw invalidField(
      'recipients',
      'required',
      'A broadcast that starts at once needs recipients in the same request.',
    )
  }
  const row = await rowOf(rt, owner, draft)
  const targets = [{ type: 'broadcast', id: row.id, name: row.name }]
  const line = { accountId: owner.accountId, action: 'broadcast.created', ...author, targets }
  await writeAudited(rt, line, (unit) => unit.add(insertBroadcast, row))
  if (!recipients) return describe(rt, row)
  try {
    const upload = await uploadTo(rt, row, readObjectRows(recipients), { dryRun: false, replace: false })
    const [problem] = upload.problems
    if ((start || startAt) && problem) {
      const place = problem.column === null ? '' : `.${problem.column === 'to' ? 'to' : `values.${problem.column}`}`
      throw invalidField(`recipients[${problem.line - 1}]${place}`, 'invalid_value', problem.message)
    }
    const filled = await requireBroadcast(rt, owner, row.id)
    if (!start && !startAt) return await describe(rt, filled)
    return await startBroadcast(rt, owner, row.id, { start_at: startAt ?? null }, author)
  } catch (error) {
    await dropDraft(rt, await requireBroadcast(rt, owner, row.id), author)
    throw error
  }
}

async function rowOf(
  rt: Runtime,
  owner: Owner & { keyId: string | null },
  draft: BroadcastDraft,
): Promise<BroadcastRow> {
  const language = requireLanguage(draft.language)
  const components = draft.components ?? null
  requireReadable(components, language)
  const number = await requireNumber(rt, owner.accountId, {
    from: draft.from ?? null,
    allowedIds: owner.phoneNumberIds,
  })
  await requireFitting(rt, number, { name: draft.template, language }, components)
  const now = rt.clock.now()
  return {
    id: rt.newId('bct'),
    account_id: owner.accountId,
    number_id: number.id,
    name: draft.name,
    status: 'draft',
    reason: null,
    reason_since: null,
    hold_until: null,
    template: draft.template,
    language,
    components: JSON.stringify(components),
    quiet_hours: quietText(draft.quiet_hours),
    valid_for: draft.valid_for ?? validForDefault,
    max_per_second: draft.max_per_second ?? null,
    message_events: eventsOf(draft.message_events),
    template_mark: null,
    accepted: 0,
    taken: 0,
    next_group: firstGroup,
    uploading_until: null,
    start_at: null,
    started_at: null,
    expires_at: null,
    ended_at: null,
    key_id: owner.keyId,
    created_at: now,
    updated_at: now,
    sequence: 0,
    revision: 1,
  }
}

/** In place of a column: one of them is of the form that the values around it need. */
const plainCells = [() => '1', () => 'a', () => 'https://example.com/a']

/** What the document forbids is refused for that, whether or not the template is known. */
function requireReadable(components: unknown, language: string | null): void {
  const pattern = compilePattern(components)
  const read = plainCells.map((cellOf) => readSendComponents(pattern.fill(cellOf) ?? undefined, language ?? 'en'))
  const [first] = read
  if (first && read.every(({ problems }) => problems.length > 0)) throw validationFailed(first.problems)
}

/** The template exists, can be sent, and takes these components with a plain value in place of each column. */
export async function requireFitting(
  rt: Runtime,
  number: Parameters<typeof requireSendableTemplate>[1],
  wanted: { name: string; language: string },
  components: unknown,
): Promise<TemplateRecord> {
  const template = await requireSendableTemplate(rt, number, wanted)
  const pattern = compilePattern(components)
  const tried = plainCells.map((cellOf) => matchParameters(template, pattern.fill(cellOf) ?? undefined))
  const [first] = tried
  if (!first || tried.some(({ ok }) => ok) || first.ok) return template
  throw new AppError(first.error, first.problems[0]?.message ?? 'The values do not fit the template.', {
    details: first.problems,
  })
}

function requireLanguage(input: string): string {
  const language = parseLanguage(input)
  if (language !== null) return language
  throw invalidField('language', 'invalid_language', 'Write the language as en, en_US or pt_BR.')
}

function quietText(quiet: BroadcastDraft['quiet_hours']): string | null {
  if (!quiet) return null
  const { time_zone: zone } = quiet
  if (zone !== 'recipient' && !isTimeZone(zone)) {
    throw invalidField('quiet_hours.time_zone', 'invalid_value', 'Write `recipient`, or a time zone as Europe/Lisbon.')
  }
  return JSON.stringify(readQuietHours(quiet))
}

function eventsOf(events: BroadcastDraft['message_events']): string | null {
  return events === undefined || events === null || events === 'all' ? null : events
}

export async function getBroadcast(rt: Runtime, owner: Owner, id: string) {
  return describe(rt, await requireBroadcast(rt, owner, id))
}

export async function listBroadcasts(
  rt: Runtime,
  { accountId, phoneNumberIds }: Owner,
  { status, ...page }: PageRequest & { status: string | null },
) {
  const boundTo = ['broadcasts', accountId, { status: status ?? undefined, numbers: phoneNumberIds?.join(' ') }]
  const listing = broadcastListing(accountId, {
    statuses: status === null ? null : [status],
    numberIds: phoneNumberIds,
  })
  const { shown, pagination } = await readPage(rt, listing, { ...page, boundTo }, (stretch) =>
    readList(rt.store, accountId, listing, stretch),
  )
  return { broadcasts: await Promise.all(shown.map((row) => describe(rt, row))), pagination }
}

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
  try {
    await writeAudited(rt, { ...line, metadata: { fields: Object.keys(changes) } }, (unit) =>
      unit.add(saveBroadcast, next),
    )
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('concurrent_change', 'The broadcast was changed at the same moment. Read it and try again.')
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
    ...(valid_for === undefined ? {} : { valid_for, expires_at: row.started_at && row.started_at + valid_for * 1_000 }),
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

/** What was uploaded must have the columns that are named now. */
async function requireColumns(rt: Runtime, { id }: BroadcastRow, components: unknown): Promise<void> {
  const uploads = await rt.store.read(findUploads, { broadcast_id: id })
  for (const { columns } of uploads.filter(({ state }) => state === 'complete')) {
    const known = JSON.parse(columns) as string[]
    const missing = compilePattern(components).columns.find(({ name, optional }) => !optional && !known.includes(name))
    if (!missing) continue
    const message = `The recipients that were uploaded have no column '${missing.name}'. They have: ${known.join(', ').slice(0, 300)}.`
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
    throw new AppError('concurrent_change', 'The broadcast was changed at the same moment. Read it and try again.')
  }
}
