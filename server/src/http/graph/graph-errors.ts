import type { FastifyReply, FastifyRequest } from 'fastify'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { refuseInOrder } from '../edge/idempotency.ts'
import { toAppError } from '../edge/problem.ts'
import { rawHeaders } from '../edge/raw-refusals.ts'

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
  const { dialect } = rt.platform
  const body = { bodyBytesMax: 0, contentType: request.headers['content-type'], body: null }
  const error = toAppError(thrown, body)
  const requestId = request.requestId || request.id
  request.problemCode = error.code
  const { cause, retryAfterSeconds } = error.extras
  const theirs = cause instanceof PlatformError && cause.answer ? dialect.passedRefusal(cause.answer) : null
  const answer =
    theirs ?? dialect.refusal({ code: error.code, sentence: error.message, requestId, extras: error.extras })
  if (error.code === 'internal_error') {
    rt.log.error({ request_id: requestId, route: request.routeOptions?.url, err: cause ?? thrown }, 'request.failed')
  }
  const wait = retryAfterSeconds ?? (answer.status === 503 || answer.status === 429 ? 1 : undefined)
  void reply
    .code(answer.status)
    .headers({ ...rawHeaders(requestId), ...(wait === undefined ? {} : { 'retry-after': String(wait) }) })
    .send(answer.body)
}
