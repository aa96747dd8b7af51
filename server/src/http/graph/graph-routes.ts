import type { FastifyReply, FastifyRequest } from 'fastify'
import { createAddressNotes, requirePace } from '../../connections/pass-call.ts'
import { createRepeatKeys } from '../../connections/repeat-keys.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { refuseInOrder } from '../edge/idempotency.ts'
import { toAppError, toGraphProblem } from '../edge/problem.ts'
import { rawHeaders } from '../edge/raw-refusals.ts'
import { addGraphBodies } from './bodies.ts'
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
        refuseOtherSites(request)
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
        refuseAsGraph(
          rt,
          new AppError('endpoint_not_found', 'This path does not support this method.'),
          request,
          reply,
        ),
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

/** Tools are no pages of other sites. A signed link of a file works from every page. */
function refuseOtherSites({ headers, routeOptions }: FastifyRequest): void {
  if (headers['sec-fetch-site'] !== 'cross-site' || routeOptions.url === '/graph/media/:id') return
  throw new AppError('cross_site_request', 'Calls from the page of another site are not accepted here.')
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
