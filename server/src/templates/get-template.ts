import type { Static } from 'typebox'
import { AppError } from '../contract/app-error.ts'
import type { TemplateChange } from '../contract/templates.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { readTemplateChanges, type TemplateChangeRow } from '../store/templates/template-changes.ts'
import { findTemplateById } from '../store/templates/templates.ts'
import type { TemplateRecord } from './content/template-types.ts'
import { fromRow, type StoredTemplate, toRecord } from './stored-template.ts'
import type { FieldChange } from './template-event.ts'
import { type TemplateUsage, usageOf } from './template-usage.ts'

export type TemplateChangeRecord = Static<typeof TemplateChange>
export type TemplateWithHistory = TemplateRecord & { last_7_days: TemplateUsage; history: TemplateChangeRecord[] }

const changesShown = 50

/** One template with its last changes, newest first. */
export async function getTemplate(rt: Runtime, accountId: string, id: string): Promise<TemplateWithHistory> {
  const template = await requireTemplate(rt, accountId, id, { alsoDeleted: true })
  const params = { account_id: accountId, template_id: id, count: changesShown }
  const [changes, usage] = await Promise.all([
    rt.store.read(readTemplateChanges, params),
    usageOf(rt, accountId, [template]),
  ])
  return { ...toRecord(template), last_7_days: usage(template), history: changes.map(toChange) }
}

/** Unknown, deleted and another account's are all the same to the caller. */
export async function requireTemplate(
  rt: Runtime,
  accountId: string,
  id: string,
  { alsoDeleted = false } = {},
): Promise<StoredTemplate> {
  const [row] = await rt.store.read(findTemplateById, { account_id: accountId, id })
  if (row && (alsoDeleted || row.status !== 'deleted')) return fromRow(row)
  throw new AppError('template_not_found', 'No template has this id.')
}

function toChange({ kind, cause, status, version, diff, at }: TemplateChangeRow): TemplateChangeRecord {
  return {
    kind: kind as TemplateChangeRecord['kind'],
    cause: cause as TemplateChangeRecord['cause'],
    status: status as TemplateChangeRecord['status'],
    version,
    changes: JSON.parse(diff) as FieldChange[],
    at: formatInstant(at),
  }
}
