import type { ServerResponse } from 'node:http'
import { GraphError } from '../http/errors.ts'
import type { Call } from '../http/http.ts'
import { isRecord, type Json, list, parse, record, text } from '../http/json.ts'
import { InboundProblem, type InboundRequest } from '../messages/inbound.ts'
import type { Rule, Scenario } from '../messages/scenario.ts'
import type { Platform } from '../platform.ts'
import type { Control } from './control-api.ts'

/** `/_sandbox/*`: loopback only, unless told otherwise; no token. */
export async function handleControl(
  { platform, control, fromAnywhere }: { platform: Platform; control: Control; fromAnywhere: boolean },
  call: Call,
  source: string,
  res: ServerResponse,
): Promise<void> {
  if (!fromAnywhere && !isLocal(call)) {
    write(res, 403, { error: 'the control API answers on loopback only' })
    return
  }
  const body = source === '' ? {} : parse(source)
  if (!isRecord(body)) {
    write(res, 400, { error: 'the body is not a JSON object' })
    return
  }
  const handler = ROUTES[`${call.method} ${(call.path[1] ?? '') + (call.path.length > 2 ? '/*' : '')}`]
  if (handler === undefined) {
    write(res, 404, { error: `nothing here; see ${Object.keys(ROUTES).join(', ')}` })
    return
  }
  try {
    write(res, 200, await handler(control, body, call))
  } catch (error) {
    const known = error instanceof InboundProblem || error instanceof GraphError
    write(res, known ? 400 : 500, { error: error instanceof Error ? error.message : String(error) })
  }
  platform.log({ event: 'control', method: call.method, path: call.path.slice(0, 2).join('/') })
}

type Handler = (control: Control, body: Json, call: Call) => unknown

const ROUTES: Record<string, Handler> = {
  'GET ': (control) => ({ numbers: control.numbers() }),
  'GET numbers': (control) => ({ numbers: control.numbers() }),
  'POST numbers': (control, body) => control.createNumber(body),
  'POST numbers/*': (control, _body, call) => {
    if (call.path[3] !== 'approve') throw new InboundProblem('a number can be asked to "approve"')
    return control.approveNumber(call.path[2] ?? '')
  },
  'PATCH numbers/*': (control, body, call) => control.updateNumber(call.path[2] ?? '', body),
  'POST apps': (control, body) => {
    const to = text(body.to)
    const name = text(body.name)
    return control.addApp({ ...(to === undefined ? {} : { to }), ...(name === undefined ? {} : { name }) })
  },
  // Answers when the gateway was told, so that a script may write back at once.
  'POST inbound': async (control, body) => {
    const received = control.inbound(body as InboundRequest)
    await control.told()
    return received
  },
  'POST identity-changes': async (control, body) => {
    const changed = control.changeIdentity(body)
    await control.told()
    return changed
  },
  'POST calls': async (control, body) => {
    const call = control.call(body)
    await control.told()
    return call
  },
  'POST preferences': async (control, body) => {
    control.setPreference({ ...body, value: String(body.value) })
    await control.told()
    return { ok: true }
  },
  'POST statuses': (control, body) => {
    const to = text(body.to) ?? text(body.phone_number_id)
    return control.statuses({ ...(to === undefined ? {} : { to }), statuses: list(body.statuses).map(record) })
  },
  'POST events': (control, body) => {
    const to = text(body.to)
    const field = text(body.field)
    if (field === undefined) throw new InboundProblem('"field" is missing')
    control.event({ ...(to === undefined ? {} : { to }), field, value: record(body.value) })
    return { ok: true }
  },
  'GET messages': (control, _body, call) => {
    const query: Json = Object.fromEntries(call.query)
    if (query.limit !== undefined) query.limit = Math.max(1, Number(query.limit) || 100)
    return control.messages(query)
  },
  'GET scenario': (control) => control.scenario,
  'PUT scenario': (control, body) => control.setScenario(body as Scenario),
  'POST rules': (control, body) => control.addRule(body as Rule),
  'DELETE rules/*': (control, _body, call) => ({ removed: control.removeRule(call.path[2] ?? '') }),
  'POST templates': (control, body) => {
    const wabaId = text(body.waba_id)
    const status = text(body.status)
    return control.addTemplates({
      ...(wabaId === undefined ? {} : { waba_id: wabaId }),
      ...(status === undefined ? {} : { status }),
      templates: list(body.templates).map(record),
    })
  },
  'POST templates/*': (control, body, call) => {
    if (call.path[3] !== 'review') throw new InboundProblem('POST /_sandbox/templates/{name}/review')
    return control.review(decodeURIComponent(call.path[2] ?? ''), { ...body, decision: String(body.decision ?? '') })
  },
  'POST clock': (control, body) => control.advance(Number(body.advance_ms) || 0),
  'GET callbacks': (control) => control.callbacks(),
  'GET customers': (control, _body, call) => control.customers(call.query.get('phone_number_id') ?? undefined),
  'POST customers': (control, body) => control.setCustomer(body),
  'POST reset': (control) => {
    control.reset()
    return { ok: true }
  },
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** The peer is this machine, and the page that asks, if a page asks, is served from it too. */
function isLocal({ req }: Call): boolean {
  const peer = req.socket.remoteAddress ?? ''
  const isLoopback = peer === '::1' || peer.startsWith('127.') || peer.startsWith('::ffff:127.')
  const host = (req.headers.host ?? '').replace(/:\d+$/, '')
  const { origin } = req.headers
  const fromHere = origin === undefined || (URL.canParse(origin) && LOOPBACK_NAMES.includes(new URL(origin).hostname))
  return isLoopback && LOOPBACK_NAMES.includes(host) && fromHere
}

function write(res: ServerResponse, status: number, body: unknown): void {
  const json = JSON.stringify(body)
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) })
  res.end(json)
}
