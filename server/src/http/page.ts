import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../contract/app-error.ts'
import { isRecord } from '../lib/is-record.ts'
import { editDistance, nearest } from '../lib/text/edit-distance.ts'
import type { App, RouteTable } from './edge/context.ts'
import { foreignPath, leftOutPath } from './foreign-request.ts'

/** Plain pages: no script, nothing fetched from elsewhere, readable before anyone has signed in. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
  'cache-control': 'no-cache',
}

export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Postern</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/docs/style.css"></head>
<body><header><a href="/">Postern</a> <a href="/docs">Guides</a> <a href="/docs/api">API reference</a> <a href="/docs/errors">Errors</a>
<a href="/docs/search">Search</a></header>
<main><h1>${title}</h1>${body}</main></body></html>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => entities[char] ?? char)
}

/** Whether a person's browser asks; programs send no `Accept` or a star. */
export function wantsPage(accept: string | undefined): boolean {
  return (accept ?? '').includes('text/html')
}

const shownMax = 200

/** Why nothing answers here: another method, a trailing slash, or nothing of that name. `Allow` is the same for every method. */
export function notFound(routes: RouteTable, request: FastifyRequest): AppError {
  const { method } = request
  const path = pathOf(request)
  const shown = path.slice(0, shownMax)
  const methods = routes.methodsFor(path)
  const headers = methods.length > 0 ? { headers: { allow: methods.join(', ') } } : {}
  const bare = path.replace(/\/+$/, '')
  const bareMethods = bare === path ? [] : routes.methodsFor(bare)
  if (bareMethods.includes(method) || (methods.length === 0 && bareMethods.length > 0)) {
    const sentence = `There is no endpoint ${method} ${shown}. Leave out the trailing slash: ${bare.slice(0, shownMax)}`
    return new AppError('endpoint_not_found', sentence, headers)
  }
  if (methods.length > 0) {
    const sentence = `${shown} accepts ${methods.join(', ')}, not ${method}.${otherPaths(routes, method, path)}`
    return new AppError('endpoint_not_found', sentence, headers)
  }
  const meant = path.length <= shownMax ? nearestPath(routes, path) : undefined
  const advice =
    foreignPath(path) ?? leftOutPath(path) ?? (meant ? `Did you mean ${withMethod(routes, method, meant)}?` : '')
  return new AppError('endpoint_not_found', `There is no endpoint ${method} ${shown}. ${advice}`.trimEnd())
}

/** A path with a slip of the pen, one without its beginning, or one whose id is right and a word beside it is not. */
function nearestPath(routes: RouteTable, path: string): string | undefined {
  const fixed = routes.fixedPaths()
  return (
    nearest(path, fixed, editsFew) ??
    withIds(routes.variablePaths(), path) ??
    nearest(path, fixed, Math.floor(path.length / 3)) ??
    [...fixed].find((one) => one.endsWith(path.replace(/^(\/api)?(\/v\d+)?(?=\/)/, '')))
  )
}

/** A path that does not take the method is no help alone: what is below it may, or another method was meant. */
function withMethod(routes: RouteTable, method: string, path: string): string {
  const methods = routes.methodsFor(path)
  if (methods.includes(method)) return path
  const below = [...routes.fixedPaths(method)].filter((one) => one.startsWith(`${path}/`))
  return below.length > 0 ? below.join(' or ') : `${methods.join(' or ')} ${path}`
}

const editsFew = 3

const isVariable = (word: string) => word === ':' || word === '*'

/** The pattern of as many parts whose words are nearest, with the ids of the caller in it. */
function withIds(patterns: Iterable<string>, path: string): string | undefined {
  const parts = path.split('/')
  let best: { path: string; edits: number } | undefined
  for (const pattern of patterns) {
    const words = pattern.split('/')
    if (words.length !== parts.length) continue
    const edits = words.reduce((sum, word, at) => sum + (isVariable(word) ? 0 : editDistance(word, parts[at] ?? '')), 0)
    const filled = words.map((word, at) => (isVariable(word) ? parts[at] : word)).join('/')
    if (edits <= editsFew && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { path: filled, edits }
  }
  return best?.path
}

/** Where this method goes instead: the collection, and what has a name of its own in it. A guessed name is taken for an id. */
function otherPaths(routes: RouteTable, method: string, path: string): string {
  const parentOf = (child: string) => child.slice(0, child.lastIndexOf('/'))
  const collection = routes.fixedPaths().has(path) ? path : parentOf(path)
  const found = [...routes.fixedPaths(method)].filter((one) => one === collection || parentOf(one) === collection)
  return found.length === 0 ? '' : ` For ${method} use ${found.join(' or ')}.`
}

export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

/** A router takes an empty part of the path for a value; an address without its id is no address. */
export function lacksId({ url, params }: FastifyRequest): boolean {
  return url.startsWith('/v1/') && isRecord(params) && Object.values(params).includes('')
}

/** A person who follows a wrong link gets a page with a way home; the API answers its own form to everybody. */
export function isLostVisitor({ method, url, headers }: FastifyRequest): boolean {
  return isRead(method) && wantsPage(headers.accept) && !/^\/(v1|console\/api)(\/|$)/.test(url)
}

export function sendLostPage(request: FastifyRequest, reply: FastifyReply): void {
  const path = escapeHtml(pathOf(request).slice(0, shownMax))
  const body = `<p>There is no page at <code>${path}</code>.</p><p><a href="/">Go to the console</a></p>`
  void reply.code(404).headers(pageHeaders).send(page('Page not found', body))
}

/** Methods that change nothing. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Fastify answers HEAD from the GET route and reads a stream to its end to drop it. A file is not worth reading for its
 * headers, and a stream of events has no end.
 */
export function dropHeadStreams(app: App): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload)
    payload.on('error', () => {}).destroy()
    done(null, Readable.from([]))
  })
}
