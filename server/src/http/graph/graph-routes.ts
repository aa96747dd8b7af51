import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createAddressNotes, requirePace } from '../../connections/pass-call.ts'
import { createRepeatKeys } from '../../connections/repeat-keys.ts'
import { AppError } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Runtime } from '../../runtime.ts'
import { readBody } from '../edge/body/read-body.ts'
import type { App } from '../edge/context.ts'
import { refuseInOrder } from '../edge/idempotency.ts'
import { toAppError, toGraphProblem } from '../edge/problem.ts'
import { rawHeaders } from '../edge/raw-refusals.ts'
import { addCallbackCalls } from './callback-calls.ts'
import { createConnectionMemory, queryToken } from './graph-address.ts'
import { addGraphMedia } from './media.ts'
import { addPassedCalls } from './passed-calls.ts'
import { addGraphSends } from './sends.ts'
import { addSetupCalls } from './setup-calls.ts'
import { addResumableUploads } from './uploads.ts'

/** Meta's dialect, for tools that know no other. None of the rules of /v1 about shapes, statuses and slashes hold here. */
export async function addGraphRoutes(app: App, rt: Runtime): Promise<void> {
  const tools = { rt, connectionOf: createConnectionMemory(rt), repeats: createRepeatKeys(rt) }
  const noteAddress = createAddressNotes(rt)
  app.addHook('onClose', () => tools.repeats.close())
  await app.register(
    async (scope) => {
      const graph = scope as App
      addGraphBodies(graph, rt)
      graph.decorateRequest('graphCode', 0)
      graph.addHook('onResponse', (request, _reply, done) => {
        const route = request.routeOptions.url ?? 'unknown'
        rt.metrics.graphRequests.inc({ route, code: String(request.graphCode) })
        done()
      })
      graph.addHook('preHandler', async (request) => {
        if (!request.checked) return
        const connection = await tools.connectionOf(request)
        if (queryToken(request) !== null) noteAddress(connection.id, request.checked.epoch)
        await requirePace(rt, connection)
      })
      graph.setErrorHandler(async (error, request, reply) => {
        await refuseAsGraph(rt, error, request, reply)
        return reply
      })
      graph.setNotFoundHandler((request, reply) =>
        refuseAsGraph(rt, new AppError('endpoint_not_found', 'There is nothing here for this method.'), request, reply),
      )
      addGraphSends(graph, tools)
      addSetupCalls(graph, tools)
      addCallbackCalls(graph, tools)
      addGraphMedia(graph, tools)
      addResumableUploads(graph, tools)
      addPassedCalls(graph, tools)
    },
    { prefix: '/graph' },
  )
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Meta's code of what a call below /graph was refused with; 0 for none. */
    graphCode: number
  }
}

/** Every refusal below /graph has Meta's shape: clients look into it for a code. */
async function refuseAsGraph(
  rt: Runtime,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await refuseInOrder(rt, { request, reply, thrown }, (first) => refuse(rt, first, request, reply))
}

function refuse(rt: Runtime, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(thrown, { bodyBytesMax: 0, contentType: request.headers['content-type'], body: null })
  const requestId = request.requestId || request.id
  request.problemCode = error.code
  const { status, headers, body, code } = toGraphProblem(rt.platform.dialect, error, requestId)
  request.graphCode = code
  if (error.code === 'internal_error') {
    const err = error.extras.cause ?? thrown
    rt.log.error({ request_id: requestId, route: request.routeOptions?.url, err }, 'request.failed')
  }
  void reply
    .code(status)
    .headers({ ...rawHeaders(requestId), ...headers })
    .send(body)
}

const bodyBytesMax = 256 * 1024

/** JSON and forms, as Meta takes them; anything else is read as JSON, because some tools name no type. */
function addGraphBodies(graph: App, { config }: Runtime): void {
  const limits = { bytesMax: bodyBytesMax, timeoutMs: config.bodyTimeoutMs }
  const text = async (payload: IncomingMessage) => (await readBody(payload, limits)).toString('utf8')
  graph.removeAllContentTypeParsers()
  graph.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { access_token: token, ...form } = formOf(await text(payload))
      if (typeof token === 'string' && token.includes('|')) return { ...form, access_token: token }
      if (typeof token === 'string' && token !== '') request.formToken = token
      return form
    },
  )
  graph.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => {
    const body = await text(payload)
    return body.trim() === '' ? {} : jsonOf(body)
  })
}

/** A form whose values are JSON where they look like it: Meta reads both alike. */
function formOf(text: string): Record<string, unknown> {
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [name, /^[[{]/.test(value) ? jsonValue(value) : value]),
  )
}

function jsonOf(text: string): Record<string, unknown> {
  const body = jsonValue(text)
  if (!isRecord(body)) throw new AppError('malformed_json', 'The body must be one JSON object.')
  return body
}

const longNumber = /\d{16}/

/** Numbers that do not fit a double keep their digits: an id written as one would otherwise become another. */
function jsonValue(text: string): unknown {
  if (text.includes('\u0000') || text.includes('\\u0000')) {
    throw new AppError('malformed_json', 'The body contains the character U+0000.')
  }
  try {
    return longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
  } catch {
    throw new AppError('malformed_json', 'The body is not valid JSON.')
  }
}

type Raw = { rawJSON(text: string): unknown }

function exact(_name: string, value: unknown, context?: { source?: string }): unknown {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && context?.source !== undefined
  return isInexact && /^-?\d+$/.test(context.source ?? '')
    ? (JSON as unknown as Raw).rawJSON(context.source ?? '')
    : value
}
