import { openCursor, type PageRequest, toPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { type TemplateFilters, templatesQuery } from '../store/templates/template-list.ts'
import { fromRow, toRecord } from './stored-template.ts'
import { usageOf } from './template-usage.ts'

/** By name, then language. */
export async function listTemplates(
  rt: Runtime,
  accountId: string,
  { filters, limit, cursor }: PageRequest & { filters: TemplateFilters },
) {
  const { statuses: status, ...others } = filters
  const boundTo = ['templates', accountId, { ...others, status }]
  const after = openCursor(rt, cursor, boundTo)
  const rows = await rt.store.list(
    templatesQuery(rt.store.engine, accountId, filters, { after, count: limit + 1 }),
    accountId,
  )
  const positionOf = ({ name, language, id }: (typeof rows)[number]) => [name, language, id]
  const { shown, pagination } = toPage(rt, rows, { limit, boundTo, positionOf })
  const usage = await usageOf(rt, accountId, shown)
  return {
    templates: shown.map((row) => ({ ...toRecord(fromRow(row)), last_7_days: usage(row) })),
    pagination,
  }
}
