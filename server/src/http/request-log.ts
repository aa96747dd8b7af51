import type { FastifyReply, FastifyRequest } from 'fastify'
import { createRequestRecorder } from '../accounts/record-requests.ts'
import { redactFields } from '../log-redaction.ts'
import type { Runtime } from '../runtime.ts'
import type { App } from './context.ts'

const bodyBytesMax = 2_048
const charactersMax = 64

/**
 * One row per API call for the console's request log: refusals and sends, all calls, or none. Calls without a valid
 * token belong to no account and are in the server's log only. Nobody waits for the row.
 */
export function addRequestLog(app: App, rt: Runtime): void {
  const { requestLog } = rt.config
  if (requestLog === 'off') return
  const recorder = createRequestRecorder(rt)
  app.addHook('onClose', () => recorder.close())
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.config.documentedUrl ?? request.routeOptions.url ?? ''
    if (!request.caller || !route.startsWith('/v1/')) return
    if (requestLog === 'refused' && !isRefused(reply) && !isSend(request, route)) return
    recorder.record({
      id: request.requestId,
      account_id: request.caller.accountId,
      key_id: request.caller.keyId,
      at: request.startedAt,
      method: request.method,
      route,
      status: reply.statusCode,
      code: request.problemCode,
      duration_ms: Math.round(reply.elapsedTime),
      body: isRefused(reply) ? redactedBody(request.body) : null,
    })
  })
}

function isRefused(reply: FastifyReply): boolean {
  return reply.statusCode >= 400
}

function isSend({ method }: FastifyRequest, route: string): boolean {
  return method === 'POST' && route.startsWith('/v1/chat/messages/')
}

/**
 * What was sent, without texts, secrets and whole numbers: enough to see which field was wrong. Of long values only the
 * length is kept, because a text under a misspelt name would not be known as one.
 */
function redactedBody(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return null
  const text = JSON.stringify(redactFields(body as Record<string, unknown>), (_name, value: unknown) =>
    typeof value === 'string' && value.length > charactersMax ? `[${value.length} characters]` : value,
  )
  if (Buffer.byteLength(text) <= bodyBytesMax) return text
  // A cut may fall into a character; the replacement sign it leaves goes too.
  const cut = Buffer.from(text)
    .subarray(0, bodyBytesMax - 3)
    .toString('utf8')
  return `${cut.replace(/\uFFFD+$/, '')}…`
}
