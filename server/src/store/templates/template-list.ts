import type { CompiledQuery } from 'kysely'
import type { Engine } from '../engine/dialect.ts'
import { kysely, listCompiler } from '../engine/list-query.ts'
import { type TemplateRow, templateColumns } from './templates.ts'

export type TemplateFilters = {
  /** Null: everything but deleted ones. */
  statuses: readonly string[] | null
  category: string | null
  language: string | null
  name: string | null
  /** In name or body, in any letter case. */
  search: string | null
  source: string | null
}

const columns = Object.keys(templateColumns) as (keyof TemplateRow)[]

/** By name, language and id; `after` is the last of the page before. */
export function templatesQuery(
  engine: Engine,
  accountId: string,
  filters: TemplateFilters,
  { after, count }: { after: readonly (string | number)[] | null; count: number },
): CompiledQuery<TemplateRow> {
  const { statuses, search } = filters
  const { sql } = kysely()
  let list = listCompiler<{ templates: TemplateRow }>(engine)
    .selectFrom('templates')
    .select(columns)
    .where('account_id', '=', accountId)
  list = statuses ? list.where('status', 'in', [...statuses]) : list.where('status', '<>', 'deleted')
  for (const name of ['category', 'language', 'name', 'source'] as const) {
    const value = filters[name]
    if (value !== null) list = list.where(name, '=', value)
  }
  if (search !== null) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    list = list.where(sql<boolean>`search_text like ${pattern} escape '\\'`)
  }
  if (after) {
    const [name = '', language = '', id = ''] = after
    list = list.where(sql<boolean>`(name, language, id) > (${name}, ${language}, ${id})`)
  }
  return list.orderBy('name').orderBy('language').orderBy('id').limit(count).compile()
}
