import type { Runtime } from '../../runtime.ts'
import { newTemplate, type StoredTemplate } from '../stored-template.ts'
import { catalogTemplates } from './catalog.ts'

/** The catalog of an account or a channel before anybody submitted it. Without a channel it makes way for the first one's. */
export function catalogDrafts(
  rt: Pick<Runtime, 'clock' | 'newId'>,
  { accountId, channelId = '' }: { accountId: string; channelId?: string },
): StoredTemplate[] {
  const owner = { account_id: accountId, channel_id: channelId, channel_kind: 'cloud', source: 'catalog' } as const
  return catalogTemplates('cloud').map((entry) => ({
    ...newTemplate(entry, { id: rt.newId('tpl'), ...owner }, rt.clock.now()),
    status: entry.status,
  }))
}
