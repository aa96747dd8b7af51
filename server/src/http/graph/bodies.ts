import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Runtime } from '../../runtime.ts'
import { readBody } from '../edge/body/read-body.ts'
import type { App } from '../edge/context.ts'
import { refusedParameters } from './call-table.ts'

const bodyBytesMax = 256 * 1024

/**
 * The parameters of a call, wherever Meta reads them: JSON, both kinds of forms, or the address. Anything else is read as JSON,
 * because some tools name no type. What says who calls, or makes another call of it, is never part of them.
 */
export function addGraphBodies(graph: App, { config }: Runtime): void {
  const limits = { bytesMax: bodyBytesMax, timeoutMs: config.bodyTimeoutMs }
  graph.removeAllContentTypeParsers()
  graph.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const form = new URLSearchParams((await readBody(payload, limits)).toString('utf8'))
      return withoutToken(request, formOf(form))
    },
  )
  graph.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: IncomingMessage) => {
    const parts = await partsOf(await readBody(payload, limits), request.headers['content-type'] ?? '')
    return withoutToken(request, formOf(parts))
  })
  graph.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = (await readBody(payload, limits)).toString('utf8')
    return body.trim() === '' ? {} : withoutToken(request, jsonOf(body))
  })
  graph.addHook('preValidation', (request, _reply, done) => {
    try {
      const isFile = request.body instanceof Readable
      refuseTricks(request.query)
      if (!isFile) refuseTricks(request.body)
      if (request.method === 'POST' && !isFile) request.body = withQuery(request)
      if (request.method === 'DELETE') request.body ??= {}
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

/** A token is for us: the one of a tool goes no further, and another one would be asked in place of ours. */
function withoutToken(request: FastifyRequest, given: Record<string, unknown>): Record<string, unknown> {
  const { access_token: token, appsecret_proof: proof, ...body } = given
  if (typeof token === 'string' && token !== '') request.formToken = token
  return token === undefined && proof === undefined ? given : body
}

function refuseTricks(given: unknown): void {
  const found = isRecord(given) && refusedParameters.find((name) => name in given)
  if (found) throw new AppError('malformed_request', `The parameter ${found} is not passed on. Make one plain call.`)
}

/** What an address says about the answer, or about the caller. */
const notOfBody = ['access_token', 'appsecret_proof', 'fields', 'format', 'pretty', 'suppress_http_code', 'locale']

/** What stands in the body wins. */
function withQuery({ query, body }: FastifyRequest): unknown {
  const given = Object.entries(isRecord(query) ? query : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !notOfBody.includes(entry[0]),
  )
  if (given.length === 0) return body ?? {}
  return { ...formOf(given), ...(isRecord(body) ? body : {}) }
}

async function partsOf(bytes: Buffer, type: string): Promise<[string, string][]> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new AppError('malformed_request', 'The multipart form cannot be read.')
  })
  return [...form].map(([name, value]) => {
    if (typeof value === 'string') return [name, value]
    throw new AppError('malformed_request', 'Files are uploaded to the media of a number.')
  })
}

type Tree = Map<string, Tree | string>

const nested = /^([^[\]]+)((?:\[[^[\]]*\]){1,16})$/

/** A form; `text[body]=Hi` is an object in it, as PHP writes one, and a value that looks like JSON is read as that. */
function formOf(entries: Iterable<[string, string]>): Record<string, unknown> {
  const tree: Tree = new Map()
  for (const [name, value] of entries) {
    if (`${name}${value}`.includes('\u0000')) throw nullCharacter()
    const [, first, inner = ''] = nested.exec(name) ?? []
    put(tree, first === undefined ? [name] : [first, ...inner.slice(1, -1).split('][')], value)
  }
  return Object.fromEntries([...tree].map(([name, value]) => [name, readValue(value)]))
}

function put(tree: Tree, [first = '', ...rest]: readonly string[], value: string): void {
  const key = first === '' ? String(tree.size) : first
  if (rest.length === 0) {
    tree.set(key, value)
    return
  }
  const known = tree.get(key)
  const inner: Tree = known instanceof Map ? known : new Map()
  tree.set(key, inner)
  put(inner, rest, value)
}

function readValue(value: Tree | string): unknown {
  if (typeof value === 'string') return /^\s*[[{]/.test(value) ? (parsed(value) ?? value) : value
  const entries = [...value].map(([key, inner]): [string, unknown] => [key, readValue(inner)])
  return entries.every(([key], index) => key === String(index))
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries)
}

function jsonOf(text: string): Record<string, unknown> {
  const body = parsed(text)
  if (body === undefined) throw new AppError('malformed_json', 'The body is not valid JSON.')
  if (!isRecord(body)) throw new AppError('malformed_json', 'The body must be one JSON object.')
  return body
}

const longNumber = /\d{16}/

/** Numbers that do not fit a double keep their digits: an id written as one would otherwise become another. */
function parsed(text: string): unknown {
  if (text.includes('\u0000') || text.includes('\\u0000')) throw nullCharacter()
  try {
    return longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function nullCharacter(): AppError {
  return new AppError('malformed_json', 'The body contains the character U+0000.')
}

type Raw = { rawJSON(text: string): unknown }

function exact(_name: string, value: unknown, context?: { source?: string }): unknown {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && context?.source !== undefined
  return isInexact && /^-?\d+$/.test(context.source ?? '')
    ? (JSON as unknown as Raw).rawJSON(context.source ?? '')
    : value
}
