import type { Author } from '../../audit/audit.ts'
import { channelNotConnected } from '../../channels/channel-not-connected.ts'
import { listNumbers } from '../../channels/list-numbers.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { findTemplatesOfChannel } from '../../store/templates/templates.ts'
import type { TemplateRecord } from '../content/template-types.ts'
import { fromRow, toRecord } from '../stored-template.ts'
import { submitTemplate } from '../submit-template.ts'
import { requireChannelOf } from '../template-channel.ts'

export type CatalogSubmission = {
  templates: TemplateRecord[]
  refused: { name: string; language: string; code: string; message: string }[]
}

/** Submits every draft of the catalog, on every channel that has some. One refusal does not hold the others back. */
export async function submitCatalog(
  rt: Runtime,
  accountId: string,
  author: Author | null = null,
): Promise<CatalogSubmission> {
  const result: CatalogSubmission = { templates: [], refused: [] }
  for (const { channel, drafts } of await catalogDraftsOf(rt, accountId)) {
    for (const draft of drafts) {
      try {
        result.templates.push(toRecord(await submitTemplate(rt, channel, draft, author)))
      } catch (error) {
        if (!isRefusal(error)) throw error
        result.refused.push({ name: draft.name, language: draft.language, code: error.code, message: error.message })
      }
    }
  }
  return result
}

async function catalogDraftsOf(rt: Runtime, accountId: string) {
  const numbers = await listNumbers(rt, accountId)
  if (numbers.length === 0) {
    throw channelNotConnected(rt)
  }
  const channelIds = [...new Set(numbers.map((number) => number.channel_id))]
  return Promise.all(
    channelIds.map(async (channelId) => {
      const channel = await requireChannelOf(rt, { accountId, channelId })
      const rows = await rt.store.read(findTemplatesOfChannel, { account_id: accountId, channel_id: channelId })
      const drafts = rows.map(fromRow).filter(({ source, status }) => source === 'catalog' && status === 'draft')
      return { channel, drafts }
    }),
  )
}

function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError
}
