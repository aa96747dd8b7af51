import { answer, ok } from '../../contract/envelope.ts'
import { EventPage, EventQuery } from '../../contract/event-feed.ts'
import { readFeed } from '../../events/read-feed.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, callerOf, routesOf } from '../edge/context.ts'

const route = routesOf('Events')

/** The pull feed: the same events webhooks get, for software without a public address. */
export function addEventRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/events',
    route({
      config: { access: { scope: 'messages:read' } },
      operationId: 'listEvents',
      summary: 'Read the event feed',
      description:
        'Events, oldest first. There is always a `next_cursor`, even on the last page: pass it later to get what has happened since.',
      querystring: EventQuery,
      response: { 200: answer(EventPage) },
    }),
    async (request) => ok(await readFeed(rt, callerOf(request).accountId, request.query)),
  )
}
