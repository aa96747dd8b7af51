import type { Author } from '../../audit/audit.ts'
import { listNumbers } from '../../channels/channel-record.ts'
import { channelNotConnected } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AddedTemplate } from '../../platform/sandbox-templates.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import {
  deleteUnattached,
  deleteUnattachedHistory,
  findCatalogNames,
  findTemplatesOfChannel,
} from '../../store/templates/templates.ts'
import { addNew } from '../change-template.ts'
import type { TemplateContent, TemplateRecord } from '../content/template-types.ts'
import { fromRow, newTemplate, type StoredTemplate, toRecord } from '../stored-template.ts'
import { submitTemplate } from '../submit-template.ts'
import { requireChannelOf, type TemplateChannel } from '../sync/sync-templates.ts'
import { catalogTemplates } from './catalog.ts'

/** Puts templates into a sandbox; platform/sandbox-templates.ts does it over HTTP. */
export type AddSandboxTemplates = (
  sandboxUrl: string,
  wabaId: string,
  templates: readonly TemplateContent[],
) => Promise<AddedTemplate[]>

/**
 * The catalog of a channel that was just connected: approved at once on the sandbox, drafts on a real platform. May be
 * repeated, also after a crash: what is there already stays as it is, and the drafts the account had before its first
 * channel make way.
 */
export async function seedCatalog(
  rt: Runtime,
  { accountId, channelId, kind, credentials }: TemplateChannel,
  addSandboxTemplates: AddSandboxTemplates,
): Promise<void> {
  if (kind === 'cloud') return seedCatalogDrafts(rt, { accountId, channelId })
  const known = await rt.store.read(findTemplatesOfChannel, { account_id: accountId, channel_id: channelId })
  const missing = catalogTemplates('sandbox').filter(
    ({ name, language }) => !known.some((row) => row.name === name && row.language === language),
  )
  const added = missing.length > 0 ? await addSandboxTemplates(credentials.baseUrl, credentials.wabaId, missing) : []
  const owner = { account_id: accountId, channel_id: channelId, channel_kind: 'sandbox', source: 'catalog' } as const
  const now = rt.clock.now()
  const templates = missing.map((entry) => {
    const there = added.find(({ name, language }) => name === entry.name && language === entry.language)
    const approved = { channel_template_id: there?.templateId ?? null, submitted_at: now, reviewed_at: now }
    const template = newTemplate(entry, { id: rt.newId('tpl'), ...owner }, now)
    return { ...template, status: entry.status, ...(there ? approved : {}) }
  })
  await replaceUnattached(rt, accountId, templates)
}

/** The catalog of a real channel: drafts, until a member submits them. One that was deleted does not come back. */
export async function seedCatalogDrafts(
  rt: Runtime,
  { accountId, channelId }: Pick<TemplateChannel, 'accountId' | 'channelId'>,
): Promise<void> {
  const known = await rt.store.read(findCatalogNames, { account_id: accountId, channel_id: channelId })
  const missing = catalogDrafts(rt, { accountId, channelId }).filter(
    ({ name, language }) => !known.some((row) => row.name === name && row.language === language),
  )
  await replaceUnattached(rt, accountId, missing)
}

async function replaceUnattached(rt: Runtime, accountId: string, templates: readonly StoredTemplate[]): Promise<void> {
  await Promise.all(
    templates.map(async (template) => {
      const unit = new Unit()
      addNew(unit, template, 'catalog')
      await rt.store.write(unit).catch(ignoreKnown)
    }),
  )
  const unit = new Unit()
  unit.add(deleteUnattachedHistory, { account_id: accountId })
  unit.add(deleteUnattached, { account_id: accountId })
  await rt.store.write(unit)
}

/** Another process has just stored it. */
function ignoreKnown(error: unknown): void {
  if (!(error instanceof ConditionFailed)) throw error
}

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

type CatalogSubmission = {
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
