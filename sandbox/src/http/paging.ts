import { presentedToken } from '../accounts/auth.ts'
import { invalid } from './errors.ts'
import type { Call } from './http.ts'
import type { Json } from './json.ts'

const DEFAULT_LIMIT = 25
const LIMIT_MAX = 1000

/** One page of a list, with cursors always and `next` or `previous` only where another page follows or precedes. */
export function page<T extends { id: string }>(items: T[], call: Call, baseUrl: string, view: (item: T) => Json): Json {
  const { query } = call
  const limit = Math.min(LIMIT_MAX, Math.max(1, Number(query.get('limit') ?? DEFAULT_LIMIT) || DEFAULT_LIMIT))
  const after = positionOf(items, query.get('after'))
  const before = positionOf(items, query.get('before'))
  const start = after !== null ? after + 1 : before !== null ? Math.max(0, before - limit) : 0
  const end = before !== null ? before : Math.min(items.length, start + limit)
  const shown = items.slice(start, end)
  const first = shown[0]
  const last = shown.at(-1)
  const paging: Json = {}
  if (first && last) paging.cursors = { before: cursor(first.id), after: cursor(last.id) }
  if (last && end < items.length) paging.next = link(call, baseUrl, 'after', cursor(last.id))
  if (first && start > 0) paging.previous = link(call, baseUrl, 'before', cursor(first.id))
  return { data: shown.map(view), paging }
}

function cursor(id: string): string {
  return Buffer.from(`AQH${id}`).toString('base64url')
}

function positionOf<T extends { id: string }>(items: T[], given: string | null): number | null {
  if (given === null || given === '') return null
  const id = Buffer.from(given, 'base64url').toString().slice(3)
  const index = items.findIndex((item) => item.id === id)
  if (index === -1) throw invalid('The cursor is not valid or its item is gone')
  return index
}

function link(call: Call, baseUrl: string, name: string, value: string): string {
  const query = new URLSearchParams(call.query)
  query.delete('after')
  query.delete('before')
  query.set(name, value)
  // Graph puts the caller's token into the links, however it came.
  const token = presentedToken(call)
  if (token !== null) query.set('access_token', token)
  const host = call.req.headers.host
  const path = (call.req.url ?? '').split('?')[0] ?? ''
  return `${host ? `http://${host}` : baseUrl}${path}?${query}`
}
