import type { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { findTemplatesOfChannel } from '../store/templates.ts'
import { fromRow, toRecord } from './stored-template.ts'
import { submitTemplate } from './submit-template.ts'
import type { TemplateChannel } from './template-channel.ts'
import type { TemplateRecord } from './template-types.ts'

export type CatalogSubmission = {
  templates: TemplateRecord[]
  refused: { name: string; language: string; code: string; message: string }[]
}

/** Submits every draft of the catalog of a channel. One refusal does not hold the others back. */
export async function submitCatalog(rt: Runtime, channel: TemplateChannel): Promise<CatalogSubmission> {
  const { accountId, channelId } = channel
  const rows = await rt.store.read(findTemplatesOfChannel, { account_id: accountId, channel_id: channelId })
  const drafts = rows.map(fromRow).filter(({ source, status }) => source === 'catalog' && status === 'draft')
  const result: CatalogSubmission = { templates: [], refused: [] }
  for (const draft of drafts) {
    try {
      result.templates.push(toRecord(await submitTemplate(rt, channel, draft)))
    } catch (error) {
      if (!isRefusal(error)) throw error
      result.refused.push({ name: draft.name, language: draft.language, code: error.code, message: error.message })
    }
  }
  return result
}

function isRefusal(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError'
}
