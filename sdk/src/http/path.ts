import { snakeName } from './case.ts'

/** What a query parameter may be. Arrays become comma lists, dates become ISO 8601 in UTC. */
export type QueryValue = string | number | boolean | Date | readonly string[] | null | undefined

/** An object of query parameters in camelCase. */
export type Query = { readonly [name: string]: QueryValue }

/**
 * Builds a path and percent-encodes every inserted id, because message ids come from the channel and may contain
 * `/`, `+` and `=`: path`/v1/chat/messages/${id}`.
 */
export function path(literals: TemplateStringsArray, ...ids: string[]): string {
  return literals.reduce((built, literal, position) => `${built}${segment(ids[position - 1])}${literal}`)
}

/** Adds the parameters that are set to a path; returns the path alone when there are none. */
export function withQuery(pathname: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(snakeName(name), queryText(value))
  }
  const text = parameters.toString()
  return text === '' ? pathname : `${pathname}?${text}`
}

/** An empty id would address the whole collection, and URL parsers resolve dots away even when they are encoded. */
function segment(id: string | undefined): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
    throw new TypeError('An id in the path is empty or not an id')
  }
  return encodeURIComponent(id)
}

function queryText(value: NonNullable<QueryValue>): string {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : String(value)
}
