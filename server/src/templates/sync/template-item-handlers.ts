import type { ItemHandlers, ItemInContext, ItemOf, ItemOutcome } from '../../channels/callbacks/callback-items.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { findTemplateAtPlatform, findTemplatesByName } from '../../store/templates/templates.ts'
import { changeTemplate } from '../change-template.ts'
import { categoryOf } from '../content/template-types.ts'
import { fromRow, type StoredTemplate } from '../stored-template.ts'
import { qualityFromPlatform } from '../template-status.ts'
import { applyReport, deletedAtPlatform, mergeListed } from './merge-listed.ts'
import { findChannelOf, syncUntil } from './sync-templates.ts'

type TemplateKind = 'template_status' | 'template_quality' | 'template_category' | 'template_components'
type Entry<Kind extends TemplateKind> = ItemInContext<ItemOf<Kind>>
type AnyEntry = { [Kind in TemplateKind]: Entry<Kind> }[TemplateKind]
type Asking = { rt: Runtime; mayAsk: boolean }
type Decide = (template: StoredTemplate) => StoredTemplate | undefined

/** Handlers of the platform's reports about templates; each updates the record, its history and publishes an event. */
export const templateItemHandlers: ItemHandlers = {
  template_status: (rt, batch, mayAsk) =>
    oneByOne(batch, (entry) =>
      apply({ rt, mayAsk }, entry, (now) => ({ ...afterStatus(now, entry), reported_at: rt.clock.now() })),
    ),
  template_quality: (rt, batch, mayAsk) =>
    oneByOne(batch, (entry) =>
      apply({ rt, mayAsk }, entry, (now) => ({ ...now, quality: qualityFromPlatform(entry.item.quality) })),
    ),
  template_category: (rt, batch, mayAsk) =>
    oneByOne(batch, (entry) => apply({ rt, mayAsk }, entry, (now) => afterCategory(now, entry))),
  template_components: (rt, batch, mayAsk) =>
    oneByOne(batch, async (entry) => (mayAsk ? applyComponents(rt, entry) : 'ask')),
}

/** One after the other: two reports about one template must not overtake each other. */
async function oneByOne<Item>(
  batch: readonly Item[],
  run: (item: Item) => Promise<ItemOutcome>,
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = []
  for (const item of batch) outcomes.push(await run(item))
  return outcomes
}

async function apply({ rt, mayAsk }: Asking, entry: AnyEntry, decide: Decide): Promise<ItemOutcome> {
  const known = await findSubject(rt, entry)
  if (!known && !mayAsk) return 'ask'
  const template = known ?? (await findAfterSync(rt, entry))
  if (!template) return 'unmatched'
  await changeTemplate(rt, { accountId: template.account_id, id: template.id, cause: 'callback' }, decide)
  return 'applied'
}

function afterStatus(now: StoredTemplate, { item, context }: Entry<'template_status'>): StoredTemplate {
  const { event, reason, description, note, recommendation, disabledAt } = item
  const at = item.at ?? context.receivedAt
  const reported = applyReport(now, { status: event, at, reason, title: note, description, recommendation, disabledAt })
  const category = categoryOf(item.category) ?? now.category
  return { ...reported, category, channel_template_id: now.channel_template_id ?? item.templateId }
}

function afterCategory(now: StoredTemplate, { item }: Entry<'template_category'>): StoredTemplate {
  if (item.phase === 'announced') return { ...now, next_category: categoryOf(item.nextCategory) }
  return { ...now, category: categoryOf(item.category) ?? now.category, next_category: null }
}

/** The report names no content that could be trusted to be whole, so the template is read. */
async function applyComponents(rt: Runtime, entry: Entry<'template_components'>): Promise<ItemOutcome> {
  const { item, context } = entry
  const channel = await findChannelOf(rt, { accountId: context.accountId, channelId: context.channel.id })
  if (!channel || item.templateId === null) return 'unhandled'
  const listed = await rt.platform.getTemplate(channel.credentials, item.templateId).catch((error: unknown) => {
    if (error instanceof PlatformError && error.code === 'template_not_found') return null
    throw error
  })
  // Deleted there since the report was written: an answer, not a failure, and no reason to look for it in the list.
  if (!listed && !(await findSubject(rt, entry))) return 'applied'
  return apply({ rt, mayAsk: true }, entry, (now) =>
    listed ? mergeListed(rt, now, listed) : deletedAtPlatform(rt, now),
  )
}

async function findSubject(rt: Runtime, { item, context }: AnyEntry): Promise<StoredTemplate | undefined> {
  const { accountId, channel } = context
  const { templateId, name, language } = item
  if (templateId !== null) {
    const params = { account_id: accountId, channel_template_id: templateId }
    const [known] = await rt.store.read(findTemplateAtPlatform, params)
    if (known) return fromRow(known)
  }
  if (name === null) return undefined
  const rows = await rt.store.read(findTemplatesByName, { account_id: accountId, channel_id: channel.id, name })
  const row = rows.find((candidate) => candidate.language === language)
  return row && fromRow(row)
}

/** A template we have not heard of was made elsewhere; the list will tell. */
async function findAfterSync(rt: Runtime, entry: AnyEntry): Promise<StoredTemplate | undefined> {
  const { accountId, channel } = entry.context
  const { templateId, name, language } = entry.item
  const open = await findChannelOf(rt, { accountId, channelId: channel.id })
  let found: StoredTemplate | undefined
  if (open) {
    await syncUntil(rt, open, templateId ?? `${name} ${language}`, async () => {
      found = await findSubject(rt, entry)
      return found !== undefined
    })
  }
  return found
}
