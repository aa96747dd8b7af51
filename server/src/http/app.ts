import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { AppError } from '../contract/app-error.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { namedSchemas } from '../contract/schema.ts'
import { createTurnEnd } from '../lib/async/batcher.ts'
import type { Runtime } from '../runtime.ts'
import { addAccessHooks, createAccess } from './edge/access.ts'
import { addJsonParser, buildSerializer, completeV1Schemas } from './edge/body/json-parser.ts'
import { endLateBodies } from './edge/body/read-body.ts'
import { buildValidator, schemaBucket } from './edge/body/validation.ts'
import { type App, addForwardedPeerCheck, type RouteTable, rememberRoutes, step } from './edge/context.ts'
import { addAnswerInTime, watchFinished } from './edge/finished.ts'
import { addCors, addDeprecation, addResponseHeaders } from './edge/headers.ts'
import { addIdempotency, refuseInOrder } from './edge/idempotency.ts'
import { addOverloadProtection } from './edge/load/overload.ts'
import { problemAt, type RefusedBody, toAppError } from './edge/problem.ts'
import { rawHeaders, rawRefusals, repeatedHeader } from './edge/raw-refusals.ts'
import { addAccessLog, addRequestLog, addRequestTracing } from './edge/request-log.ts'
import { plainGraphUrl } from './graph/graph-address.ts'
import { addHealthRoutes, type Readiness } from './health.ts'
import { addOpenApi } from './openapi.ts'
import { dropHeadStreams, isLostVisitor, lacksId, notFound, pathOf, sendLostPage } from './page.ts'

export const bodyBytesMax = 256 * 1024
/** The body fields of unauthenticated requests: two credentials and a name. */
const publicBodyBytesMax = 4 * 1024
const headerBytesMax = 16 * 1024
const headersTimeoutMaxMs = 10_000

export type AppParts = {
  readiness: Readiness
  /** One function per resource; each adds its routes. */
  resources: readonly ((app: App, rt: Runtime) => void | Promise<void>)[]
  installation?: string
}

/** The public listener. Tests build it too, and inject requests without a socket. */
export async function createApp(rt: Runtime, { readiness, resources, installation }: AppParts): Promise<App> {
  const refusals = rawRefusals(rt)
  const app = createFastify(rt, refusals)
  refusals.attach(app.server)
  startTogether(app.server)
  const routes = rememberRoutes(app)
  app
    .decorateRequest('requestId', '')
    .decorateRequest('startedAt', 0)
    .decorateRequest('arrivedMs', 0)
    .decorateRequest('problemCode', null)
    .decorateRequest('caller', null)
    .decorateRequest('claim', null)
  // Before every hook that refuses, so that refusals are counted and logged too.
  const onFinished = watchFinished(app)
  endLateBodies(onFinished, rt.config.bodyTimeoutMs)
  addAccessLog(app, rt, onFinished)
  addRequestLog(app, rt, onFinished)
  addRequestTracing(app, rt)
  app.addHook('onRequest', (request, _reply, done) => {
    admit(rt, routes, request)
    done()
  })
  addAnswerInTime(app, rt, onFinished, (error, request, reply) => refuse(rt, error, request, reply))
  addForwardedPeerCheck(app, rt)
  addCors(app, rt)
  addResponseHeaders(app, rt)
  addDeprecation(app)
  dropHeadStreams(app)
  addJsonParser(app, { bytesMax: bodyBytesMax, publicBytesMax: publicBodyBytesMax, timeoutMs: rt.config.bodyTimeoutMs })
  app.setErrorHandler(async (error, request, reply) => {
    // The body is read before the path is refused; a caller that mistyped the path must not look for a fault in the
    // body.
    const { code } = toAppError(error, bodyOf(request))
    const thrown = request.is404 && bodyFaults.includes(code) ? notFound(routes, request) : error
    await refuseInOrder(rt, { request, reply, thrown }, (first) => refuse(rt, first, request, reply))
    return reply
  })
  app.setNotFoundHandler((request, reply) => {
    if (isLostVisitor(request)) sendLostPage(request, reply)
    else refuse(rt, notFound(routes, request), request, reply)
  })
  for (const schema of namedSchemas()) app.addSchema(schema)
  const overload = addOverloadProtection(app, rt, onFinished)
  app.addHook('onRequest', step(overload.checkCredentials))
  addAccessHooks(app, rt, createAccess(rt))
  app.addHook('onRequest', step(overload.checkAccount))
  addIdempotency(app, rt)
  completeV1Schemas(app)
  await addOpenApi(app)
  addHealthRoutes(app, readiness, { installation })
  for (const add of resources) await add(app, rt)
  return app
}

function createFastify(rt: Runtime, refusals: ReturnType<typeof rawRefusals>): App {
  const headersTimeoutMs = Math.min(headersTimeoutMaxMs, rt.config.bodyTimeoutMs)
  return Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    // Header and body damage that Node's parser finds; answered with a status of our table.
    clientErrorHandler: refusals.onClientError,
    http: {
      requireHostHeader: false,
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      // Node looks for late requests every 30 s by default: half a header would stay for up to 40.
      connectionsCheckingInterval: Math.ceil(headersTimeoutMs / 10),
    } as object,
    // Uploads may take long; JSON bodies have their own, shorter clock.
    requestTimeout: 300_000,
    // 503 is not in the table; requests that slip in while closing are served.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => plainGraphUrl(url),
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    trustProxy: rt.config.trustProxy.length > 0 ? [...rt.config.trustProxy] : false,
    genReqId: () => rt.newId('req'),
    frameworkErrors: (error, request, reply) => refuse(rt, error, request, reply),
    routerOptions: { maxParamLength: 1_024 },
    schemaController: {
      bucket: schemaBucket,
      compilersFactory: { buildValidator: buildValidator as never, buildSerializer },
    },
  }).withTypeProvider()
}

const bodyFaults: readonly ErrorCode[] = ['unsupported_media_type', 'malformed_json']

function admit(rt: Runtime, routes: RouteTable, request: FastifyRequest): void {
  request.requestId = request.id
  request.startedAt = rt.clock.now()
  request.arrivedMs = performance.now()
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    throw new AppError('malformed_request', 'The Host header is missing.')
  }
  const repeated = repeatedHeader(request.raw)
  if (repeated) throw new AppError('malformed_request', `The ${repeated} header was sent more than once.`)
  // No id or filter holds it, and PostgreSQL cannot even compare with it.
  if (request.url.includes('%00')) throw new AppError('malformed_request', 'The URL contains the character U+0000.')
  if (lacksId(request) || routes.isTakenForId(request, pathOf(request))) throw notFound(routes, request)
}

function bodyOf({ headers, body }: FastifyRequest): RefusedBody {
  return { bodyBytesMax, contentType: headers['content-type'], body }
}

function refuse(rt: Runtime, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(thrown, bodyOf(request))
  const requestId = request.requestId || request.id
  request.problemCode = error.code
  const context = { requestId, consoleUrl: rt.urls.console }
  const problem = problemAt(rt, request.originalUrl, error, context)
  // What is refused on purpose is counted, and has no cause to look for.
  const onPurpose = error === thrown && error.code === 'service_unavailable' && error.extras.cause === undefined
  if (problem.status >= 500 && !onPurpose) {
    rt.log.error(
      { request_id: requestId, route: request.routeOptions?.url, code: error.code, err: error.extras.cause ?? thrown },
      'request.failed',
    )
  }
  void reply
    .code(problem.status)
    .headers({ ...rawHeaders(requestId), ...problem.headers })
    .send(problem.body)
}

/**
 * Requests that arrive in the same turn of the event loop start together at its end, most of them with their whole body. One
 * whose client is gone by then never starts.
 */
export function startTogether(server: Server): void {
  const turnEnd = createTurnEnd()
  const listeners = server.listeners('request')
  const start = async (request: IncomingMessage, response: ServerResponse) => {
    await turnEnd()
    if (request.socket.destroyed) return
    for (const listener of listeners) listener.call(server, request, response)
  }
  server.removeAllListeners('request')
  server.on('request', (request, response) => void start(request, response))
}
