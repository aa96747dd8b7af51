import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { keyAuthor } from '../../access/keys/api-key.ts'
import { type CallbackAddress, removeCallback, setCallback } from '../../connections/callback-address.ts'
import { requireConnection } from '../../connections/change-connection.ts'
import { type Connection, connectionOfApp, describeCallback } from '../../connections/connection.ts'
import { objectOf } from '../../connections/pass-call.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { WireBody } from '../../platform/dialect.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, callerOf, contextOf } from '../edge/context.ts'
import { type ConnectionOf, ownApp, queryToken, tokenOf } from './graph-address.ts'

type Tools = { rt: Runtime; connectionOf: ConnectionOf }
type OfObject = { Params: { id: string } }

/** Calls with which tools set their own callback address. It is the connection's; the settings at Meta don't change. */
export function addCallbackCalls(graph: App, tools: Tools): void {
  const { rt, connectionOf } = tools
  const hidden = { schema: { hide: true } }
  const byToken = { ...hidden, config: { access: 'token', connectionToken: tokenOf } as const }
  const byApp = { ...hidden, config: { access: 'public' } as const }

  graph.get<OfObject>('/:id/subscriptions', byApp, async (request) => {
    const connection = await appOf(graph, rt, request)
    const shown = await callbackOf(rt, connection)
    return rt.platform.dialect.subscriptions(shown)
  })
  graph.post<OfObject>('/:id/subscriptions', byApp, async (request) => {
    const connection = await appOf(graph, rt, request)
    const url = given(request, 'callback_url')
    if (url === null) throw invalidField('callback_url', 'required', 'Name the address of the callbacks.')
    const fields =
      given(request, 'fields')
        ?.split(/[\s,]+/)
        .filter((field) => field !== '') ?? null
    return set(rt, request, connection, { url, verifyToken: given(request, 'verify_token'), fields })
  })
  graph.delete<OfObject>('/:id/subscriptions', byApp, async (request) => {
    return remove(rt, request, await appOf(graph, rt, request))
  })

  graph.get<OfObject>('/:id/subscribed_apps', byToken, async (request) => {
    await requireKind(rt, request, 'waba')
    const connection = await connectionOf(request)
    const { appId } = connection
    return rt.platform.dialect.subscribedApps({ appId, url: (await callbackOf(rt, connection))?.url ?? null })
  })
  graph.post<OfObject>('/:id/subscribed_apps', byToken, async (request) => {
    await requireKind(rt, request, 'waba')
    const url = given(request, 'override_callback_uri')
    // Without an address it only says that the app wants callbacks.
    if (url === null) return { success: true }
    return set(rt, request, await connectionOf(request), { url, verifyToken: given(request, 'verify_token') })
  })
  graph.delete<OfObject>('/:id/subscribed_apps', byToken, async (request) => {
    await requireKind(rt, request, 'waba')
    return remove(rt, request, await connectionOf(request))
  })
}

/** `POST {number}` with an address for its callbacks; null where the body says something else. */
export async function answerNumberCallback(
  { rt, connectionOf }: Tools,
  request: FastifyRequest,
): Promise<WireBody | null> {
  const wanted = isRecord(request.body) ? request.body.webhook_configuration : undefined
  const configuration = typeof wanted === 'string' ? parsed(wanted) : wanted
  if (!isRecord(configuration)) return null
  const { override_callback_uri: url, verify_token: verifyToken } = configuration
  const connection = await connectionOf(request)
  if (url === '') return remove(rt, request, connection)
  if (typeof url !== 'string') throw invalidField('override_callback_uri', 'required', 'Name the address.')
  return set(rt, request, connection, { url, verifyToken: typeof verifyToken === 'string' ? verifyToken : null })
}

async function set(rt: Runtime, request: FastifyRequest, connection: Connection, address: CallbackAddress) {
  const stored = await requireConnection(rt, connection.accountId, connection.id)
  await setCallback(rt, stored, address, { ...(await authorOf(rt, request, stored.key)), strict: true, byTool: true })
  return { success: true }
}

async function remove(rt: Runtime, request: FastifyRequest, connection: Connection) {
  const stored = await requireConnection(rt, connection.accountId, connection.id)
  await removeCallback(rt, stored, { ...(await authorOf(rt, request, stored.key)), byTool: true })
  return { success: true }
}

function authorOf(rt: Runtime, request: FastifyRequest, { id, account_id }: { id: string; account_id: string }) {
  return keyAuthor(rt, { accountId: account_id, keyId: id }, contextOf(request))
}

/** The callback address of the connection; null: none. */
export async function callbackOf(rt: Runtime, connection: Connection) {
  const { row } = await requireConnection(rt, connection.accountId, connection.id)
  const callback = await describeCallback(rt, row)
  return callback && { url: callback.url, active: callback.state === 'active', fields: connection.options.fields }
}

async function requireKind(rt: Runtime, request: FastifyRequest<OfObject>, kind: 'waba' | 'number'): Promise<void> {
  const object = await objectOf(rt, callerOf(request), request.params.id)
  if (object?.kind === kind) return
  throw new AppError('endpoint_not_found', 'The object does not exist for this token, or does not support this call.')
}

/**
 * As at Meta, subscriptions are for the app itself, whose token is its id and its secret. It wins over any other token
 * beside it.
 */
async function appOf(graph: App, rt: Runtime, request: FastifyRequest<OfObject>): Promise<Connection> {
  const header = /^(?:bearer|oauth) +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
  const token = [queryToken(request), request.formToken, header].find((one) => one?.includes('|')) ?? ''
  const id = request.params.id === ownApp ? (token.split('|')[0] ?? '') : request.params.id
  const connection = /^\d{15}$/.test(id) ? await connectionOfApp(rt, id) : null
  if (connection && isSame(token, `${connection.appId}|${connection.appSecret}`)) return connection
  const wrong = new AppError('invalid_token', 'Use the token of this app: its id, a vertical bar, and its secret.')
  throw await graph.access.limit.failed(id, request.addressKnown ? request.ip : null, wrong)
}

function given(request: FastifyRequest, name: string): string | null {
  const sources = [request.body, request.query]
  const values = sources.map((source) => (isRecord(source) ? source[name] : undefined))
  const value = values.find((one) => typeof one === 'string' && one !== '')
  const list = values.find((one) => Array.isArray(one))
  return typeof value === 'string' ? value : (list?.join(',') ?? null)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}
