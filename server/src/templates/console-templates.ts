import { writeAudited } from '../accounts/audit.ts'
import { actorOf, type Member } from '../accounts/console-member.ts'
import { requireNumber } from '../channels/require-number.ts'
import type { Throttle } from '../lib/gcra.ts'
import type { Runtime } from '../runtime.ts'
import { createTemplate, type NewTemplate } from './create-template.ts'
import { deleteTemplate } from './delete-template.ts'
import { editTemplate, type TemplateEdit } from './edit-template.ts'
import { requireTemplate } from './get-template.ts'
import { type CatalogSubmission, submitCatalog } from './submit-catalog.ts'
import type { TemplateRecord } from './template-types.ts'

/** The verbs of the API, done by a person: each leaves a line in the audit log once it is done. */
export async function createTemplateFor(
  rt: Runtime,
  limit: Throttle,
  member: Member,
  input: NewTemplate,
): Promise<TemplateRecord> {
  const created = await createTemplate(rt, limit, { accountId: member.accountId, phoneNumberIds: null }, input)
  await note(rt, member, 'template.created', created)
  return created
}

export async function editTemplateFor(
  rt: Runtime,
  member: Member,
  id: string,
  edit: TemplateEdit,
): Promise<TemplateRecord> {
  const edited = await editTemplate(rt, member.accountId, id, edit)
  await note(rt, member, 'template.edited', edited)
  return edited
}

export async function deleteTemplateFor(rt: Runtime, member: Member, id: string) {
  const template = await requireTemplate(rt, member.accountId, id)
  const deleted = await deleteTemplate(rt, member.accountId, id)
  await note(rt, member, 'template.deleted', template)
  return deleted
}

/** The templates every account starts with, all at once. */
export async function submitCatalogFor(rt: Runtime, member: Member): Promise<CatalogSubmission> {
  const submission = await submitCatalog(rt, await requireNumber(rt, member.accountId))
  for (const template of submission.templates) await note(rt, member, 'template.submitted', template)
  return submission
}

async function note(
  rt: Runtime,
  member: Member,
  action: string,
  { id, name, language }: { id: string; name: string; language: string },
): Promise<void> {
  const { accountId, context } = member
  const targets = [{ type: 'template', id, name: `${name} (${language})` }]
  await writeAudited(rt, { accountId, action, actor: actorOf(member), targets, context }, () => {})
}
