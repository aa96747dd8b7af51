import type { Author } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { changeTemplate } from './change-template.ts'
import { requireTemplate, templateLine } from './get-template.ts'
import { contentOf, type StoredTemplate } from './stored-template.ts'
import { findChannelOf, type TemplateChannel } from './sync/sync-templates.ts'
import { toRefusal, withHandles } from './template-sample.ts'
import { applyPlatformStatus, canBecome } from './template-status.ts'

/**
 * Hands a draft to the platform for review. Its answer may already be a verdict, and may name another category. What
 * happened here in the meantime gives way to what is there now: an edit to what was submitted, a deletion to none.
 */
export async function submitTemplate(
  rt: Runtime,
  channel: TemplateChannel,
  draft: StoredTemplate,
  author: Author | null = null,
): Promise<StoredTemplate> {
  const submission = { content: await withHandles(rt, channel, contentOf(draft)) }
  const created = await rt.platform.createTemplate(channel.credentials, submission).catch(refuse)
  const at = rt.clock.now()
  const line = templateLine(author, 'template.submitted', draft)
  const change = { accountId: draft.account_id, id: draft.id, cause: 'api' as const, line }
  const submitted = await changeTemplate(rt, change, (now) => {
    const known = { ...now, channel_template_id: created.templateId, submitted_at: at }
    // A callback or a deletion was faster: that stands.
    if (now.status !== 'draft') return known
    const category = created.category ?? draft.category
    return {
      ...known,
      ...contentOf(draft),
      category,
      ...(applyPlatformStatus(now, { status: created.status, at }) ?? { status: 'pending' }),
    }
  })
  if (submitted?.status === 'deleted') {
    await deleteAtPlatform(rt, channel, { name: draft.name, templateId: created.templateId })
  }
  return submitted ?? draft
}

function refuse(error: unknown): never {
  throw toRefusal(error)
}

/** Deletes one language of a template, at the platform first. Its record stays, hidden, with its history. */
export async function deleteTemplate(
  rt: Runtime,
  accountId: string,
  id: string,
  author: Author | null = null,
): Promise<{ id: string; deleted: true }> {
  const template = await requireTemplate(rt, accountId, id)
  if (!canBecome(template.status, 'deleted')) {
    throw new AppError('template_locked', `A template that is ${template.status} cannot be deleted.`)
  }
  const { name, channel_template_id: templateId } = template
  // Where the channel is gone nobody can be asked; the record would be in the way for ever.
  const channel =
    templateId === null ? undefined : await findChannelOf(rt, { accountId, channelId: template.channel_id })
  if (channel && templateId !== null) await deleteAtPlatform(rt, channel, { name, templateId })
  const line = templateLine(author, 'template.deleted', template)
  await changeTemplate(rt, { accountId, id, cause: 'api', line }, (now) => ({
    ...now,
    status: 'deleted',
    status_reason: null,
    previous_status: null,
  }))
  return { id, deleted: true }
}

async function deleteAtPlatform(
  rt: Runtime,
  { credentials }: TemplateChannel,
  template: { name: string; templateId: string },
): Promise<void> {
  await rt.platform.deleteTemplate(credentials, template).catch(ignoreGone)
}

/** Deleted there already is as good as deleted. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof PlatformError && error.code === 'template_not_found')) throw toRefusal(error)
}
