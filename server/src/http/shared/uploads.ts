import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { readIdempotencyKey } from '../../access/idempotency.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { MediaFile, MediaForm } from '../../contract/media.ts'
import { optionalBody, ref } from '../../contract/schema.ts'
import { isRecord } from '../../lib/is-record.ts'
import { nearest } from '../../lib/text/edit-distance.ts'
import { discardBlob } from '../../media/blobs/loose-blobs.ts'
import type { Staged } from '../../media/intake.ts'
import { fileBytesMax } from '../../media/types/media-kinds.ts'
import { createMedia, stageUpload } from '../../media/upload-media.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { withIdleLimit } from '../edge/finished.ts'
import { routesOf } from '../edge/route-table.ts'
import { noSuchField } from '../field-sentence.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Media')

/** A file to send later. */
export function addUploadRoutes(app: App, rt: Runtime, mount: Mount): void {
  // A scope of its own: nowhere else is a form a body.
  void app.register(async (scope: App) => addUploadRoute(scope, rt, mount))
}

async function addUploadRoute(app: App, rt: Runtime, mount: Mount): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)
  app.addContentTypeParser('*', (_request: FastifyRequest, _payload: unknown, done: (error: Error) => void) => {
    done(notAForm())
  })
  app.post(
    `${mount.chat}/media`,
    route({
      // What a repeat must equal is known when the file has been read, so the handler looks at the key.
      config: { ...mount.may('media:write', { idempotent: 'in_handler', charged: true }), takesForm: true },
      operationId: 'uploadMedia',
      summary: 'Upload a file',
      consumes: ['multipart/form-data'],
      // The form is checked while it streams in; before that there is no body.
      body: optionalBody(MediaForm),
      response: { 201: answer(ref(MediaFile)) },
    }),
    async (request, reply) => {
      const key = readIdempotencyKey(request.headers['idempotency-key'])
      const { accountId } = mount.principalOf(rt, request)
      const { file, partFilename, filenameField } = await takeForm(rt, request, accountId)
      const { record, replayed } = await createMedia(rt, file, { part: partFilename, field: filenameField }, key)
      if (replayed) reply.header('idempotent-replayed', 'true')
      rt.metrics.mediaUploads.inc({ kind: record.type, outcome: 'stored' })
      return reply.code(201).send(ok(record))
    },
  )
}

async function takeForm(rt: Runtime, request: FastifyRequest, accountId: string) {
  try {
    if (!request.isMultipart()) throw notAForm()
    const limits = { idleMs: rt.config.bodyTimeoutMs, fileBytesMax }
    return await readMediaForm(
      request,
      limits,
      (file) => stageUpload(rt, accountId, file),
      (staged: Staged) => discardBlob(rt, staged),
    )
  } catch (error) {
    const outcome = error instanceof AppError ? 'refused' : 'failed'
    rt.metrics.mediaUploads.inc({ kind: 'unknown', outcome })
    throw error
  }
}

function notAForm(): AppError {
  return new AppError('unsupported_media_type', 'Send the file as multipart/form-data, in a part named file.', {
    headers: { connection: 'close' },
  })
}

type FormFile = { content: AsyncIterable<Uint8Array>; declaredType: string | null; filename: string | null }
type ReadForm<T> = { file: T; partFilename: string | null; filenameField: string | null }
type FormLimits = { idleMs: number; fileBytesMax: number }

const fieldBytesMax = 4_096
/** Room for the form around the largest file. */
const formBytesMax = 65_536
const fields = ['file', 'filename']
/** After a refusal the rest of the body is read away for this long, or the answer would be lost in a reset. */
const lingerMs = 1_000

/**
 * Reads an upload form part by part: `takeFile` gets the bytes as they come, so that nothing is held here. What the
 * form gets wrong is told in our own words.
 */
async function readMediaForm<T>(
  request: FastifyRequest,
  limits: FormLimits,
  takeFile: (file: FormFile) => Promise<T>,
  dropFile: (taken: T) => Promise<void>,
): Promise<ReadForm<T>> {
  let taken: { file: T; partFilename: string | null } | null = null
  let filenameField: string | null = null
  try {
    if (Number(request.headers['content-length'] ?? 0) > limits.fileBytesMax + formBytesMax) throw beyondAnyFile()
    for await (const part of withIdleLimit(request.parts(busboyLimits(limits)), limits.idleMs)) {
      if (part.type === 'file') {
        requireFirst(part, taken !== null)
        const partFilename = part.filename || null
        taken = { file: await takeFile(toFormFile(part, limits)), partFilename }
      } else {
        filenameField = readField(part, filenameField)
      }
    }
    if (!taken) throw invalidField('file', 'required', 'Send the file in a part named file.')
    return { ...taken, filenameField }
  } catch (error) {
    if (taken) await dropFile(taken.file)
    await readAway(request)
    throw withClosing(request, toRefusal(error))
  }
}

function busboyLimits({ fileBytesMax }: FormLimits) {
  // One byte more than any file may have: the limit itself is told by the verb that stores the file.
  const limits = { files: 1, fields: 10, parts: 11, fieldSize: fieldBytesMax, fieldNameSize: 100, headerPairs: 20 }
  return { throwFileSizeLimit: false, limits: { ...limits, fileSize: fileBytesMax + 1 } }
}

function toFormFile({ file, mimetype, filename }: MultipartFile, { idleMs }: FormLimits): FormFile {
  return { content: withIdleLimit(file, idleMs), declaredType: mimetype || null, filename: filename || null }
}

function requireFirst(part: MultipartFile, seen: boolean): void {
  if (part.fieldname !== 'file') throw unknownField(part.fieldname)
  if (seen) throw invalidField('file', 'duplicate', 'Send one file in one request.')
}

type FieldPart = { fieldname: string; value: unknown; valueTruncated: boolean }

function readField({ fieldname, value, valueTruncated }: FieldPart, earlier: string | null): string {
  if (fieldname === 'file') {
    throw invalidField('file', 'invalid_type', 'Send it as a file part, with a file name in its Content-Disposition.')
  }
  if (fieldname !== 'filename') throw unknownField(fieldname)
  if (earlier !== null) throw invalidField('filename', 'duplicate', 'Send the name once.')
  if (valueTruncated) throw invalidField('filename', 'too_long', 'At most 240 characters.')
  if (typeof value !== 'string') throw invalidField('filename', 'invalid_type', 'Must be text.')
  return value
}

function unknownField(name: string): AppError {
  const sentence = noSuchField(name, nearest(name, fields, 3))
  return invalidField(name.slice(0, 64), 'unknown_field', `${sentence} The form accepts file and filename.`)
}

/** Errors of the form parser, by their codes; it has no codes for a damaged form, only sentences. */
function toRefusal(error: unknown): unknown {
  if (!isRecord(error)) return error
  const { code, name, message } = error
  if (name === 'AppError') return error
  if (code === 'FST_FILES_LIMIT') return invalidField('file', 'duplicate', 'Send one file in one request.')
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT') {
    return invalidField('filename', 'too_many_items', 'The form accepts file and filename, each once.')
  }
  // The parser keeps the name to itself.
  if (code === 'FST_PROTO_VIOLATION') {
    return invalidField('file', 'unknown_field', 'The form has an unknown field; it accepts file and filename.')
  }
  if (code === 'FST_INVALID_JSON_FIELD_ERROR') return invalidField('filename', 'invalid_type', 'Must be text.')
  const damaged =
    code === 'FST_MP_PREMATURE_CLOSE' ||
    code === 'ECONNRESET' ||
    /multipart|boundary|part terminated/i.test(String(message))
  return damaged ? new AppError('malformed_request', 'The form ended before it was complete, or is damaged.') : error
}

function beyondAnyFile(): AppError {
  return new AppError(
    'media_too_large',
    'The body is larger than any file may be: images 5 MB, audio and video 16 MB, documents 100 MB.',
  )
}

function withClosing(request: FastifyRequest, error: unknown): unknown {
  if (!(error instanceof AppError) || request.raw.readableEnded) return error
  const headers = { ...error.extras.headers, connection: 'close' }
  return new AppError(error.code, error.message, { ...error.extras, headers })
}

function readAway({ raw }: FastifyRequest): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(finish, lingerMs)
    raw.once('end', finish).once('close', finish)
    raw.unpipe()
    raw.resume()

    function finish(): void {
      clearTimeout(timer)
      raw.off('end', finish).off('close', finish)
      resolve()
    }
  })
}
