import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { type TemplateFilters, templatesQuery } from '../store/templates/template-list.ts'
import type { TemplateRecord } from './content/template-types.ts'
import { fromRow, toRecord } from './stored-template.ts'
import { type TemplateUsage, usageOf } from './template-usage.ts'

export type TemplatePage = {
  templates: (TemplateRecord & { last_7_days: TemplateUsage })[]
  pagination: { limit: number; has_more: boolean; next_cursor: string | null }
}

/** By name, then language. */
export async function listTemplates(
  rt: Runtime,
  accountId: string,
  { filters, limit, cursor }: { filters: TemplateFilters; limit: number; cursor: string | null },
): Promise<TemplatePage> {
  const boundTo = ['templates', accountId, filters]
  const after = cursor === null ? null : rt.cursors.open(cursor, boundTo)
  if (cursor !== null && after === null) {
    throw new AppError('invalid_cursor', 'The cursor is unknown, expired, or was made for other filters.')
  }
  const found = await rt.store.list(templatesQuery(rt.store.engine, accountId, filters, { after, count: limit + 1 }))
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  const usage = await usageOf(rt, accountId, rows)
  return {
    templates: rows.map((row) => ({ ...toRecord(fromRow(row)), last_7_days: usage(row) })),
    pagination: {
      limit,
      has_more: hasMore,
      next_cursor: hasMore ? rt.cursors.seal([last.name, last.language, last.id], boundTo) : null,
    },
  }
}
