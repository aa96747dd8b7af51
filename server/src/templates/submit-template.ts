import type { Author } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { changeTemplate } from './change-template.ts'
import { deleteAtPlatform } from './delete-template.ts'
import { templateLine } from './get-template.ts'
import { toRefusal } from './platform-refusal.ts'
import { contentOf, type StoredTemplate } from './stored-template.ts'
import type { TemplateChannel } from './template-channel.ts'
import { withHandles } from './template-sample.ts'
import { applyPlatformStatus } from './template-status.ts'

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
