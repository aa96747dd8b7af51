import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../access/caller.ts'
import { type AuditEntry, type Author, writeChange } from '../audit/audit.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import { requireWithinLimit } from '../limits/throttles.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { deleteHistory } from '../store/templates/template-changes.ts'
import { deleteDraft, findTemplateById, findTemplatesByName } from '../store/templates/templates.ts'
import { addNew } from './change-template.ts'
import { checkSameWords } from './check/check-draft.ts'
import { refuseProblems, writeContent } from './check/check-template.ts'
import { requireFreeName } from './check/check-text.ts'
import type { TemplateInput, TemplateRecord } from './content/template-types.ts'
import { templateLine } from './get-template.ts'
import { contentOf, fromRow, newTemplate, type StoredTemplate, toRecord } from './stored-template.ts'
import { submitTemplate } from './submit-template.ts'
import { syncTemplates, type TemplateChannel } from './sync/sync-templates.ts'

export type NewTemplate = TemplateInput & { submit?: boolean | null }

/**
 * Stores a template and, unless only a draft is wanted, submits it. It is stored before the platform is asked, so that
 * what arrives there is always known here; what the platform refuses or never got is forgotten again, and its name stays
 * free. Where nobody knows whether it arrived the draft stays, and the same call can be made again.
 */
export async function createTemplate(
  rt: Runtime,
  caller: Pick<Caller, 'accountId' | 'phoneNumberIds'>,
  input: NewTemplate,
  author: Author | null = null,
): Promise<TemplateRecord> {
  const { accountId } = caller
  const channel = await requireNumber(rt, accountId, { allowedIds: caller.phoneNumberIds })
  const content = writeContent(input, channel.kind)
  refuseProblems(await checkSameWords(rt, channel, content, input))
  if (input.submit !== false) await requireFreeName(rt, channel, content)
  await requireWithinLimit(rt, 'template', accountId, 'At most ten templates can be created in a minute.')
  const owner = {
    id: rt.newId('tpl'),
    account_id: accountId,
    channel_id: channel.channelId,
    channel_kind: channel.kind,
    source: 'api' as const,
  }
  const draft = newTemplate(content, owner, rt.clock.now())
  if (!(await storeDraft(rt, draft, author)))
    return toRecord(await submitAgain(rt, channel, draft, { ...input, author }))
  if (input.submit === false) return toRecord(draft)
  try {
    return toRecord(await submitTemplate(rt, channel, draft, author))
  } catch (error) {
    if (isNotThere(error)) {
      await forget(rt, templateLine(author, 'template.discarded', draft, { code: error.code }), draft)
    }
    throw error
  }
}

/** The platform said no, or never heard of it. Anything but a refusal of ours may have come after its yes. */
function isNotThere(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false
  return !(error.cause instanceof PlatformError && error.cause.outcome === 'unknown')
}

/** A call whose answer got lost, made again: its draft is there, and perhaps the platform has it too. */
async function submitAgain(
  rt: Runtime,
  channel: TemplateChannel,
  wanted: StoredTemplate,
  { submit, author }: Pick<NewTemplate, 'submit'> & { author: Author | null },
): Promise<StoredTemplate> {
  const draft = await findLeftDraft(rt, wanted)
  if (!draft || submit === false) throw alreadyExists(wanted)
  try {
    return await submitTemplate(rt, channel, draft, author)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'template_already_exists')) throw error
    await syncTemplates(rt, channel)
    const [row] = await rt.store.read(findTemplateById, { account_id: draft.account_id, id: draft.id })
    const isOurs = row && row.channel_template_id !== null && row.version === draft.version
    if (!isOurs) throw error
    return fromRow(row)
  }
}

/** The draft that is in the way, if it says the same and nobody has heard an answer about it. */
async function findLeftDraft(rt: Runtime, wanted: StoredTemplate): Promise<StoredTemplate | undefined> {
  const { account_id, channel_id, name, language } = wanted
  const rows = await rt.store.read(findTemplatesByName, { account_id, channel_id, name })
  const known = rows.map(fromRow).find((candidate) => candidate.language === language)
  const isLeft = known?.source === 'api' && known.status === 'draft' && known.channel_template_id === null
  return isLeft && isDeepStrictEqual(contentOf(known), contentOf(wanted)) ? known : undefined
}

/** False when there is a template of this name and language. */
async function storeDraft(rt: Runtime, draft: StoredTemplate, author: Author | null): Promise<boolean> {
  try {
    await writeChange(rt, templateLine(author, 'template.created', draft), (unit) => addNew(unit, draft, 'api'))
    return true
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return false
  }
}

function alreadyExists({ name, language }: StoredTemplate): AppError {
  return new AppError('template_already_exists', `The template ${name} already exists in ${language}.`)
}

async function forget(rt: Runtime, line: AuditEntry | null, { id }: StoredTemplate): Promise<void> {
  await writeChange(rt, line, (unit) => {
    unit.add(deleteDraft, { id })
    unit.add(deleteHistory, { template_id: id })
  })
}
