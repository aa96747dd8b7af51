import { type Author, writeAudited } from '../audit/audit.ts'
import { requireNumber } from '../channels/require-number.ts'
import { invalidField } from '../contract/app-error.ts'
import type { BroadcastDraft } from '../contract/broadcasts/draft.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, insertBroadcast } from '../store/broadcasts/broadcasts.ts'
import { describe, type Owner, requireBroadcast } from './broadcast.ts'
import { dropDraft } from './change-broadcast.ts'
import { eventsOf, quietText, requireFitting, requireLanguage, requireReadable } from './draft-fields.ts'
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
