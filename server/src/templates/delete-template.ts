import { AppError } from '../contract/app-error.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { changeTemplate } from './change-template.ts'
import { requireTemplate } from './get-template.ts'
import { toRefusal } from './platform-refusal.ts'
import { requireChannelOf } from './template-channel.ts'
import { canBecome } from './template-status.ts'

/** Deletes one language of a template, at the platform first. Its record stays, hidden, with its history. */
export async function deleteTemplate(
  rt: Runtime,
  accountId: string,
  id: string,
): Promise<{ id: string; deleted: true }> {
  const template = await requireTemplate(rt, accountId, id)
  if (!canBecome(template.status, 'deleted')) {
    throw new AppError('template_locked', `A template that is ${template.status} cannot be deleted.`)
  }
  const { name, channelTemplateId: templateId } = template
  if (templateId !== null) {
    const { credentials } = await requireChannelOf(rt, template)
    await rt.platform.deleteTemplate(credentials, { name, templateId }).catch(ignoreGone)
  }
  await changeTemplate(rt, { accountId, id, cause: 'api' }, (now) => ({
    ...now,
    status: 'deleted',
    statusReason: null,
    previousStatus: null,
  }))
  return { id, deleted: true }
}

/** Deleted there already is as good as deleted. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof PlatformError && error.code === 'template_not_found')) throw toRefusal(error)
}
