import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../../runtime.ts'
import { toGraphProblem } from '../edge/graph-problem.ts'
import { refuseInOrder } from '../edge/idempotency.ts'
import { toAppError } from '../edge/problem.ts'
import { rawHeaders } from '../edge/raw-refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Meta's code of what a call below /graph was refused with; 0 for none. */
    graphCode: number
  }
}

/** Every refusal below /graph has Meta's shape: clients look into it for a code. */
export async function refuseAsGraph(
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
