import { type Author, writeAudited } from '../audit/audit.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import type { BroadcastDraft } from '../contract/broadcasts/draft.ts'
import type { BroadcastCopy, RecipientResult } from '../contract/broadcasts/recipients.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, insertBroadcast } from '../store/broadcasts/broadcasts.ts'
import { findGroups } from '../store/broadcasts/recipients.ts'
import { type ResultRow, readCells } from '../store/broadcasts/results.ts'
import { findUploads } from '../store/broadcasts/uploads.ts'
import { describe, type Owner, requireBroadcast } from './broadcast.ts'
import { dropDraft } from './change-broadcast.ts'
import { eventsOf, quietText, requireFitting, requireLanguage, requireReadable } from './draft-fields.ts'
import { type RowSource, readObjectRows, type UploadedRow } from './recipients/read-rows.ts'
import { uploadTo } from './recipients/receive-upload.ts'
import { fits, resultOf, stretchesOf } from './results.ts'
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
    const left = await requireBroadcast(rt, owner, row.id)
    // The start was stored and its answer lost: who is told that it failed starts another one.
    if (left.status !== 'draft') return describe(rt, left)
    await dropDraft(rt, left, author)
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

/** Recipients who may already have the message, or get it when the broadcast resumes. */
const reached: readonly RecipientResult[] = ['sent', 'delivered', 'read', 'unknown', 'under_way', 'waiting']
/** Meta limits how much marketing a person gets; a second try within a day makes that worse. */
const limited = 'recipient_marketing_limited'

/** A new draft with the same message, and those recipients of the old one who had one of these results. */
export async function copyBroadcast(
  rt: Runtime,
  owner: Owner & { keyId: string | null },
  id: string,
  wanted: BroadcastCopy,
  author: Author,
) {
  const row = await requireBroadcast(rt, owner, id)
  if (row.status === 'draft' || row.status === 'scheduled') {
    throw new AppError('broadcast_state', `The broadcast is ${row.status}: there are no results yet.`)
  }
  const twice = wanted.results.find((result) => reached.includes(result))
  if (twice && !wanted.accept_duplicates) {
    const message = `Recipients with the result ${twice} may get the message twice. Give \`accept_duplicates\` to copy them.`
    throw invalidField('results', 'invalid_value', message)
  }
  const { name, number_id: from, template, language } = row
  const draft = await createBroadcast(
    rt,
    owner,
    {
      name: wanted.name ?? `${name} (copy)`.slice(0, 120),
      from,
      template,
      language,
      components: JSON.parse(row.components),
      quiet_hours: row.quiet_hours === null ? null : JSON.parse(row.quiet_hours),
      valid_for: row.valid_for,
      max_per_second: row.max_per_second,
      message_events: row.message_events as 'failed' | 'none' | null,
    },
    author,
  )
  const copy = await requireBroadcast(rt, owner, draft.id)
  const left: LeftOut = { until: null }
  try {
    await uploadTo(rt, copy, await sourceOf(rt, row, wanted, left), { dryRun: false, replace: false })
    return await describe(rt, await requireBroadcast(rt, owner, copy.id))
  } catch (error) {
    await dropDraft(rt, await requireBroadcast(rt, owner, copy.id), author)
    throw noneOf(error, wanted, left)
  }
}

/** When all recipients that Meta limited less than a day ago can be copied; null if there are none. */
type LeftOut = { until: number | null }

function noneOf(error: unknown, { results, codes }: BroadcastCopy, { until }: LeftOut): unknown {
  if (!(error instanceof AppError && error.code === 'validation_failed')) return error
  const chosen = `the result ${results.join(' or ')}${codes ? ` with ${codes.join(' or ')}` : ''}`
  const message =
    until === null
      ? `No recipient has ${chosen}.`
      : `Meta limited marketing to every recipient with ${chosen} less than a day ago. Copy them after ${formatInstant(until)}.`
  return new AppError('broadcast_empty', message)
}

/** The recipients as an upload: with the columns of all uploads of the old one. */
async function sourceOf(rt: Runtime, row: BroadcastRow, wanted: BroadcastCopy, left: LeftOut): Promise<RowSource> {
  const uploads = await rt.store.read(findUploads, { broadcast_id: row.id })
  const columnsOf = new Map(uploads.map(({ id, columns }) => [id, JSON.parse(columns) as string[]]))
  const columns = [...new Set([...columnsOf.values()].flat())]
  const zones = new Map(
    (await rt.store.read(findGroups, { broadcast_id: row.id })).map((group) => [group.group_no, group.zone]),
  )
  async function* rows() {
    let line = 0
    for await (const stretch of stretchesOf(rt, row, { group: 0, place: 0 })) {
      const chosen = stretch.filter((found) => isChosen(rt, row, found, wanted, left))
      const [first, last] = [chosen[0], chosen.at(-1)]
      if (!first || !last) continue
      const range = { broadcast_id: row.id, group_no: first.group_no, first: first.place, last: last.place }
      const stored = new Map((await rt.store.read(readCells, range)).map((recipient) => [recipient.place, recipient]))
      yield chosen.flatMap((found): UploadedRow[] => {
        const recipient = stored.get(found.place)
        if (!recipient) return []
        const own = columnsOf.get(found.upload_id) ?? []
        const values = JSON.parse(recipient.cells) as (string | null)[]
        const cells = columns.map((name) => values[own.indexOf(name)] ?? '')
        const reference = recipient.client_reference ?? ''
        return [{ line: ++line, to: recipient.address, cells, reference, zone: zones.get(found.group_no) ?? '' }]
      })
    }
  }
  return { columns, rows: rows() }
}

function isChosen(
  rt: Runtime,
  row: BroadcastRow,
  found: ResultRow,
  { results, codes, accept_duplicates: accepted }: BroadcastCopy,
  left: LeftOut,
): boolean {
  const seen = resultOf(row, found)
  // They got it under another address.
  if (seen.result === 'skipped' && seen.code === 'duplicate' && !accepted) return false
  if (codes && !codes.includes(seen.code ?? '')) return false
  if (!results.some((result) => fits(seen, { result, code: null }))) return false
  const limitedUntil = seen.code === limited ? (found.failed_at ?? 0) + dayMs : 0
  if (limitedUntil <= rt.clock.now()) return true
  left.until = Math.max(left.until ?? 0, limitedUntil)
  return false
}
