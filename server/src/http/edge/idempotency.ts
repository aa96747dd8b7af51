import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  claimKey,
  findOutcome,
  fingerprintOf,
  finishKey,
  type IdempotencyKey,
  type Outcome,
  readIdempotencyKey,
  releaseKey,
} from '../../access/idempotency.ts'
import { sendDeadline } from '../../access/send-deadline.ts'
import { AppError } from '../../contract/app-error.ts'
import { ok } from '../../contract/envelope.ts'
import { errorTable } from '../../contract/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { toRefusal } from '../../messages/send/dispatch-message.ts'
import { answerFrom } from '../../messages/send/send.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request carries an Idempotency-Key on a route that honours it. */
    idempotencyKey: IdempotencyKey | null
    /** The key was taken for this request by the hook, and must be finished or released. */
    holdsKey: boolean
  }
}

/**
 * Step 7 of the fixed order: a repeat ends here, before validation. Sends take the key together with their message; all
 * other routes take it here, right before their handler, and keep the answer before it leaves.
 */
export function addIdempotency(app: App, rt: Runtime): void {
  app.decorateRequest('idempotencyKey', null).decorateRequest('holdsKey', false)

  app.addHook('preValidation', async (request, reply) => {
    const { idempotent = false } = request.routeOptions.config
    if (idempotent === false || idempotent === 'in_handler' || !request.caller) return
    if (isDryRun(request)) return
    const key = readIdempotencyKey(request.headers['idempotency-key'])
    if (key === null) return
    // The path, not the route: the same key and body for another webhook is another request.
    const endpoint = `${request.method} ${request.url.split('?', 1)[0]}`
    // Uploads have no body yet; their handler gives the fingerprint of what it read.
    request.idempotencyKey = {
      accountId: request.caller.accountId,
      endpoint,
      key,
      fingerprint: fingerprintOf(request.body ?? null),
    }
    const finding = findOutcome(rt, request.idempotencyKey, sendDeadline(rt, request.arrivedMs).answerWaitMs())
    // A repeat ends here, without a write that could decide about its key. What refuses the key comes first.
    finding.catch(() => {})
    await request.admission?.settle()
    const outcome = await finding
    if (outcome) return sendReplay(reply, outcome)
  })

  app.addHook('preHandler', async (request, reply) => {
    const { idempotencyKey } = request
    if (!idempotencyKey || request.routeOptions.config.idempotent === 'in_unit') return
    // The holder may have released the key without an answer: the next request claims it, and none runs without it.
    while (!(await claimKey(rt, idempotencyKey))) {
      const outcome = await findOutcome(rt, idempotencyKey, sendDeadline(rt, request.arrivedMs).answerWaitMs())
      if (outcome) return sendReplay(reply, outcome)
    }
    request.holdsKey = true
  })
  addKeyOutcome(app, rt)
}

/** What becomes of a key that a request holds: its answer is kept, or the key is free again. */
function addKeyOutcome(app: App, rt: Runtime): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (request.holdsKey && request.idempotencyKey && reply.statusCode < 300) {
      request.holdsKey = false
      await finishKey(rt, request.idempotencyKey, null, {
        kind: 'answer',
        status: reply.statusCode,
        data: (payload as { data: unknown }).data,
      })
    }
    return payload
  })

  // A refusal of the platform is an answer too: the repeat gets it, and another body under its key is refused.
  app.addHook('onError', async (request, _reply, error: unknown) => {
    if (!request.holdsKey || !request.idempotencyKey || !isPlatformsNo(error)) return
    try {
      await finishKey(rt, request.idempotencyKey, null, toRefusal(error))
      request.holdsKey = false
    } catch (failure) {
      rt.log.warn({ err: failure }, 'idempotency.not_kept')
    }
  })

  // What was refused before the platform was asked leaves no trace, and neither does what another try may get through.
  // Before the answer leaves, not after: nobody hears of the end of an answer whose client has gone.
  app.addHook('onSend', async (request, _reply, payload) => {
    if (request.holdsKey && request.idempotencyKey) {
      request.holdsKey = false
      await releaseKey(rt, request.idempotencyKey, null).catch((error: unknown) =>
        rt.log.warn({ err: error }, 'idempotency.not_released'),
      )
    }
    return payload
  })
}

/** What the platform said is in every error that comes from it; where a retry helps it has decided nothing. */
function isPlatformsNo(error: unknown): error is AppError {
  return error instanceof AppError && error.extras.upstream !== undefined && !errorTable[error.code].retryable
}

function isDryRun(request: FastifyRequest): boolean {
  const dryRun = isRecord(request.query) && request.query.dry_run
  return dryRun === 'true' || dryRun === true
}

function sendReplay(reply: FastifyReply, outcome: Outcome): FastifyReply {
  const data = answerFrom(outcome)
  const status = outcome.kind === 'answer' ? outcome.status : 200
  return reply.code(status).header('idempotent-replayed', 'true').send(ok(data))
}
