import type { Runtime } from '../runtime.ts'
import { changeTemplate } from './change-template.ts'
import { categoryFromPlatform } from './from-platform.ts'
import { toRefusal } from './platform-refusal.ts'
import { contentOf, type StoredTemplate } from './stored-template.ts'
import type { TemplateChannel } from './template-channel.ts'
import { sampleHandle } from './template-sample.ts'
import { applyPlatformStatus } from './template-status.ts'
import { toPlatform } from './to-platform.ts'

/** Hands a draft to the platform for review. Its answer may already be a verdict, and may name another category. */
export async function submitTemplate(
  rt: Runtime,
  channel: TemplateChannel,
  draft: StoredTemplate,
): Promise<StoredTemplate> {
  const handle = await sampleHandle(rt, channel, draft)
  const created = await rt.platform
    .createTemplate(channel.credentials, toPlatform(contentOf(draft), handle))
    .catch(refuse)
  const at = rt.clock.now()
  const change = { accountId: draft.accountId, id: draft.id, cause: 'api' as const }
  const submitted = await changeTemplate(rt, change, (now) => {
    const known = { ...now, channelTemplateId: created.templateId, submittedAt: at }
    // A callback was faster: what it said stands.
    if (now.status !== 'draft') return known
    const category = categoryFromPlatform(created.category) ?? now.category
    return {
      ...known,
      category,
      ...(applyPlatformStatus(now, { status: created.status, at }) ?? { status: 'pending' }),
    }
  })
  return submitted ?? draft
}

function refuse(error: unknown): never {
  throw toRefusal(error)
}
