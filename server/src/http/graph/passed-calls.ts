import type { FastifyReply, FastifyRequest } from 'fastify'
import { keyAuthor } from '../../access/keys/key-author.ts'
import { type GraphObject, objectOf, passCall, refreshTemplates } from '../../connections/pass-call.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { allows, type Scope } from '../../contract/scopes.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { PassedCall } from '../../platform/chat-platform.ts'
import type { WireAnswer, WireBody } from '../../platform/dialect.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, callerOf, contextOf } from '../edge/context.ts'
import { queryToken, tokenOf } from './graph-address.ts'

type Passed = {
  of: GraphObject['kind']
  /** Null for what every connection may read. */
  scope: Scope | null
  parameters: readonly string[]
  /** The answer lists all numbers of the business account, and the connection may use some of them. */
  listsNumbers?: boolean
  after?: (rt: Runtime, object: GraphObject) => Promise<void>
}

const page = ['limit', 'after', 'before', 'fields']
const templateFilters = ['name', 'name_or_content', 'status', 'language', 'category', 'content', 'quality_score']

/** Calls that go to Meta as they are, once, by method and edge. What is not here does not exist for a connection. */
const calls: Readonly<Record<string, readonly Passed[]>> = {
  'GET ': [
    { of: 'number', scope: null, parameters: ['fields'] },
    { of: 'waba', scope: null, parameters: ['fields'] },
  ],
  'GET phone_numbers': [{ of: 'waba', scope: null, parameters: page, listsNumbers: true }],
  'GET message_templates': [{ of: 'waba', scope: 'templates:read', parameters: [...page, ...templateFilters] }],
  'POST message_templates': [{ of: 'waba', scope: 'templates:write', parameters: [], after: refreshTemplates }],
  'DELETE message_templates': [
    { of: 'waba', scope: 'templates:write', parameters: ['name', 'hsm_id', 'hsm_ids'], after: refreshTemplates },
  ],
  'GET whatsapp_business_profile': [{ of: 'number', scope: 'profile:read', parameters: ['fields'] }],
  'POST whatsapp_business_profile': [{ of: 'number', scope: 'profile:write', parameters: [] }],
  'GET block_users': [{ of: 'number', scope: 'blocked:read', parameters: page }],
  'POST block_users': [{ of: 'number', scope: 'blocked:write', parameters: [] }],
  'DELETE block_users': [{ of: 'number', scope: 'blocked:write', parameters: [] }],
}

type Address = { Params: { id: string; edge?: string } }
type Remembered = { answer: WireAnswer; until: number }

const rememberedMs = 60_000
const rememberedMax = 1_000

/** Tools look at numbers and lists again and again; what one connection has read is shown to it for a minute. */
export function addPassedCalls(graph: App, rt: Runtime): void {
  const remembered = new Map<string, Remembered>()
  const config = { access: 'token', connectionToken: tokenOf } as const
  const handle = (request: FastifyRequest<Address>, reply: FastifyReply) => answer(rt, remembered, request, reply)
  for (const url of ['/:id', '/:id/:edge']) {
    graph.route<Address>({ method: ['GET', 'POST', 'DELETE'], url, config, schema: { hide: true }, handler: handle })
  }
}

async function answer(
  rt: Runtime,
  remembered: Map<string, Remembered>,
  request: FastifyRequest<Address>,
  reply: FastifyReply,
): Promise<WireBody> {
  const { id, edge = '' } = request.params
  const method = request.method as PassedCall['method']
  const caller = callerOf(request)
  const object = await objectOf(rt, caller, id)
  const passed = object && calls[`${method} ${edge}`]?.find(({ of }) => of === object.kind)
  if (!object || !passed)
    throw new AppError('endpoint_not_found', 'This token has no such object, or it cannot do that.')
  if (passed.scope && !allows(caller.scopes, passed.scope)) {
    throw new AppError('insufficient_scope', `The connection lacks the scope ${passed.scope}.`, {
      requiredScope: passed.scope,
    })
  }
  const query = queryOf(request, passed)
  const path = `/${encodeURIComponent(id)}${edge === '' ? '' : `/${edge}`}`
  const name = `${caller.keyId} ${path} ${new URLSearchParams(query)}`
  const known = method === 'GET' ? remembered.get(name) : undefined
  const fresh = known && known.until > rt.clock.now() ? known.answer : null
  const body = method === 'POST' || method === 'DELETE' ? bodyOf(request) : null
  const by = await keyAuthor(rt, caller, contextOf(request))
  const got = fresh ?? (await passCall(rt, object, { method, path, query, body }, by))
  if (method === 'GET' && got.status === 200) {
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(name, { answer: got, until: rt.clock.now() + rememberedMs })
  }
  if (method !== 'GET' && got.status === 200) await passed.after?.(rt, object)
  reply.code(got.status)
  return shown(rt, request, passed, object, got.body)
}

/** What would lead past the connection: expansions of fields, and parameters that change what a call is. */
function queryOf({ query }: FastifyRequest, { parameters }: Passed): Record<string, string> {
  const given = isRecord(query) ? query : {}
  const kept: Record<string, string> = {}
  for (const name of parameters) {
    const value = given[name]
    if (typeof value !== 'string') continue
    if (name === 'fields' && !/^[\w, ]+$/.test(value)) {
      throw invalidField('fields', 'invalid_value', 'Name plain fields, separated by commas.')
    }
    kept[name] = value
  }
  return kept
}

const stripped = ['access_token', 'appsecret_proof', 'method', 'batch', 'debug']

function bodyOf({ body }: FastifyRequest): WireBody {
  return Object.fromEntries(Object.entries(isRecord(body) ? body : {}).filter(([name]) => !stripped.includes(name)))
}

function shown(rt: Runtime, request: FastifyRequest, { listsNumbers }: Passed, object: GraphObject, body: WireBody) {
  const { dialect } = rt.platform
  const own = listsNumbers ? dialect.onlyIds(body, object.numberIds) : body
  return dialect.withOwnLinks(own, { base: `${rt.urls.base}/graph`, token: queryToken(request) })
}
