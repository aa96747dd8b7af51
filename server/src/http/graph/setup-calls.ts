import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { connectionOfApp, describeToken } from '../../connections/connection.ts'
import { objectOf } from '../../connections/pass-call.ts'
import { AppError } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, callerOf } from '../edge/context.ts'
import { type ConnectionOf, tokenOf } from './graph-address.ts'

type Tools = { rt: Runtime; connectionOf: ConnectionOf }

/** The calls that tools make during set-up: inspecting the token, its permissions, and getting an app token. */
export function addSetupCalls(graph: App, { rt, connectionOf }: Tools): void {
  const hidden = { schema: { hide: true } }
  const config = { access: 'token', connectionToken: tokenOf } as const

  graph.get('/', { ...hidden, config: { access: 'public' } }, async () => {
    throw new AppError('endpoint_not_found', 'Name an object, such as the id of a phone number.')
  })

  graph.get('/me', { ...hidden, config }, async (request) => {
    const { id, name } = await describeToken(rt, await connectionOf(request))
    return { id, name }
  })

  // The question is about a token, and who asks must have it, or be its app.
  const aboutInput = {
    access: 'token',
    connectionToken: (request: FastifyRequest) => given(request, 'input_token'),
  } as const
  graph.get('/debug_token', { ...hidden, config: aboutInput }, async (request) => {
    const connection = await connectionOf(request)
    const asked = tokenOf(request) ?? ''
    const app = `${connection.appId}|${connection.appSecret}`
    if (asked !== given(request, 'input_token') && !isSame(asked, app)) {
      throw new AppError('invalid_token', 'A token can only be inspected by itself or by its app.')
    }
    return rt.platform.dialect.debugged(await describeToken(rt, connection))
  })

  const exchange = async (request: FastifyRequest) => {
    if (given(request, 'grant_type') !== 'client_credentials') {
      throw new AppError('validation_failed', 'The only supported grant is client_credentials.')
    }
    const appId = given(request, 'client_id') ?? ''
    const connection = /^\d{15}$/.test(appId) ? await connectionOfApp(rt, appId) : null
    const secret = given(request, 'client_secret') ?? ''
    if (!connection || !isSame(secret, connection.appSecret)) {
      const wrong = new AppError('invalid_credentials', 'The app id is unknown or the app secret is wrong.')
      throw await graph.access.limit.failed(appId, request.addressKnown ? request.ip : null, wrong)
    }
    return rt.platform.dialect.appToken(connection)
  }
  graph.get('/oauth/access_token', { ...hidden, config: { access: 'public' } }, exchange)
  graph.post('/oauth/access_token', { ...hidden, config: { access: 'public' } }, exchange)

  // Tools register their number when they are set up. It is registered, or nothing could be sent from it.
  graph.post<{ Params: { number: string } }>('/:number/register', { ...hidden, config }, async (request) => {
    const object = await objectOf(rt, callerOf(request), request.params.number)
    if (object?.kind !== 'number') throw new AppError('endpoint_not_found', 'This token has no number with this id.')
    return { success: true }
  })
}

function given(request: FastifyRequest, name: string): string | null {
  const sources = [request.query, request.body]
  const values = sources.map((source) => (isRecord(source) ? source[name] : undefined))
  const value = values.find((one) => typeof one === 'string' || typeof one === 'number')
  return value === undefined ? null : String(value)
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}
