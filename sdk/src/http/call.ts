import type { Clock } from '../clock.ts'
import { runtimeTag } from '../env.ts'
import { version } from '../version.ts'
import { toSnake } from './case.ts'
import { type Query, withQuery } from './path.ts'

/** Options every call takes as its last argument. */
export interface RequestOptions {
  /** Your own key for a POST, 1 to 255 visible ASCII characters. A random one is used otherwise. */
  idempotencyKey?: string
  /** Time limit of the call in milliseconds, with its retries and waits, instead of the client's. */
  timeoutMs?: number
  /** How often a failed call is repeated, instead of the client's number. */
  maxRetries?: number
  /** Ends the call, its retries and its waiting; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Your own id of this call, 1 to 128 visible ASCII characters; the gateway stores it beside its own. */
  clientRequestId?: string
}

/** One call of the HTTP API. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path from `/v1` on, with its ids percent-encoded. */
  path: string
  query?: Query
  /** An object in camelCase, or a form. */
  body?: object
  /** A body of lines in place of an object. A stream can be sent once. */
  lines?: { type: string; content: string | Blob | ReadableStream<Uint8Array> }
  /** `response` hands out the unread `Response` of a success, for the calls that do not answer JSON. */
  expect?: 'json' | 'response'
}

/** A request with everything decided that stays the same on each attempt. */
export interface Call {
  method: string
  path: string
  url: string
  headers: Headers
  body: string | FormData | Blob | ReadableStream<Uint8Array> | undefined
  expect: 'json' | 'response'
  idempotencyKey: string | undefined
  timeoutMs: number
  maxRetries: number
  signal: AbortSignal | undefined
  nowMs: () => number
}

/** What the client decides where a call does not. */
export interface CallDefaults {
  baseUrl: string
  timeoutMs: number
  maxRetries: number
  clock: Clock
}

/** Decides all of a call that does not change between attempts, and refuses what could never be sent. */
export function prepareCall(request: ApiRequest, options: RequestOptions, settings: CallDefaults): Call {
  const { method, path, body, lines, expect = 'json' } = request
  const idempotencyKey = method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const isForm = body instanceof FormData
  const headers = new Headers({ accept: 'application/json', 'user-agent': userAgent })
  // The media type of a form is left to fetch, which knows its boundary.
  if (lines) headers.set('content-type', lines.type)
  else if (body !== undefined && !isForm) headers.set('content-type', 'application/json')
  setVisible(headers, 'idempotency-key', idempotencyKey, 255)
  setVisible(headers, 'x-client-request-id', options.clientRequestId, 128)
  return {
    method,
    path,
    url: settings.baseUrl + withQuery(path, request.query ?? {}),
    headers,
    body: lines ? lines.content : body === undefined || isForm ? body : JSON.stringify(toSnake(body)),
    expect,
    idempotencyKey,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    signal: options.signal,
    nowMs: () => settings.clock.now(),
  }
}

const userAgent = `postern-node/${version} ${runtimeTag()}`.trim()

/** Refuses here what the gateway would refuse: fetch reports a bad header like a broken connection. */
function setVisible(headers: Headers, name: string, value: string | undefined, lengthMax: number): void {
  if (value === undefined) return
  if (!/^[\x21-\x7e]+$/.test(value) || value.length > lengthMax) {
    throw new TypeError(`${name} must be 1 to ${lengthMax} visible ASCII characters`)
  }
  headers.set(name, value)
}
