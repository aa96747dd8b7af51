import { PassThrough } from 'node:stream'
import Type from 'typebox'
import { AppError } from '../../contract/app-error.ts'
import { object } from '../../contract/schema.ts'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import { findMember } from '../../people/sessions.ts'
import type { Runtime } from '../../runtime.ts'
import type { Topic } from '../../store/engine/operation.ts'
import { streamAnswer } from '../edge/body/read-body.ts'
import { type App, contextOf, routesOf } from '../edge/context.ts'
import { memberOf, requireShownAccount, sessionToken } from './console-access.ts'

const route = routesOf('Live updates')

const topics: readonly Topic[] = ['events', 'messages', 'deliveries', 'attempts', 'channels', 'audit']
/** Presence in a conversation: the only topic here that isn't stored. */
const presenceTopic = 'presence'
const streamsPerSessionMax = 20
const description = `Events \`changed\` with \`{"topics": […]}\` (of ${[...topics, presenceTopic].join(', ')}), \`heartbeat\` with \`{"readable": …}\`
every 3 s (false: the database cannot be read), and \`signed_out\`.`

type Listener = { readonly sessionId: string; readonly accountId: string }

/**
 * Server-sent events: `changed` names topics in which something of the account changed, and the page asks again for what
 * it shows of them. No content travels here, so nothing can be missed: after an interruption the first event names every
 * topic. Commits of other nodes arrive through the store.
 */
export function addLiveRoute(app: App, rt: Runtime): void {
  const streams = new Map<LiveStream, Listener>()
  const unsubscribe = topics.map((topic) =>
    rt.store.onCommit(topic, (touched) => {
      for (const [stream, { accountId }] of streams) {
        if (touched === 'anybody' || touched.has(accountId)) stream.changed(topic)
      }
    }),
  )
  unsubscribe.push(
    rt.presence.onChange((touched) => {
      for (const [stream, { accountId }] of streams) if (accountId === touched) stream.changed(presenceTopic)
    }),
  )
  app.addHook('preClose', async () => {
    for (const stop of unsubscribe) stop()
    for (const stream of streams.keys()) stream.end()
  })

  app.get(
    '/console/api/live',
    route({
      config: { console: 'signed-in' },
      operationId: 'followChanges',
      summary: 'Server-sent events that name what changed',
      description,
      querystring: object({ account: Type.Optional(Type.String({ maxLength: 64 })) }),
      response: { 200: streamAnswer('text/event-stream', 'A stream of events that stays open.') },
    }),
    async (request, reply) => {
      const { sessionId, accountId } = memberOf(request)
      requireShownAccount(memberOf(request), request.query.account)
      const open = [...streams.values()].filter((listener) => listener.sessionId === sessionId).length
      if (open >= streamsPerSessionMax) {
        throw new AppError('too_many_streams', 'Too many pages of this session are already listening.', {
          retryAfterSeconds: 60,
        })
      }
      const token = sessionToken(request) ?? ''
      const stream = openLiveStream(async () => (await findMember(rt, token, contextOf(request))) !== null)
      streams.set(stream, { sessionId, accountId })
      stream.body.once('close', () => streams.delete(stream))
      request.raw.once('close', () => stream.end())
      if (request.headers['last-event-id'] !== undefined) for (const topic of topics) stream.changed(topic)
      // nginx would gather events into pages of 4 kB.
      // Kept open, the connection would hold up the end of the gateway until it counts as idle.
      reply
        .header('x-accel-buffering', 'no')
        .header('connection', 'close')
        .header('content-type', 'text/event-stream; charset=utf-8')
      return reply.send(stream.body)
    },
  )
}

/** A busy gateway commits thousands of times a second; a page needs to look a few times. */
const gatherMs = 250
/** When a page reports that it is not up to date. A connection that is silent for 10 s counts as dead. */
const heartbeatMs = 3_000
/** Reading one row takes a millisecond; a database that needs longer than this cannot be read. Less than `heartbeatMs`. */
const readMaxMs = 2_000

export type LiveStream = {
  readonly body: PassThrough
  changed(topic: string): void
  end(): void
}

/**
 * One browser tab that listens. Topics that change within 250 ms travel together. Heartbeats say whether the database can
 * be read: one that is away announces no changes, and the page would take that for nothing new.
 */
export function openLiveStream(isStillSignedIn: () => Promise<boolean>): LiveStream {
  const body = new PassThrough()
  const waiting = new Set<string>()
  let sent = 0
  let timer: NodeJS.Timeout | null = null
  const heartbeat = setInterval(() => void beat(), heartbeatMs)
  body.once('close', stop)
  body.write(`retry: 2000\nid: ${sent}\n\n`)

  return {
    body,
    changed(topic) {
      waiting.add(topic)
      timer ??= setTimeout(flush, gatherMs)
    },
    end() {
      stop()
      body.end()
    },
  }

  function flush(): void {
    timer = null
    sent++
    write(`id: ${sent}\nevent: changed\ndata: ${JSON.stringify({ topics: [...waiting].sort() })}\n\n`)
    waiting.clear()
  }

  async function beat(): Promise<void> {
    const answer = await withTimeout(
      isStillSignedIn().catch(() => null),
      readMaxMs,
    )
    // A database that is away signs nobody out.
    if (answer !== false) return write(`event: heartbeat\ndata: ${JSON.stringify({ readable: answer === true })}\n\n`)
    write('event: signed_out\ndata: {}\n\n')
    stop()
    body.end()
  }

  function write(text: string): void {
    if (body.writable) body.write(text)
  }

  function stop(): void {
    clearInterval(heartbeat)
    if (timer) clearTimeout(timer)
  }
}
