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
import type { TemplateContent } from '../content/template-types.ts'
import { newTemplate, type StoredTemplate } from '../stored-template.ts'
import type { TemplateChannel } from '../template-channel.ts'
import { catalogTemplates } from './catalog.ts'
import { catalogDrafts } from './catalog-drafts.ts'

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
