import { AppError } from '../../contract/app-error.ts'
import { findMember } from '../../people/sessions.ts'
import type { Runtime } from '../../runtime.ts'
import type { Topic } from '../../store/engine/operation.ts'
import { streamAnswer } from '../edge/body/stream-answer.ts'
import { type App, contextOf } from '../edge/context.ts'
import { routesOf } from '../edge/routes-of.ts'
import { memberOf, sessionToken } from './console-access.ts'
import { type LiveStream, openLiveStream } from './live-stream.ts'

const route = routesOf('Live updates')

const topics: readonly Topic[] = ['events', 'messages', 'deliveries', 'attempts', 'channels', 'audit']
const streamsPerSessionMax = 20
const description = `Events \`changed\` with \`{"topics": […]}\` (of ${topics.join(', ')}), \`heartbeat\` with \`{"readable": …}\`
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
      response: { 200: streamAnswer('text/event-stream', 'A stream of events that stays open.') },
    }),
    async (request, reply) => {
      const { sessionId, accountId } = memberOf(request)
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
