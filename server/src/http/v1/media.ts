import { answer, ok } from '../../contract/envelope.ts'
import { DeletedMedia, MediaFile, MediaParams } from '../../contract/media.ts'
import { ref } from '../../contract/schema.ts'
import { deleteMedia } from '../../media/delete-media.ts'
import { openContent, requireMedia } from '../../media/open-content.ts'
import { toMediaRecord } from '../../media/upload-media.ts'
import type { Runtime } from '../../runtime.ts'
import { streamAnswer } from '../edge/body/read-body.ts'
import { type App, callerOf, routesOf } from '../edge/context.ts'
import { sendFile } from '../shared/media-form.ts'

const route = routesOf('Media')

/** Files: uploads of the account, and what its customers sent. */
export function addMediaRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/chat/media/:media_id',
    route({
      config: { access: 'token' },
      operationId: 'getMedia',
      summary: 'Get the metadata of a file',
      description:
        'Its type, size and name. Your own uploads need `media:read` or `media:write`, files from customers need `media:read` and `messages:read`.',
      params: MediaParams,
      response: { 200: answer(ref(MediaFile)) },
    }),
    async (request) => ok(toMediaRecord(await requireMedia(rt, callerOf(request), request.params.media_id))),
  )

  app.get(
    '/v1/chat/media/:media_id/content',
    route({
      config: { access: 'token' },
      operationId: 'getMediaContent',
      summary: 'Download a file',
      description:
        'Your own uploads need `media:read` or `media:write`, files from customers need `media:read` and `messages:read`.',
      params: MediaParams,
      response: { 200: streamAnswer('*/*', 'The bytes of the file, with its own `Content-Type`.', 'binary') },
    }),
    async (request, reply) => sendFile(reply, await openContent(rt, callerOf(request), request.params.media_id)),
  )

  app.delete(
    '/v1/chat/media/:media_id',
    route({
      config: { access: { scope: 'media:write' } },
      operationId: 'deleteMedia',
      summary: 'Delete a file',
      params: MediaParams,
      response: { 200: answer(ref(DeletedMedia)) },
    }),
    async (request) => {
      const { media_id } = request.params
      await deleteMedia(rt, callerOf(request).accountId, media_id)
      return ok({ media_id, deleted: true as const })
    },
  )
}
