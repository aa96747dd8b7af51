import { AppError } from '../../contract/app-error.ts'
import { MediaParams } from '../../contract/media.ts'
import { openContent } from '../../media/open-content.ts'
import { hidesPeople } from '../../messages/privacy.ts'
import type { Runtime } from '../../runtime.ts'
import { streamAnswer } from '../edge/body/read-body.ts'
import { type App, routesOf } from '../edge/context.ts'
import { sendFile } from '../shared/media-form.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Messages')

/** The bytes of a file, for pictures inside the pages. */
export function addConsoleMediaRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/media/:media_id/content',
    route({
      config: { console: 'messages:read' },
      operationId: 'readMediaContent',
      summary: 'Download a file',
      params: MediaParams,
      response: { 200: streamAnswer('*/*', 'The bytes of the file, with its own `Content-Type`.', 'binary') },
    }),
    async (request, reply) => {
      const member = memberOf(request)
      if (await hidesPeople(rt, member)) {
        throw new AppError('insufficient_role', 'Your role cannot see files from customers.', {
          requiredScope: 'pii:read',
        })
      }
      const reader = { accountId: member.accountId, scopes: ['media:read', 'messages:read'] as const }
      const file = await openContent(rt, reader, request.params.media_id)
      return sendFile(reply.header('cache-control', 'private, max-age=3600'), file)
    },
  )
}
