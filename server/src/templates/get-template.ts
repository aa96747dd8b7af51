import type { Static } from 'typebox'
import type { AuditEntry, Author } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { TemplateChange, Usage } from '../contract/templates.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { readList } from '../store/engine/list.ts'
import { readTemplateChanges, type TemplateChangeRow } from '../store/templates/template-changes.ts'
import { templateUsage } from '../store/templates/template-days.ts'
import {
  countTemplates,
  findTemplateById,
  type TemplateFilters,
  templateListing,
} from '../store/templates/templates.ts'
import type { TemplateRecord } from './content/template-types.ts'
import { fromRow, type StoredTemplate, toRecord } from './stored-template.ts'
import type { FieldChange } from './template-status.ts'

type TemplateChangeRecord = Static<typeof TemplateChange>
type TemplateWithHistory = TemplateRecord & { last_7_days: TemplateUsage; history: TemplateChangeRecord[] }

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

/** By name, then language. */
export async function listTemplates(
  rt: Runtime,
  accountId: string,
  { filters, limit, cursor }: PageRequest & { filters: TemplateFilters },
) {
  const { statuses: status, ...others } = filters
  const boundTo = ['templates', accountId, { ...others, status }]
  const listing = templateListing(accountId, filters)
  const { shown, pagination } = await readPage(rt, listing, { limit, cursor, boundTo }, (stretch) =>
    readList(rt.store, accountId, listing, stretch),
  )
  const usage = await usageOf(rt, accountId, shown)
  return {
    templates: shown.map((row) => ({ ...toRecord(fromRow(row)), last_7_days: usage(row) })),
    pagination,
  }
}

const statuses = ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled', 'archived', 'deleted']

/** The gauge of templates by status, read when metrics are scraped. */
export async function showTemplateCounts(rt: Runtime): Promise<void> {
  const rows = await rt.store.read(countTemplates, {})
  for (const status of statuses) {
    rt.metrics.templates.set({ status }, rows.find((row) => row.status === status)?.total ?? 0)
  }
}

/** The line of the audit log about a change of a template; null where no person or key asked for it. */
export function templateLine(
  author: Author | null,
  action: string,
  { id, account_id: accountId, name, language }: Pick<StoredTemplate, 'id' | 'account_id' | 'name' | 'language'>,
  metadata: Record<string, unknown> = {},
): AuditEntry | null {
  const targets = [{ type: 'template', id, name: `${name} (${language})` }]
  return author && { ...author, accountId, action, targets, metadata }
}

/** Of one language: today and the six days before it, in UTC. */
type TemplateUsage = Static<typeof Usage>

type Used = { name: string; language: string }

export async function usageOf(
  rt: Runtime,
  accountId: string,
  templates: readonly Used[],
): Promise<(template: Used) => TemplateUsage> {
  const since = (Math.floor(rt.clock.now() / dayMs) - 6) * dayMs
  const names = [...new Set(templates.map(({ name }) => name))]
  const rows = names.length > 0 ? await rt.store.read(templateUsage, { account_id: accountId, since, names }) : []
  const known = new Map(rows.map(({ template, language, ...usage }) => [`${template} ${language}`, usage]))
  return ({ name, language }) => known.get(`${name} ${language}`) ?? { sent: 0, delivered: 0, read: 0, failed: 0 }
}
