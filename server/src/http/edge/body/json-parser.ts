import type { IncomingMessage } from 'node:http'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import type { FastifyRequest, FastifySchema } from 'fastify'
import { AppError } from '../../../contract/app-error.ts'
import { ErrorAnswer, errorStatuses } from '../../../contract/envelope.ts'
import { object, ref } from '../../../contract/schema.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { foreignForm } from '../../foreign-request.ts'
import type { App } from '../context.ts'
import { wrongMediaType } from '../problem.ts'
import { readBody } from './read-body.ts'

/** `publicBytesMax` is for routes that anybody may call. */
type JsonLimits = { bytesMax: number; publicBytesMax: number; timeoutMs: number }

/**
 * Bodies are read after authentication and quota, and where there is none they are small: a stranger's bytes cost us
 * nothing. An empty body is no body.
 */
export function addJsonParser(app: App, { bytesMax, publicBytesMax, timeoutMs }: JsonLimits): void {
  const limitsOf = ({ routeOptions: { config } }: FastifyRequest) => ({
    bytesMax:
      config.bodyBytesMax ?? (config.access === 'public' || config.console === 'public' ? publicBytesMax : bytesMax),
    timeoutMs,
  })
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', (request, _reply, payload, done) => {
    requirePlainBody(request)
    done(null, payload)
  })
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(payload, limitsOf(request))
    return bytes.length === 0 ? undefined : toObject(bytes)
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    // Before it is read: a file is larger than any JSON.
    if (request.routeOptions.config.takesLines && hasBody(request)) {
      throw new AppError('unsupported_media_type', 'Send a file as text/csv or application/x-ndjson.')
    }
    const bytes = await readBody(payload, limitsOf(request))
    if (bytes.length > 0) throw wrongMediaType(request.headers['content-type'], foreignForm(bytes))
    return undefined
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function toObject(bytes: Buffer): Record<string, unknown> {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof JsonProblem) throw new AppError('malformed_json', error.message)
    throw error
  }
}

/** A compressed body would otherwise look like broken JSON; unpacking one costs memory a caller can choose. */
function requirePlainBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (!encoding || encoding === 'identity' || !hasBody(request)) return
  throw new AppError(
    'unsupported_content_encoding',
    `The body has Content-Encoding ${encoding.slice(0, 40)}; send it uncompressed, without this header.`,
  )
}

/** Why a text is not an acceptable JSON body; the sentence goes to the caller. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem'
}

const depthMax = 16
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * JSON as we accept it: UTF-8, one object, at most 16 levels, no key twice, no U+0000, no unpaired surrogate. Both
 * engines then store exactly what was sent; PostgreSQL would refuse U+0000 where SQLite takes it.
 */
export function parseStrictJson(bytes: Uint8Array): Record<string, unknown> {
  const text = decodeUtf8(bytes)
  const value = parse(text)
  if (!isRecord(value)) throw new JsonProblem('The body must be one JSON object.')
  scan(text)
  if (text.includes('\\u')) checkStrings(value)
  return value
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new JsonProblem('The body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    // A habit from other notations, and from shells that take the double quotes away.
    const hint = at && text[Number(at)] === "'" ? ' Use double quotes, not single ones.' : ''
    throw new JsonProblem(
      at ? `The body is not valid JSON (at character ${at}).${hint}` : 'The body is not valid JSON.',
    )
  }
}

/** The text is known to be valid JSON here, so braces, brackets and strings are all there is to look at. */
function scan(text: string): void {
  const open: (Set<string> | null)[] = []
  let index = 0
  while (index < text.length) {
    const char = text.charCodeAt(index)
    if (char === quote) {
      const end = endOfString(text, index)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) rememberKey(keys, text.slice(index, end))
      index = end
      continue
    }
    if (char === openBrace || char === openBracket) {
      open.push(char === openBrace ? new Set() : null)
      if (open.length > depthMax) throw new JsonProblem(`The body is nested deeper than ${depthMax} levels.`)
    } else if (char === closeBrace || char === closeBracket) open.pop()
    index++
  }
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (text.charCodeAt(index) !== quote) index += text.charCodeAt(index) === backslash ? 2 : 1
  return index + 1
}

function isKey(text: string, end: number): boolean {
  let index = end
  while (/\s/.test(text.charAt(index))) index++
  return text.charAt(index) === ':'
}

function rememberKey(keys: Set<string>, raw: string): void {
  const key = raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1)
  if (keys.has(key)) throw new JsonProblem(`The key '${key.slice(0, 64)}' appears twice in one object.`)
  keys.add(key)
}

/** Only escapes can bring in U+0000 and unpaired surrogates: raw ones are not valid JSON or not valid UTF-8. */
function checkStrings(value: unknown): void {
  if (typeof value === 'string') checkString(value)
  else if (Array.isArray(value)) for (const item of value) checkStrings(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkString(key)
      checkStrings(item)
    }
  }
}

function checkString(text: string): void {
  if (text.includes('\u0000')) throw new JsonProblem('The body contains the character U+0000.')
  if (!text.isWellFormed()) throw new JsonProblem('The body contains an unpaired surrogate.')
}

type Serialize = (data: unknown) => string
type RouteSchema = { schema?: unknown }

// Kept for all apps of the process.
const made = new Map<string, Serialize>()

/**
 * Answers are written by code made from their schema, which strips what is not declared. Making that code for every
 * status of every route with every named schema costs seconds at start; so it is made at the first use, once per
 * schema, and with the named schemas it refers to alone.
 */
export function buildSerializer(named: unknown) {
  return ({ schema }: RouteSchema): Serialize => {
    let serialize: Serialize | undefined
    return (data) => {
      serialize ??= make(JSON.stringify(schema), named as Record<string, Schema>)
      return serialize(data)
    }
  }
}

function make(text: string, named: Record<string, Schema>): Serialize {
  const schemas = referred(text, named)
  const key = `${text}${JSON.stringify(schemas)}`
  const schema: Schema = JSON.parse(text)
  const serialize = made.get(key) ?? fastJsonStringify(schema, { schema: schemas })
  made.set(key, serialize)
  return serialize
}

/** The named schemas that a text refers to, and those they refer to. */
function referred(text: string, named: Record<string, Schema>): Record<string, Schema> {
  const found: Record<string, Schema> = {}
  const visit = (part: string): void => {
    for (const [, name = ''] of part.matchAll(/"\$ref":"([^"#]+)#"/g)) {
      const schema = named[name]
      if (!schema || name in found) continue
      found[name] = schema
      visit(JSON.stringify(schema))
    }
  }
  visit(text)
  return found
}

/**
 * Every route of /v1 documents the whole closed table of refusals; a route names only what it answers on success. A
 * parameter in the URL that nobody reads is a mistake to tell, also where a route reads none at all.
 */
export function completeV1Schemas(app: App): void {
  const nothing = object({})
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1/')) route.schema = withRefusals({ querystring: nothing, ...route.schema })
  })
}

export function withRefusals(schema: FastifySchema = {}): FastifySchema {
  const refusals = Object.fromEntries(errorStatuses.map((status) => [status, ref(ErrorAnswer)]))
  return { ...schema, response: { ...refusals, ...(isRecord(schema.response) ? schema.response : {}) } }
}
