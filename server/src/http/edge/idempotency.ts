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
import { answerFrom, findEarlier } from '../../messages/send/send.ts'
import type { Runtime } from '../../runtime.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import { type App, step } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request carries an Idempotency-Key on a route that honours it. */
    idempotencyKey: IdempotencyKey | null
    /** The key was taken for this request by the hook, and must be finished or released. */
    holdsKey: boolean
  }
}

/**
 * Step 7 of the fixed order: a repeat ends here, before validation. Sends take the key together with their message, and most
 * find a repeat only then; all other routes take it here, right before their handler, and keep the answer before it leaves.
 */
export function addIdempotency(app: App, rt: Runtime): void {
  app.decorateRequest('idempotencyKey', null).decorateRequest('holdsKey', false)

  const endRepeat = step((request, reply) => {
    request.idempotencyKey = keyOf(request)
    return request.idempotencyKey && !isLeftToWrite(rt, request)
      ? replay(rt, request.idempotencyKey, request, reply)
      : undefined
  })
  const claim = step((request, reply) => {
    const { idempotencyKey } = request
    if (!idempotencyKey || request.routeOptions.config.idempotent === 'in_unit') return
    return claimOrReplay(rt, idempotencyKey, request, reply)
  })
  app.addHook('preValidation', endRepeat)
  app.addHook('preHandler', claim)
  addKeyOutcome(app, rt)
}

/** Null where the request has none, or its route does not honour it. */
function keyOf(request: FastifyRequest): IdempotencyKey | null {
  const { idempotent = false } = request.routeOptions.config
  if (idempotent === false || idempotent === 'in_handler' || !request.caller || isDryRun(request)) return null
  const key = readIdempotencyKey(request.headers['idempotency-key'])
  if (key === null) return null
  // The path, not the route: the same key and body for another webhook is another request.
  const endpoint = `${request.method} ${request.url.split('?', 1)[0]}`
  // Uploads have no body yet; their handler gives the fingerprint of what it read.
  return { accountId: request.caller.accountId, endpoint, key, fingerprint: fingerprintOf(request.body ?? null) }
}

/** The key of a send is looked at by its first write. Where it has none after all, see `refuseInOrder` and `send`. */
function isLeftToWrite({ throttles, clock }: Runtime, { admission, caller }: FastifyRequest): boolean {
  return admission?.state === 'open' && throttles.repeatsInWrites.waitMs(caller?.accountId ?? '', clock.now()) === 0
}

/**
 * Answers with a refusal, unless something else comes first where key and quota were still to be decided: a refusal of these,
 * or the answer to an earlier request with the same Idempotency-Key. A database that failed or took too long is not asked.
 */
export async function refuseInOrder(
  rt: Runtime,
  { request, reply, thrown }: { request: FastifyRequest; reply: FastifyReply; thrown: unknown },
  refuse: (error: unknown) => void,
): Promise<void> {
  const { admission, idempotencyKey } = request
  if (admission?.state !== 'open' || isOfDatabase(thrown)) return refuse(thrown)
  try {
    await admission.settle()
    if (idempotencyKey && (await replay(rt, idempotencyKey, request, reply))) return
  } catch (earlier) {
    return refuse(earlier)
  }
  refuse(thrown)
}

function isOfDatabase(thrown: unknown): boolean {
  return thrown instanceof StoreUnavailable || (thrown instanceof AppError && thrown.code === 'service_unavailable')
}

async function replay(
  rt: Runtime,
  key: IdempotencyKey,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { admission, arrivedMs } = request
  const outcome = await findEarlier(rt, key, sendDeadline(rt, arrivedMs).answerWaitMs(), admission)
  if (outcome) await sendReplay(reply, outcome)
  return outcome !== null
}

async function claimOrReplay(
  rt: Runtime,
  key: IdempotencyKey,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // The holder may have released the key without an answer: the next request claims it, and none runs without it.
  while (!(await claimKey(rt, key))) {
    const outcome = await findOutcome(rt, key, sendDeadline(rt, request.arrivedMs).answerWaitMs())
    if (outcome) return void (await sendReplay(reply, outcome))
  }
  request.holdsKey = true
}

/** The end of a request's idempotency key: its response is stored, or the key is released. */
function addKeyOutcome(app: App, rt: Runtime): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const { holdsKey, idempotencyKey } = request
    if (!holdsKey || !idempotencyKey || reply.statusCode >= 300) return done(null, payload)
    request.holdsKey = false
    const { data } = payload as { data: unknown }
    const answer: Outcome = { kind: 'answer', status: reply.statusCode, data }
    return finishKey(rt, idempotencyKey, null, answer).then(() => payload)
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
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { holdsKey, idempotencyKey } = request
    if (!holdsKey || !idempotencyKey) return done(null, payload)
    request.holdsKey = false
    const report = (error: unknown) => rt.log.warn({ err: error }, 'idempotency.not_released')
    return releaseKey(rt, idempotencyKey, null)
      .catch(report)
      .then(() => payload)
  })
}

/** Errors from the platform contain its own error; a retryable one decides nothing. */
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
