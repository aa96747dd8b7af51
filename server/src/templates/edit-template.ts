import { isDeepStrictEqual } from 'node:util'
import type { Author } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { bodyProblem } from '../contract/schema.ts'
import type { Runtime } from '../runtime.ts'
import { changeTemplate } from './change-template.ts'
import { checkSameWords } from './check/check-draft.ts'
import { checkTtl, refuseProblems, writeContent } from './check/check-template.ts'
import { requireEditLeft, requireFreeName } from './check/check-text.ts'
import type { TemplateButton, TemplateContent, TemplateRecord } from './content/template-types.ts'
import { requireTemplate, templateLine } from './get-template.ts'
import { contentOf, type StoredTemplate, toRecord } from './stored-template.ts'
import { submitTemplate } from './submit-template.ts'
import { asEdit } from './sync/merge-listed.ts'
import { requireChannelOf, type TemplateChannel } from './sync/sync-templates.ts'
import { toRefusal, withHandles } from './template-sample.ts'
import { canBecome } from './template-status.ts'

type TemplateEdit = {
  category?: string | null
  body?: string | null
  components?: readonly unknown[] | null
  message_send_ttl_seconds?: number | null
  submit?: boolean | null
  /** The version that the caller saw: an edit of another one is lost on nobody. */
  if_version?: number | null
}

/** New content for a template, which sends it through review; a draft may stay a draft. */
export async function editTemplate(
  rt: Runtime,
  accountId: string,
  id: string,
  { author = null, ...edit }: TemplateEdit & { author?: Author | null },
): Promise<TemplateRecord> {
  const template = await requireTemplate(rt, accountId, id)
  requireSeen(template, edit)
  if (template.pending_edit !== null || !canBecome(template.status, 'pending')) throw locked(template)
  const channel = await requireChannelOf(rt, { accountId, channelId: template.channel_id })
  const content = newContent(template, edit)
  const isDraft = template.status === 'draft'
  if (edit.submit === false && !isDraft) {
    throw new AppError(
      'template_locked',
      'Only a draft can be saved without a review: Meta reviews every edit of a submitted template.',
    )
  }
  // Only a rejected template gains by being shown again as it is.
  const isSame = isDeepStrictEqual(content, contentOf(template))
  if (isSame && !isDraft && template.status !== 'rejected') return toRecord(template)
  refuseProblems(await checkSameWords(rt, channel, content, edit))
  const change: Edit = { channel, template, content, author }
  if (isDraft) return toRecord(await editDraft(rt, change, edit))
  await requireEditLeft(rt, template)
  return toRecord(await resubmit(rt, change))
}

function requireSeen({ version }: Pick<StoredTemplate, 'version'>, { if_version: seen = null }: TemplateEdit): void {
  if (seen === null || seen === version) return
  throw new AppError(
    'concurrent_change',
    `The template has version ${version} now, not ${seen}: someone else changed it.`,
  )
}

type Edit = { channel: TemplateChannel; template: StoredTemplate; content: TemplateContent; author: Author | null }

/** Omitted fields stay unchanged. */
function newContent(template: StoredTemplate, edit: TemplateEdit): TemplateContent {
  const { name, language, parameter_format } = template
  if (template.status === 'approved' && (edit.category ?? template.category).toLowerCase() !== template.category) {
    throw new AppError('template_locked', 'The category of an approved template cannot be changed.')
  }
  const ttlSeconds = edit.message_send_ttl_seconds ?? template.message_send_ttl_seconds
  const ttl = ttlSeconds === undefined ? {} : { message_send_ttl_seconds: ttlSeconds }
  if ((edit.components ?? null) === null && (edit.body ?? null) === null) {
    if (edit.category && edit.category.toLowerCase() !== template.category) {
      throw new AppError('template_invalid', 'Include the components together with the new category.')
    }
    if ((edit.message_send_ttl_seconds ?? null) !== null) {
      const content = { ...contentOf(template), ...ttl }
      refuseProblems(checkTtl(content))
      return content
    }
    if (!edit.category && template.status !== 'draft') throw emptyEdit()
    return contentOf(template)
  }
  const input = {
    name,
    language,
    category: edit.category ?? template.category,
    parameter_format,
    body: edit.body ?? null,
    components: edit.components ?? null,
    ...ttl,
  }
  return writeContent(input, template.channel_kind)
}

async function editDraft(
  rt: Runtime,
  { channel, template, content, author }: Edit,
  edit: TemplateEdit,
): Promise<StoredTemplate> {
  const submit = edit.submit ?? true
  if (submit) await requireFreeName(rt, channel, template)
  const line = templateLine(author, 'template.edited', template)
  const change = { accountId: template.account_id, id: template.id, cause: 'api' as const, line }
  const edited = await changeTemplate(rt, change, (now) => {
    requireSeen(now, edit)
    return now.status === 'draft' ? { ...now, ...content } : undefined
  })
  // It was submitted or deleted in the meantime, and the edit is in neither.
  if (edited?.status !== 'draft') throw locked(edited ?? { ...template, status: 'deleted' })
  if (!submit) return edited
  return submitTemplate(rt, channel, edited, author)
}

async function resubmit(rt: Runtime, { channel, template, content, author }: Edit): Promise<StoredTemplate> {
  const { channel_template_id: channelTemplateId, account_id: accountId, id } = template
  if (channelTemplateId === null || !isWritable(template)) {
    throw new AppError(
      'template_locked',
      'This template has parts that can only be edited where the template was created.',
    )
  }
  const startedAt = rt.clock.now()
  const { category } = content
  const change = {
    // The platform keeps no sample over an edit, so it is uploaded again.
    content: await withHandles(rt, channel, content),
    ...(category === template.category ? {} : { category }),
  }
  await rt.platform.editTemplate(channel.credentials, channelTemplateId, change).catch((error: unknown) => {
    throw toRefusal(error)
  })
  const submittedAt = rt.clock.now()
  const line = templateLine(author, 'template.edited', template)
  const resubmitted = await changeTemplate(rt, { accountId, id, cause: 'api', line }, (now) => {
    const edited = { ...now, ...content, submitted_at: submittedAt }
    // The verdict was faster than the answer to the edit.
    if ((now.reported_at ?? 0) >= startedAt && now.pending_edit === null) return edited
    if (now.status === 'approved')
      return { ...now, submitted_at: submittedAt, pending_edit: asEdit(content, submittedAt) }
    return { ...edited, status: 'pending', status_reason: null, previous_status: null }
  })
  return resubmitted ?? template
}

function emptyEdit(): AppError {
  const message = 'Give `components`, `body` or `message_send_ttl_seconds`: an edit without them changes nothing.'
  const details = [bodyProblem('components', 'one_of_required', message)]
  return new AppError('template_invalid', message, { details })
}

function locked({ name, status, pending_edit }: StoredTemplate): AppError {
  const isOpen = status === 'pending' || pending_edit !== null
  const reason = isOpen ? 'is being reviewed; wait for the result' : `is ${status}`
  return new AppError('template_locked', `The template ${name} ${reason}.`)
}

/** The gateway can't write parts that it can't read; such templates are edited where they were created. */
export function isWritable({ components }: Pick<TemplateContent, 'components'>): boolean {
  return components.every((component) => {
    if (component.type === 'header') return component.format !== 'other'
    if (component.type === 'carousel') return component.cards.every(isWritable)
    if (component.type === 'buttons') return component.buttons.every(isWritableButton)
    return component.type !== 'other'
  })
}

/** A button that hands the code to an app needs to name it. */
function isWritableButton(button: TemplateButton): boolean {
  if (button.type === 'flow') return button.flow_id !== undefined
  return button.type === 'otp'
    ? button.otp_type === 'copy_code' || button.supported_apps !== undefined
    : button.type !== 'other'
}
