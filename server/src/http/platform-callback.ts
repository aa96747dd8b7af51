import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type CallbackTarget,
  channelOfCallback,
  type EnterWrites,
  recallChannel,
  receiveCallback,
  targetOfApp,
} from '../channels/callbacks/receive-callback.ts'
import { appOfCallback, isAppId, noteHandshake } from '../channels/channel-app.ts'
import { AppError } from '../contract/app-error.ts'
import { isRecord } from '../lib/is-record.ts'
import { CallbackConcurrency } from '../limits/concurrency.ts'
import type { Runtime } from '../runtime.ts'
import { readBody } from './edge/body/read-body.ts'
import type { App } from './edge/context.ts'

const path = '/channel/:callback_id/callback'
const appPath = '/channel/app/:callback_id/callback'
/** The platform's own ceiling for a body. */
const bodyBytesMax = 3 * 1024 * 1024
/** Far more than a callback about a few messages has. */
const smallBytesMax = 16 * 1024
/**
 * Signed bodies that are written at once, and before that the bodies that are still on their way: anybody can send half of
 * one, so a place to be written is not theirs. The small ones cost next to nothing and are bounded per account alone; of
 * the others 96 MB are in memory at the very most, and the rest waits in the sockets. Beyond a queue the platform is told
 * to come again, which it does for days.
 */
const limits = {
  written: { total: 32, perAccount: 8, waitingPerAccount: 256 },
  small: { total: Number.POSITIVE_INFINITY, perAccount: 256, waitingPerAccount: 256 },
  large: { total: 32, perAccount: 4, waitingPerAccount: 256 },
}

type Address = { Params: { callback_id: string } }
type Find = (rt: Runtime, callbackId: string) => Promise<CallbackTarget | null>
type Owner = { find: Find; recall?: (rt: Runtime, callbackId: string) => CallbackTarget | null }

const owners: Record<string, Owner> = {
  [path]: { find: channelOfCallback, recall: recallChannel },
  [appPath]: { find: findAppTarget },
}

/**
 * Where the platform speaks to us, outside /v1. The address picks the secrets, the signature is checked before anything
 * is parsed, and 200 means: on disk. Every other status makes the platform come again.
 */
export async function addPlatformCallbackRoutes(app: App, rt: Runtime): Promise<void> {
  const written = new CallbackConcurrency(limits.written)
  const small = new CallbackConcurrency(limits.small)
  const large = new CallbackConcurrency(limits.large)
  const enterWrites: EnterWrites = (accountId) => written.enter(accountId)
  const enterReading = ({ raw, headers }: FastifyRequest, { accountId }: CallbackTarget) => {
    // A body without a length may become a large one.
    const bytes = Number(headers['content-length'] ?? bodyBytesMax)
    if (bytes > smallBytesMax) return large.enter(accountId)
    return raw.complete ? () => {} : small.enter(accountId)
  }
  await app.register(async (scope) => {
    // The bytes are signed as they are, so they are read as they are.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.setErrorHandler((error, request, reply) => fail(rt, error, request, reply))
    for (const [address, { find, recall = () => null }] of Object.entries(owners)) {
      scope.get<Address>(address, { schema: { hide: true } }, (request, reply) => greet(rt, request, reply, find))
      scope.post<Address>(address, { schema: { hide: true } }, async (request, reply) => {
        const { callback_id: id } = request.params
        const target = recall(rt, id) ?? (await find(rt, id))
        if (!target) return nothingHere(reply)
        const leave = await enterReading(request, target)
        if (!leave) return busy(reply)
        try {
          const body = await readBody(request.raw, { bytesMax: bodyBytesMax, timeoutMs: rt.config.bodyTimeoutMs })
          const callback = { headers: request.headers, body }
          const outcome = await receiveCallback(rt, target, callback, enterWrites)
          const current = outcome ? target : await find(rt, id)
          if (!current) return nothingHere(reply)
          const final = outcome ?? (await receiveCallback(rt, current, callback, enterWrites))
          if (final === 'busy') return busy(reply)
          return reply.code(final === 'stored' ? 200 : 401).send()
        } finally {
          leave()
        }
      })
    }
  })
}

async function greet(
  rt: Runtime,
  request: FastifyRequest<Address>,
  reply: FastifyReply,
  find: Find,
): Promise<FastifyReply> {
  const target = await find(rt, request.params.callback_id)
  if (!target) return nothingHere(reply)
  const challenge = rt.platform.answerHandshake(isRecord(request.query) ? request.query : {}, target.verifyToken)
  if (challenge === null) return reply.code(403).send()
  if (isAppId(target.id)) await noteHandshake(rt, target.id)
  return reply.code(200).type('text/plain; charset=utf-8').send(challenge)
}

async function findAppTarget(rt: Runtime, callbackId: string): Promise<CallbackTarget | null> {
  const app = await appOfCallback(rt, callbackId)
  return app && targetOfApp(app)
}

function busy(reply: FastifyReply): FastifyReply {
  return reply.code(503).header('connection', 'close').send()
}

function nothingHere(reply: FastifyReply): FastifyReply {
  return reply.code(404).header('connection', 'close').send()
}

const statuses: Partial<Record<AppError['code'], number>> = {
  payload_too_large: 413,
  malformed_request: 400,
  unsupported_content_encoding: 415,
}

/** No reason is told: only the platform speaks here, and it reads the status alone. */
function fail(rt: Runtime, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const status = (error instanceof AppError && statuses[error.code]) || 503
  if (status === 503) rt.log.warn({ err: error, request_id: request.requestId }, 'callback.not_stored')
  void reply.code(status).header('connection', 'close').send()
}
