import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { drawText } from '../ids.ts'
import { GRAPH_VERSION } from '../platform.ts'
import { type GraphError, graphError } from './errors.ts'
import { isRecord, type Json, parse } from './json.ts'

/** What a handler answers. */
export type Reply = { status: number; body: string | Readable; headers?: string[] }

/** One request, taken apart once. */
export type Call = {
  req: IncomingMessage
  method: string
  /** Path without the version: `['1065', 'messages']`. */
  path: string[]
  query: URLSearchParams
  /** Query and body together; the platform takes most parameters from either. */
  params: Json
  /** The body as it came. */
  source: string
}

/** What is asked of a node; a link is named by its code. */
export function edgeOf(path: readonly string[]): string {
  return path.length === 3 && path[1] === 'message_qrdls' ? 'message_qrdls/{code}' : path.slice(1).join('/')
}

export function ok(body: Json, headers?: string[]): Reply {
  const text = JSON.stringify(body)
  return headers ? { status: 200, body: text, headers } : { status: 200, body: text }
}

export const SUCCESS: Reply = { status: 200, body: '{"success":true}' }

export function errorReply(error: GraphError): Reply {
  return { status: error.status, body: JSON.stringify(error.body), headers: error.headers }
}

const FIXED_HEADERS = [
  'Content-Type',
  'application/json; charset=UTF-8',
  'facebook-api-version',
  GRAPH_VERSION,
  'x-fb-rev',
  '1028000000',
]

/** Left off the answer to a plain success: each header costs a microsecond, and sends are most of the traffic. */
const REMAINING_HEADERS = [
  'x-app-usage',
  '{"call_count":0,"total_cputime":0,"total_time":0}',
  'Cache-Control',
  'private, no-cache, no-store, must-revalidate',
  'Strict-Transport-Security',
  'max-age=15552000; preload',
]

export function writeReply(res: ServerResponse, reply: Reply): void {
  if (res.destroyed) return
  if (typeof reply.body !== 'string') {
    res.writeHead(reply.status, [...(reply.headers ?? []), 'x-fb-trace-id', drawText(11)])
    reply.body.on('error', () => res.destroy())
    reply.body.pipe(res)
    return
  }
  res.writeHead(reply.status, headersFor(reply.body, reply.headers))
  res.end(reply.body)
}

/** The same answer, in ten pieces over the given time. */
export function trickleReply(res: ServerResponse, reply: Reply, overMs: number): void {
  if (res.destroyed || typeof reply.body !== 'string') {
    writeReply(res, reply)
    return
  }
  const body = Buffer.from(reply.body)
  res.writeHead(reply.status, headersFor(reply.body, reply.headers))
  const step = Math.max(1, Math.ceil(body.length / 10))
  let at = 0
  const timer = setInterval(() => {
    if (res.destroyed || at >= body.length) {
      clearInterval(timer)
      res.end()
      return
    }
    res.write(body.subarray(at, at + step))
    at += step
  }, overMs / 10)
  res.on('close', () => clearInterval(timer))
}

export function headersFor(body: string, more: string[] | undefined): string[] {
  const length = String(Buffer.byteLength(body))
  const headers = FIXED_HEADERS.concat('x-fb-trace-id', drawText(11), 'Content-Length', length)
  if (more === undefined) return headers
  return headers.concat('x-fb-request-id', `A${drawText(22)}`, 'x-fb-debug', drawText(43), REMAINING_HEADERS, more)
}

const NO_QUERY = new URLSearchParams()

/** Splits the target; a `/vN.N` prefix is dropped, whatever its numbers. */
export function readTarget(req: IncomingMessage): Call {
  const target = req.url ?? '/'
  const mark = target.indexOf('?')
  const path = (mark === -1 ? target : target.slice(0, mark)).split('/').filter((part) => part !== '')
  if (VERSION.test(path[0] ?? '')) path.shift()
  const query = mark === -1 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1))
  return { req, method: req.method ?? 'GET', path, query, params: {}, source: '' }
}

const VERSION = /^v\d+\.\d+$/

/** One header, without building the object of all of them. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const { rawHeaders } = req
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const candidate = rawHeaders[i] ?? ''
    if (candidate.length === name.length && candidate.toLowerCase() === name) return rawHeaders[i + 1]
  }
  return undefined
}

/** Fills in the parameters: JSON or a form. Query parameters fill what the body leaves open. */
export function readParams(call: Call, source: string): void {
  const given = source === '' ? {} : parseBody(call.req, source)
  call.source = source
  if (call.query === NO_QUERY) call.params = given
  else {
    // The proof is about the caller, not about what is asked.
    const { appsecret_proof: _, ...query } = Object.fromEntries(call.query)
    call.params = { ...query, ...given }
  }
}

function parseBody(req: IncomingMessage, source: string): Json {
  if (!source.startsWith('{') && headerOf(req, 'content-type')?.startsWith('application/x-www-form-urlencoded')) {
    const fields: Json = {}
    // A form carries nested objects as JSON text.
    for (const [name, value] of new URLSearchParams(source)) {
      fields[name] = /^[[{]/.test(value) ? (parse(value) ?? value) : value
    }
    return fields
  }
  const parsed = parse(source)
  if (!isRecord(parsed)) throw graphError(100, 'The request body is not valid JSON.')
  return parsed
}

/** Reads a whole body. With callbacks rather than promises: three hops less for every send. */
export function readBody(
  req: IncomingMessage,
  bytesMax: number,
  done: (error: Error | null, body: string) => void,
): void {
  let first: Buffer | undefined
  let rest: Buffer[] | undefined
  let size = 0
  req.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > bytesMax) return
    if (first === undefined) first = chunk
    else if (rest === undefined) rest = [first, chunk]
    else rest.push(chunk)
  })
  req.on('end', () => {
    if (size > bytesMax)
      done(graphError(100, `The request body is larger than ${bytesMax} bytes.`, { status: 413 }), '')
    else done(null, (rest ? Buffer.concat(rest) : first)?.toString('utf8') ?? '')
  })
  req.on('error', (error) => done(error, ''))
}
