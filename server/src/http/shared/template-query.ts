import type { Static } from 'typebox'
import type { TemplateQuery } from '../../contract/templates.ts'
import { parseLanguage } from '../../lib/text/language.ts'

/** The question of a list of templates, as the API and the console both ask it. */
export function readTemplateQuery(query: Static<typeof TemplateQuery>) {
  const { limit = 25, cursor = null, status, language, category, name, search, source } = query
  return {
    filters: {
      statuses: status?.split(',') ?? null,
      category: category ?? null,
      language: language === undefined ? null : parseLanguage(language),
      name: name ?? null,
      search: search ?? null,
      source: source ?? null,
    },
    limit,
    cursor,
  }
}
