import type { FastifyReply, FastifyRequest } from 'fastify'
import { keyAuthor } from '../../access/keys/api-key.ts'
import { type GraphObject, noteBlocks, objectOf, passCall, refreshTemplates } from '../../connections/pass-call.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { allows, type Scope } from '../../contract/scopes.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { PassedCall } from '../../platform/chat-platform.ts'
import type { WireAnswer, WireBody } from '../../platform/dialect.ts'
import { type App, callerOf, contextOf } from '../edge/context.ts'
import { type PassedRow, passedCalls } from './call-table.ts'
import { answerNumberCallback, callbackOf } from './callback-calls.ts'
import { queryToken, tokenOf } from './graph-address.ts'
import { answerMedia, type MediaTools } from './media.ts'

type Address = { Params: { id: string; edge?: string; name?: string } }
type Remembered = { answer: WireAnswer; until: number }

const rememberedMs = 60_000
const rememberedMax = 1_000

/** Tools look at numbers and lists again and again; what one connection has read is shown to it for a minute. */
export function addPassedCalls(graph: App, tools: MediaTools): void {
  const remembered = new Map<string, Remembered>()
  const config = { access: 'token', connectionToken: tokenOf } as const
  const handle = (request: FastifyRequest<Address>, reply: FastifyReply) => answer(tools, remembered, request, reply)
  for (const url of ['/:id', '/:id/:edge', '/:id/:edge/:name']) {
    graph.route<Address>({ method: ['GET', 'POST', 'DELETE'], url, config, schema: { hide: true }, handler: handle })
  }
}

async function answer(
  tools: MediaTools,
  remembered: Map<string, Remembered>,
  request: FastifyRequest<Address>,
  reply: FastifyReply,
): Promise<WireBody> {
  const { rt } = tools
  const { id, edge = '', name } = request.params
  const method = request.method as PassedCall['method']
  const caller = callerOf(request)
  const object = await objectOf(rt, caller, id)
  if (!object && edge === '') {
    const media = await answerMedia(tools, request, id)
    if (media) return media
  }
  if (object?.kind === 'number' && method === 'POST' && edge === '') {
    const set = await answerNumberCallback(tools, request)
    if (set) return set
  }
  const rows = passedCalls[`${method} ${edge}${name === undefined ? '' : '/{}'}`] ?? []
  const wantsAnalytics = analytics.test(fieldsOf(request))
  const passed = rows.find((row) => row.of === object?.kind && (row.analytics ?? false) === wantsAnalytics)
  if (!object || !passed) throw unknownObject()
  requireAllowed(caller.scopes, passed)
  if (passed.wholeAccount && caller.phoneNumberIds !== null) {
    throw new AppError('insufficient_scope', 'This call concerns all numbers, but the connection is limited to some.')
  }
  const query = queryOf(request, passed)
  const path = `/${[id, edge, name]
    .filter((part) => part)
    .map((part) => encodeURIComponent(part ?? ''))
    .join('/')}`
  const known = `${caller.keyId} ${path} ${new URLSearchParams(query)}`
  const kept = method === 'GET' ? remembered.get(known) : undefined
  const fresh = kept && kept.until > rt.clock.now() ? kept.answer : null
  const body = method === 'GET' ? null : (request.body as WireBody)
  const by = await keyAuthor(rt, caller, contextOf(request))
  const got = fresh ?? (await passCall(rt, object, { method, path, query, body }, passed.changesBlocks ? null : by))
  // Also where Meta did it for some of them only, which is an error.
  if (passed.changesBlocks) await noteBlocks(rt, object, got.body, by)
  if (method === 'GET' && got.status === 200) {
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(known, { answer: got, until: rt.clock.now() + rememberedMs })
  }
  if (method !== 'GET' && got.status === 200) {
    // What it changed is seen with its next look.
    for (const key of remembered.keys()) if (key.startsWith(`${caller.keyId} `)) remembered.delete(key)
    if (passed.changesTemplates) await refreshTemplates(rt, object)
  }
  request.graphCode = rt.platform.dialect.errorCode(got) ?? 0
  reply.code(got.status)
  return shown(tools, request, passed, object, got.body)
}

function unknownObject(): AppError {
  return new AppError('endpoint_not_found', 'The object does not exist for this token, or does not support this call.')
}

function requireAllowed(scopes: readonly Scope[], passed: PassedRow): void {
  const needed = [passed.scope, passed.personal ? ('messages:read' as const) : null]
  const scope = needed.find((one) => one !== null && !allows(scopes, one))
  if (!scope) return
  throw new AppError('insufficient_scope', `The connection lacks the scope ${scope}.`, { requiredScope: scope })
}

/** What would lead past the connection: expansions of fields, and parameters that change what a call is. */
function queryOf(request: FastifyRequest, { parameters = [], fields = [], analytics }: PassedRow) {
  const { query } = request
  const given = isRecord(query) ? query : {}
  const kept: Record<string, string> = {}
  for (const name of parameters) {
    const value = given[name]
    if (typeof value === 'string') kept[name] = value
  }
  const wanted = fieldsOf(request)
  if (wanted !== '') kept.fields = analytics ? wanted : plainFields(wanted, fields)
  return kept
}

/** Such as `analytics.start(1700000000).end(1700086400).granularity(DAY)`: names, numbers and lists of words, and nothing further. */
const analytics = /^(?:(?:conversation|pricing|call)_)?analytics(?:\.[a-z_]+\((?:[\w+-]*|\[[\w"', +-]*\])\))+$/

function fieldsOf({ query }: FastifyRequest): string {
  return isRecord(query) && typeof query.fields === 'string' ? query.fields : ''
}

function plainFields(given: string, known: readonly string[]): string {
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names.join(',')
  throw invalidField(
    'fields',
    'invalid_value',
    `${unknown.slice(0, 64)} is not a field that is passed on. Plain fields are: ${known.join(', ') || 'none here'}.`,
  )
}

async function shown(
  { rt, connectionOf }: MediaTools,
  request: FastifyRequest,
  { listsNumbers }: PassedRow,
  object: GraphObject,
  body: WireBody,
): Promise<WireBody> {
  const { dialect } = rt.platform
  const listed = listsNumbers ? dialect.onlyIds(body, object.numberIds) : body
  const own = dialect.showsCallback(listed)
    ? dialect.withOwnCallback(listed, (await callbackOf(rt, await connectionOf(request)))?.url ?? null)
    : listed
  return dialect.withOwnLinks(own, { base: `${rt.urls.base}/graph`, token: queryToken(request) })
}
