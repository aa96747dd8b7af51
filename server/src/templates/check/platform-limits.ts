import { AppError } from '../../contract/app-error.ts'
import { bodyProblem } from '../../contract/field-codes.ts'
import { dayMs } from '../../lib/durations.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { readDeletions, readStatusChanges } from '../../store/templates/template-changes.ts'
import type { TemplateContent } from '../content/template-types.ts'
import type { StoredTemplate } from '../stored-template.ts'
import type { TemplateChannel } from '../template-channel.ts'
import type { FieldChange } from '../template-event.ts'

const monthMs = 30 * dayMs
const editsPerMonth = 10

/**
 * The platform takes one edit of an approved template in 24 hours and ten in 30 days; rejected and paused ones may be
 * edited at will. Edits made elsewhere are unknown here, and left to the platform to count.
 */
export async function requireEditLeft(rt: Runtime, { account_id, id, status }: StoredTemplate): Promise<void> {
  if (status !== 'approved') return
  const now = rt.clock.now()
  const params = { account_id, template_id: id, since: now - monthMs }
  const changes = await rt.store.read(readStatusChanges, params)
  const edits = changes.filter(({ cause, diff }) => cause === 'api' && isEditOfApproved(diff)).map(({ at }) => at)
  const [last = 0] = edits
  if (last > now - dayMs) throw tooManyEdits('once in 24 hours', last + dayMs)
  const tenth = edits[editsPerMonth - 1]
  if (tenth !== undefined) throw tooManyEdits('ten times in 30 days', tenth + monthMs)
}

/** The platform blocks the name of an approved template for 30 days once it is deleted. */
export async function requireFreeName(
  rt: Runtime,
  { accountId, channelId }: Pick<TemplateChannel, 'accountId' | 'channelId'>,
  { name, language }: Pick<TemplateContent, 'name' | 'language'>,
): Promise<void> {
  const since = rt.clock.now() - monthMs
  const params = { account_id: accountId, channel_id: channelId, name, language, since }
  const deleted = (await rt.store.read(readDeletions, params)).find(({ diff }) => cameFromApproved(diff))
  if (!deleted) return
  const message =
    `The approved template ${name} (${language}) was deleted; Meta blocks its name until ` +
    `${formatInstant(deleted.at + monthMs)}. Use another name.`
  throw new AppError('template_invalid', message, { details: [bodyProblem('name', 'invalid_value', message)] })
}

function tooManyEdits(often: string, nextAt: number): AppError {
  const message = `An approved template can be edited ${often}. The next edit is possible at ${formatInstant(nextAt)}.`
  return new AppError('template_locked', message)
}

/** It waits beside the approved content; before there was room for that, it took the template out of use. */
function isEditOfApproved(diff: string): boolean {
  const isNew = ({ field, from }: FieldChange) => field === 'pending_edit' && from === null
  return cameFromApproved(diff) || (JSON.parse(diff) as FieldChange[]).some(isNew)
}

function cameFromApproved(diff: string): boolean {
  return (JSON.parse(diff) as FieldChange[]).some(({ field, from }) => field === 'status' && from === 'approved')
}
