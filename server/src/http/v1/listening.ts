import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { seesPeople } from '../../access/caller.ts'
import { AppError } from '../../contract/app-error.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { wantsEvent } from '../../contract/events.ts'
import { ForwardRecord, ForwardReport, ListenQuery, Triggered, TriggerRequest } from '../../contract/listening.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { formatInstant } from '../../lib/instant.ts'
import { sandboxControl } from '../../platform/sandbox-control.ts'
import type { Runtime } from '../../runtime.ts'
import { type Forwarded, followEvents } from '../../webhooks/listen/follow-events.ts'
import { type Listener, openListener, seeListener } from '../../webhooks/listen/open-listener.ts'
import { recordForwarded } from '../../webhooks/listen/record-forwarded.ts'
import { triggerEvent } from '../../webhooks/listen/trigger-event.ts'
import { checkCredentials } from '../edge/access.ts'
import { streamAnswer } from '../edge/body/read-body.ts'
import { type App, callerOf, routesOf } from '../edge/context.ts'

const route = routesOf('Listening')
const write = { access: { scope: 'webhooks:write' } } as const
/** Of this process, whose sockets and polls they take. */
const streamsPerAccountMax = 5
/** On shutdown; a client that doesn't read would delay it. */
const lastWordMs = 1_000
const description = `Server-sent events. \`listening\` comes first, with \`webhook_id\` and the signing \`secret\`, which is
the same every time for the same API key. Each \`delivery\` has \`headers\` and \`body\` to post as they are, and a
\`receipt\` for \`POST /v1/listen/attempts\`. The \`id\` of a message is the \`cursor\` to continue with. A comment comes
every 15 seconds; the stream ends with its token. Without the scope \`messages:read\` a \`body\` has no texts and names,
and only the first and last digits of numbers.`

/** `postern listen` and `postern trigger`: events on a developer's machine, without a public address. */
export function addListeningRoutes(app: App, rt: Runtime): void {
  const streams = new Map<AbortController, string>()
  app.addHook('preClose', async () => {
    for (const stream of streams.keys()) stream.abort()
  })

  app.get(
    '/v1/listen',
    route({
      config: { ...write, counted: false },
      operationId: 'listenToEvents',
      summary: 'Stream events to your machine',
      description,
      querystring: ListenQuery,
      response: { 200: streamAnswer('text/event-stream', 'A stream of events that stays open.') },
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { accountId, keyId } = caller
      const { events } = request.query
      requireStreamAllowed(streams, accountId)
      reply.header('content-type', 'text/event-stream; charset=utf-8')
      // A caller that asks for the headers alone does not listen, and is not counted as a listener.
      if (request.method === 'HEAD') return reply.send()
      const stream = new AbortController()
      streams.set(stream, accountId)
      const end = () => {
        streams.delete(stream)
        stream.abort()
      }
      reply.raw.once('close', end)
      try {
        const listener = await openListener(
          rt,
          { accountId, keyId },
          { ...request.query, seesPeople: seesPeople(caller) },
        )
        const options = {
          events,
          signal: stream.signal,
          isAllowed: () => isAllowed(app, request),
          isUnchanged: async () => (await app.access.gate.epoch(keyId)) === request.checked?.epoch,
        }
        const body = Readable.from(listenerStream(rt, listener, options), { objectMode: false })
        stream.signal.addEventListener('abort', () => setTimeout(() => reply.raw.destroy(), lastWordMs).unref())
        // nginx would gather events into pages of 4 kB. A connection kept for later would hold up a gateway that stops.
        reply.header('x-accel-buffering', 'no').header('connection', 'close')
        return reply.send(body)
      } catch (error) {
        end()
        throw error
      }
    },
  )
  addReports(app, rt)
}

function addReports(app: App, rt: Runtime): void {
  app.post(
    '/v1/listen/attempts',
    route({
      config: { ...write, counted: false },
      operationId: 'reportForwarded',
      summary: 'Report the response to a streamed delivery',
      description: 'The delivery log shows it.',
      body: ref(ForwardReport),
      response: { 200: answer(ref(ForwardRecord)) },
    }),
    async (request) => {
      const { accountId, keyId } = callerOf(request)
      return ok(await recordForwarded(rt, { accountId, keyId }, request.body))
    },
  )

  app.post(
    '/v1/events/trigger',
    route({
      config: write,
      operationId: 'triggerEvent',
      summary: 'Trigger a test event',
      description: 'In the sandbox, a customer really writes; other events are samples.',
      body: ref(TriggerRequest),
      ...furtherChecks('from', 'text'),
      response: { 200: answer(ref(Triggered)) },
    }),
    async (request) => ok(await triggerEvent(rt, sandboxControl, callerOf(request).accountId, request.body)),
  )
}

function requireStreamAllowed(streams: ReadonlyMap<unknown, string>, accountId: string): void {
  const open = [...streams.values()].filter((one) => one === accountId).length
  if (open < streamsPerAccountMax) return
  throw new AppError(
    'too_many_streams',
    `At most ${streamsPerAccountMax} clients of an account can listen at a time.`,
    {
      retryAfterSeconds: 60,
    },
  )
}

/**
 * The token may have expired, or been taken away, since the stream was opened. A database that is away ends nothing.
 */
async function isAllowed(app: App, request: FastifyRequest): Promise<boolean> {
  try {
    await checkCredentials(app.access, request, false)
    return true
  } catch (error) {
    return !(error instanceof AppError)
  }
}

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
