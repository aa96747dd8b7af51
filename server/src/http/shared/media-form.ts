import { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { openContent } from '../../media/open-content.ts'
import { withIdleLimit } from '../edge/finished.ts'

type FormFile = { content: AsyncIterable<Uint8Array>; declaredType: string | null; filename: string | null }
type ReadForm<T> = { file: T; partFilename: string | null }
export type FieldPart = { fieldname: string; value: unknown; valueTruncated: boolean }
type FormLimits = { idleMs: number; fileBytesMax: number }
type FormTaker<T> = {
  takeFile(file: FormFile): Promise<T>
  dropFile(taken: T): Promise<void>
  /** Of a field, and of a file under another name than `file`. */
  takeField(part: FieldPart): void
}

const fieldBytesMax = 4_096
/** Room for the form around the largest file. */
const formBytesMax = 65_536
/** After a refusal the rest of the body is read away for this long, or the answer would be lost in a reset. */
const lingerMs = 1_000

/**
 * Reads an upload form part by part: `takeFile` gets the bytes as they come, so that nothing is held here. What the
 * form gets wrong is told in our own words.
 */
export async function readMediaForm<T>(
  request: FastifyRequest,
  limits: FormLimits,
  { takeFile, dropFile, takeField }: FormTaker<T>,
): Promise<ReadForm<T>> {
  let taken: ReadForm<T> | null = null
  try {
    if (Number(request.headers['content-length'] ?? 0) > limits.fileBytesMax + formBytesMax) throw beyondAnyFile()
    for await (const part of withIdleLimit(request.parts(busboyLimits(limits)), limits.idleMs)) {
      if (part.type === 'file') {
        requireFirst(part, taken !== null, takeField)
        const partFilename = part.filename || null
        taken = { file: await takeFile(toFormFile(part, limits)), partFilename }
      } else {
        takeField(part)
      }
    }
    if (!taken) throw invalidField('file', 'required', 'Send the file in a part named file.')
    return taken
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

function requireFirst(part: MultipartFile, seen: boolean, takeField: FormTaker<unknown>['takeField']): void {
  if (part.fieldname !== 'file') {
    takeField({ fieldname: part.fieldname, value: null, valueTruncated: false })
    throw invalidField('file', 'required', 'Send the file in a part named file.')
  }
  if (seen) throw invalidField('file', 'duplicate', 'Send one file in one request.')
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
  return damaged ? new AppError('malformed_request', 'The form is incomplete or damaged.') : error
}

function beyondAnyFile(): AppError {
  return new AppError(
    'media_too_large',
    'The body exceeds every file limit: images 5 MB, audio and video 16 MB, documents 100 MB.',
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

/** As an attachment of a harmless type and with a policy that forbids everything, a browser runs none of it. */
export function sendFile(reply: FastifyReply, file: Awaited<ReturnType<typeof openContent>>): FastifyReply {
  return reply
    .header('content-type', file.mimeType)
    .header('content-length', file.bytes)
    .header('content-disposition', file.disposition)
    .header('content-security-policy', 'sandbox')
    .send(Readable.from(file.content, { objectMode: false }))
}
