import type { AddedTemplate, SandboxTemplate } from '../platform/sandbox-templates.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/store-error.ts'
import { deleteUnattached, findTemplatesOfChannel } from '../store/templates.ts'
import { Unit } from '../store/unit.ts'
import { type CatalogTemplate, catalogTemplates } from './catalog.ts'
import { addNew } from './change-template.ts'
import { toSandboxForm } from './sandbox-form.ts'
import { newTemplate } from './stored-template.ts'
import type { TemplateChannel } from './template-channel.ts'

/** Puts templates into a sandbox; platform/sandbox-templates.ts does it over HTTP. */
export type AddSandboxTemplates = (
  sandboxUrl: string,
  wabaId: string,
  templates: readonly SandboxTemplate[],
) => Promise<AddedTemplate[]>

/**
 * The catalog of a channel that was just connected: approved at once on the sandbox, drafts on a real platform. May be
 * repeated; what is there already stays as it is.
 */
export async function seedCatalog(
  rt: Runtime,
  channel: TemplateChannel,
  addSandboxTemplates: AddSandboxTemplates,
): Promise<void> {
  const { accountId, channelId, kind, credentials } = channel
  const known = await rt.store.read(findTemplatesOfChannel, { account_id: accountId, channel_id: channelId })
  const missing = catalogTemplates(kind).filter(
    ({ name, language }) => !known.some((row) => row.name === name && row.language === language),
  )
  if (missing.length === 0) return
  const added =
    kind === 'sandbox'
      ? await addSandboxTemplates(credentials.baseUrl, credentials.wabaId, missing.map(toSandboxForm))
      : []
  await store(rt, { accountId, channelId, kind }, missing, added)
  const unit = new Unit()
  unit.add(deleteUnattached, { account_id: accountId })
  await rt.store.write(unit)
}

/** The catalog of an account without a channel: drafts that make way when one is connected. */
export async function seedUnconnected(rt: Runtime, accountId: string): Promise<void> {
  await store(rt, { accountId, channelId: '', kind: 'cloud' }, catalogTemplates('cloud'), [])
}

type Owner = Pick<TemplateChannel, 'accountId' | 'channelId' | 'kind'>

async function store(
  rt: Runtime,
  { accountId, channelId, kind }: Owner,
  templates: readonly CatalogTemplate[],
  added: readonly AddedTemplate[],
): Promise<void> {
  const now = rt.clock.now()
  await Promise.all(
    templates.map(async (entry) => {
      const owner = { id: rt.newId('tpl'), accountId, channelId, channelKind: kind, source: 'catalog' as const }
      const there = added.find(({ name, language }) => name === entry.name && language === entry.language)
      const approved = { channelTemplateId: there?.templateId ?? null, submittedAt: now, reviewedAt: now }
      const unit = new Unit()
      addNew(
        rt,
        unit,
        { ...newTemplate(entry, owner, now), status: entry.status, ...(there ? approved : {}) },
        'catalog',
      )
      await rt.store.write(unit).catch(ignoreKnown)
    }),
  )
}

/** Somebody else has just stored it. */
function ignoreKnown(error: unknown): void {
  if (!(error instanceof ConditionFailed)) throw error
}
