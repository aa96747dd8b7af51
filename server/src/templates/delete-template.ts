import type { Author } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { changeTemplate } from './change-template.ts'
import { requireTemplate, templateLine } from './get-template.ts'
import { toRefusal } from './platform-refusal.ts'
import { findChannelOf, type TemplateChannel } from './template-channel.ts'
import { canBecome } from './template-status.ts'

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

export async function deleteAtPlatform(
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
