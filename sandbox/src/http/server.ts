import { createServer, type Server, type ServerResponse } from 'node:http'
import { isDialog, openDialog } from '../accounts/signup.ts'
import { handleControl } from '../control/control.ts'
import type { Control } from '../control/control-api.ts'
import { recipientKey } from '../messages/behaviour.ts'
import { magicEffects } from '../messages/magic-recipients.ts'
import { effectError } from '../messages/post-message.ts'
import type { Effects } from '../messages/scenario.ts'
import type { Platform } from '../platform.ts'
import { asGraphError } from './errors.ts'
import {
  type Call,
  errorReply,
  type Reply,
  readBody,
  readParams,
  readTarget,
  trickleReply,
  writeReply,
} from './http.ts'
import { text } from './json.ts'
import { carriesFile, dispatch, endpointOf } from './router.ts'
import { watchCall } from './watch-call.ts'

const BODY_BYTES_MAX = 4 * 1024 * 1024
const CONTROL_BODY_BYTES_MAX = 150 * 1024 * 1024

/** Every call of the simulated platform and of its control API, and every misfortune. */
export function createHttpServer(platform: Platform, control: Control, controlFromAnywhere: boolean): Server {
  const server = createServer({ keepAlive: true, noDelay: true }, (req, res) => {
    const call = readTarget(req)
    if (call.path[0] === '_sandbox') {
      readBody(req, CONTROL_BODY_BYTES_MAX, (error, source) => {
        if (error) res.destroy()
        else void handleControl({ platform, control, fromAnywhere: controlFromAnywhere }, call, source, res)
      })
    } else if (req.method === 'GET' && isDialog(call)) openDialog(platform, call, res)
    else if (req.method === 'GET' || carriesFile(call)) handle(platform, call, '', res)
    else {
      readBody(req, BODY_BYTES_MAX, (error, source) => {
        if (error) writeReply(res, errorReply(asGraphError(platform.log, error)))
        else handle(platform, call, source, res)
      })
    }
  })
  // Idle connections stay open: none is closed under a request on its way, and no timer is set per answer.
  server.keepAliveTimeout = 0
  return server
}

/** Sends go through without a promise; whatever has to wait brings its own. */
function handle(platform: Platform, call: Call, source: string, res: ServerResponse): void {
  let effects: Effects | null = null
  const tell = watchCall(platform, call)
  const answer = (reply: Reply) => {
    tell?.(reply)
    write(platform, res, reply, effects)
  }
  const carriedOut = (reply: Reply) => {
    const denial = effects?.error_after_accept
    answer(denial === undefined ? reply : errorReply(effectError(denial)))
  }
  try {
    readParams(call, source)
    effects = effectsFor(platform, call)
    if (effects !== null && intercept(effects, res)) return
    const reply = dispatch(platform, call, effects)
    if (!(reply instanceof Promise)) carriedOut(reply)
    else reply.then(carriedOut, (error) => answer(errorReply(asGraphError(platform.log, error))))
  } catch (error) {
    answer(errorReply(asGraphError(platform.log, error)))
  }
}

/** A rule of the scenario, or the fate of a magic recipient that shows on the wire. */
function effectsFor(platform: Platform, call: Call): Effects | null {
  // A read receipt goes the same way; it has no recipient and no type.
  const isSend = call.method === 'POST' && call.path[1] === 'messages' && call.params.status === undefined
  const to = isSend ? (text(call.params.to) ?? text(call.params.recipient)) : undefined
  if (platform.behaviour.hasRules) {
    const type = isSend ? (text(call.params.type) ?? 'text') : undefined
    const matched = platform.behaviour.match({
      endpoint: endpointOf(platform, call),
      method: call.method,
      ...(call.path[0] === undefined ? {} : { numberId: call.path[0] }),
      ...(to === undefined ? {} : { to }),
      ...(type === undefined ? {} : { type }),
    })
    if (matched !== null) return matched
  }
  if (to === undefined) return null
  const magic = magicEffects(recipientKey(to), call.params.type === 'template')
  return magic?.hang ? magic : null
}

/** Misfortunes that come before anything is carried out. */
function intercept(effects: Effects, res: ServerResponse): boolean {
  if (effects.hang) return true
  if (effects.reset_before_accept) {
    res.socket?.resetAndDestroy()
    return true
  }
  if (effects.html_5xx !== undefined) {
    res.writeHead(effects.html_5xx, { 'Content-Type': 'text/html; charset=utf-8' })
    res.end('<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>')
    return true
  }
  return false
}

/** Misfortunes that come after: the work is done, the answer suffers. */
function write(platform: Platform, res: ServerResponse, reply: Reply, effects: Effects | null): void {
  if (effects === null) writeReply(res, reply)
  else if (effects.statuses_before_answer) void platform.outbox.told().then(() => spoil(res, reply, effects))
  else spoil(res, reply, effects)
}

function spoil(res: ServerResponse, reply: Reply, effects: Effects): void {
  if (effects.hang_after_accept) return
  if (effects.reset_after_accept) {
    res.socket?.resetAndDestroy()
    return
  }
  const send = () => {
    if (effects.slow_body_ms !== undefined) trickleReply(res, reply, effects.slow_body_ms)
    else writeReply(res, reply)
  }
  if (effects.delay_ms === undefined) send()
  else setTimeout(send, effects.delay_ms)
}
