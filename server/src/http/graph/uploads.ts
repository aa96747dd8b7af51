import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { objectOfId, passCall, usableNumbers } from '../../connections/pass-call.ts'
import { appOf, openSession, sealSession } from '../../connections/tool-media.ts'
import { AppError } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { fileBytesMax } from '../../media/types/media-kinds.ts'
import type { WireBody } from '../../platform/dialect.ts'
import { type App, callerOf } from '../edge/context.ts'
import { withIdleLimit } from '../edge/finished.ts'
import { ownApp, tokenOf } from './graph-address.ts'
import type { MediaTools } from './media.ts'

type SessionAddress = { Params: { session: string } }

/** Files in pieces, for samples of template headers and for photos: they go to the app of the channel, and are kept nowhere. */
export function addResumableUploads(graph: App, { rt, connectionOf }: MediaTools): void {
  const config = { access: { scope: 'media:write' }, connectionToken: tokenOf } as const
  const hidden = { hide: true } as const

  graph.post<{ Params: { app: string } }>('/:app/uploads', { config, schema: hidden }, async (request, reply) => {
    const connection = await connectionOf(request)
    if (request.params.app !== connection.appId && request.params.app !== ownApp) {
      throw new AppError('endpoint_not_found', 'This is not the app id of the connection.')
    }
    const caller = callerOf(request)
    const [first] = await usableNumbers(rt, caller)
    if (!first) throw new AppError('channel_not_connected', "None of the connection's numbers is connected.")
    const object = await objectOfId(rt, caller, first.id)
    const query = factsOf(request)
    const path = `/${encodeURIComponent(appOf(object.number))}/uploads`
    const opened = await passCall(rt, object, { method: 'POST', path, query, body: {} }, null)
    reply.code(opened.status)
    const theirs = opened.body.id
    if (opened.status !== 200 || typeof theirs !== 'string') return opened.body
    return { ...opened.body, id: sealSession(rt, connection.id, { theirs, numberId: first.id }) }
  })

  void graph.register(async (scope) => {
    const sessions = scope as App
    sessions.removeAllContentTypeParsers()
    // Bytes, whatever they are called.
    sessions.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const handle = async (request: FastifyRequest<SessionAddress>, reply: FastifyReply) => {
      const connection = await connectionOf(request)
      const id = `upload:${request.params.session}`
      const { theirs, numberId } = openSession(rt, connection.id, id)
      const object = await objectOfId(rt, callerOf(request), numberId)
      const isPost = request.method === 'POST'
      const [path, search] = `/${theirs}`.split('?', 2)
      const query = Object.fromEntries(new URLSearchParams(search))
      const call = { method: isPost ? ('POST' as const) : ('GET' as const), path: path ?? '', query }
      const answer = await passCall(rt, object, isPost ? { ...call, upload: bytesOf(request) } : call, null)
      reply.code(answer.status)
      return answer.status === 200 && 'id' in answer.body ? { ...answer.body, id } : answer.body
    }
    for (const method of ['GET', 'POST'] as const) {
      sessions.route<SessionAddress>({ method, url: '/upload:::session', config, schema: hidden, handler: handle })
    }
  })

  function bytesOf(request: FastifyRequest) {
    const bytes = Number(request.headers['content-length'] ?? Number.NaN)
    if (!Number.isSafeInteger(bytes)) {
      throw new AppError('malformed_request', 'Send the length of the body in Content-Length.')
    }
    if (bytes > fileBytesMax) throw new AppError('media_too_large', 'At most 100 MB in one upload.')
    const offset = Number(request.headers.file_offset ?? 0)
    const content = withIdleLimit(request.body as IncomingMessage, rt.config.bodyTimeoutMs)
    return {
      content,
      bytes,
      contentType: 'application/octet-stream',
      offset: Number.isSafeInteger(offset) ? offset : 0,
    }
  }
}

const facts = ['file_name', 'file_length', 'file_type'] as const

function factsOf({ query, body }: FastifyRequest): Record<string, string> {
  const given: WireBody = { ...(isRecord(body) ? body : {}), ...(isRecord(query) ? query : {}) }
  const named = facts.filter((name) => typeof given[name] === 'string' || typeof given[name] === 'number')
  return Object.fromEntries(named.map((name) => [name, String(given[name])]))
}
