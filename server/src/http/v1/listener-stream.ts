import { wantsEvent } from '../../contract/events.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { type Forwarded, followEvents } from '../../webhooks/listen/follow-events.ts'
import { type Listener, seeListener } from '../../webhooks/listen/open-listener.ts'

type StreamOptions = {
  events: string | undefined
  signal: AbortSignal
  /** Asked with every heartbeat. */
  isAllowed: () => Promise<boolean>
  /** Asked before each delivery: whether the key is still as it was when the stream was opened. */
  isUnchanged: () => Promise<boolean>
  heartbeatMs?: number
}

// Proxies close what is silent for a minute.
const heartbeatMsDefault = 15_000

/**
 * The text of a stream of server-sent events. It is written as fast as it is read, and no faster: a client that stands
 * still costs one page of events. Nothing is lost when it ends, because the client says where to go on.
 */
export async function* listenerStream(rt: Runtime, listener: Listener, options: StreamOptions): AsyncGenerator<string> {
  const { events, signal, isAllowed, isUnchanged, heartbeatMs = heartbeatMsDefault } = options
  const at = formatInstant(rt.clock.now())
  yield message('listening', listener.cursor, { webhook_id: listener.id, secret: listener.secret, at })
  let checkAt = performance.now() + heartbeatMs
  try {
    const wants = filterOf(events)
    for await (const next of followEvents(rt, listener, { wants, signal, quietMs: heartbeatMs })) {
      if (performance.now() >= checkAt) {
        if (!(await isAllowed())) return
        await seeListener(rt, listener)
        checkAt = performance.now() + heartbeatMs
      }
      // Revoked, or other scopes: the client comes back with its cursor, and is judged anew.
      if (next && !(await isUnchanged())) return
      yield next ? delivery(next) : ': still here\n\n'
    }
  } catch (error) {
    // The client comes back by itself, with its cursor.
    rt.log.warn({ err: error, account_id: listener.accountId, webhook_id: listener.id }, 'webhook.stream_interrupted')
  }
}

function delivery({ cursor, deliveryId: delivery_id, eventId: event_id, type, receipt, headers, body }: Forwarded) {
  return message('delivery', cursor, { delivery_id, event_id, type, receipt, headers, body })
}

function message(name: string, id: string, data: object): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** `message.*` is every type that begins with `message.`; nothing given is everything. */
function filterOf(events: string | undefined): (type: string) => boolean {
  const wanted = (events ?? '*').split(',')
  return (type) => wantsEvent(wanted, type)
}
