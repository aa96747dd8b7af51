import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { objectOf } from '../../connections/pass-call.ts'
import {
  deleteToolMedia,
  fetchedToolMedia,
  findToolMedia,
  type MediaReader,
  readMediaLink,
  signMediaLink,
  uploadForTool,
} from '../../connections/tool-media.ts'
import { AppError } from '../../contract/app-error.ts'
import { allows } from '../../contract/scopes.ts'
import { isRecord } from '../../lib/is-record.ts'
import { discardBlob } from '../../media/blobs/loose-blobs.ts'
import type { Staged } from '../../media/keep-media.ts'
import { openContent } from '../../media/open-content.ts'
import { fileBytesMax } from '../../media/types/media-kinds.ts'
import { stageUpload } from '../../media/upload-media.ts'
import type { WireBody } from '../../platform/dialect.ts'
import type { Runtime } from '../../runtime.ts'
import { checkCredentials } from '../edge/access.ts'
import { type App, callerOf } from '../edge/context.ts'
import { readMediaForm, sendFile } from '../shared/media-form.ts'
import { type ConnectionOf, tokenOf } from './graph-address.ts'

export type MediaTools = { rt: Runtime; connectionOf: ConnectionOf }

/** Uploads, and the bytes of files. What a file is and its deletion are calls on its id, among the passed calls. */
export function addGraphMedia(graph: App, { rt }: MediaTools): void {
  // A scope of its own: nowhere else is a form of parts a body.
  void graph.register(async (scope) => {
    const uploads = scope as App
    uploads.removeAllContentTypeParsers()
    await uploads.register(multipart)
    uploads.addContentTypeParser('*', (_request: FastifyRequest, _payload: unknown, done: (error: Error) => void) => {
      done(notAForm())
    })
    const config = { access: { scope: 'media:write' }, connectionToken: tokenOf, takesForm: true } as const
    uploads.post<{ Params: { number: string } }>(
      '/:number/media',
      { config, schema: { hide: true } },
      async (request) => ({ id: await takeUpload(rt, request) }),
    )
  })

  // With a signature nobody else is asked: the link was made for anyone who has it.
  const config = { access: 'public', connectionToken: tokenOf } as const
  graph.get<{ Params: { id: string } }>('/media/:id', { config, schema: { hide: true } }, async (request, reply) => {
    const reader = await readerOf(graph, rt, request)
    const row = reader && (await findToolMedia(rt, reader, request.params.id))
    if (!row) throw new AppError('media_not_found', 'This file does not exist, was deleted, or its link has expired.')
    await fetchedToolMedia(rt, row)
    return sendFile(reply, await openContent(rt, reader, row.id))
  })
}

/** Null where the id is not that of a file. */
export async function answerMedia(
  { rt, connectionOf }: MediaTools,
  request: FastifyRequest,
  id: string,
): Promise<WireBody | null> {
  const caller = callerOf(request)
  const row = await findToolMedia(rt, caller, id)
  if (!row) return null
  if (request.method === 'GET') {
    const { mime_type: mimeType, sha256, size } = await fetchedToolMedia(rt, row)
    const link = signMediaLink(rt, await connectionOf(request), request.checked?.epoch ?? 0, id)
    const query = new URLSearchParams({ a: link.app, e: link.expires, s: link.signature })
    const url = `${rt.urls.base}/graph/media/${encodeURIComponent(id)}?${query}`
    return rt.platform.dialect.mediaFacts({ id, url, mimeType, sha256, bytes: size })
  }
  if (request.method !== 'DELETE') return null
  if (!allows(caller.scopes, 'media:write')) {
    throw new AppError('insufficient_scope', 'The connection lacks the scope media:write.', {
      requiredScope: 'media:write',
    })
  }
  await deleteToolMedia(rt, row)
  return { success: true }
}

async function readerOf(graph: App, rt: Runtime, request: FastifyRequest<{ Params: { id: string } }>) {
  const { a: app, e: expires, s: signature } = isRecord(request.query) ? request.query : {}
  if (typeof app === 'string' && typeof expires === 'string' && typeof signature === 'string') {
    const reader = await readMediaLink(rt, request.params.id, { app, expires, signature })
    if (reader || tokenOf(request) === null) return reader
  }
  const checked = await checkCredentials(graph.access, request, true)
  request.checked = checked
  request.caller = checked.caller
  return checked.caller satisfies MediaReader
}

async function takeUpload(rt: Runtime, request: FastifyRequest<{ Params: { number: string } }>): Promise<string> {
  const object = await objectOf(rt, callerOf(request), request.params.number)
  if (object?.kind !== 'number') throw new AppError('endpoint_not_found', 'This token has no number with this id.')
  if (!request.isMultipart()) throw notAForm()
  const { number } = object
  const { type: asked } = request.query as { type?: unknown }
  let type = typeof asked === 'string' && asked.includes('/') ? asked : null
  const limits = { idleMs: rt.config.bodyTimeoutMs, fileBytesMax }
  try {
    const { file, partFilename } = await readMediaForm(request, limits, {
      takeFile: (file) => stageUpload(rt, number.accountId, { ...file, declaredType: type ?? file.declaredType }),
      dropFile: (staged: Staged) => discardBlob(rt, staged),
      // Fields may come before the file or after it. One of them says what the file is; some tools write only `image` there.
      takeField: ({ fieldname, value }) => {
        if (fieldname === 'type' && typeof value === 'string' && value.includes('/')) type = value
      },
    })
    const { id, kind } = await uploadForTool(rt, number, file, partFilename)
    rt.metrics.mediaUploads.inc({ kind, outcome: 'stored' })
    return id
  } catch (error) {
    rt.metrics.mediaUploads.inc({ kind: 'unknown', outcome: error instanceof AppError ? 'refused' : 'failed' })
    throw error
  }
}

function notAForm(): AppError {
  return new AppError('unsupported_media_type', 'Send the file as multipart/form-data, in a part named file.', {
    headers: { connection: 'close' },
  })
}
