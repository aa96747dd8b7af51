import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { invalid } from '../http/errors.ts'

export type UploadedFile = { filename: string | null; contentType: string | null; sizeBytes: number; sha256: string }
export type Form = { fields: Map<string, string>; file: UploadedFile | null }

const HEAD_BYTES_MAX = 16 * 1024
const FIELD_BYTES_MAX = 64 * 1024

/** Reads a multipart form; the part named `file` goes straight to disk, counted and hashed on its way. */
export async function readMultipart(req: IncomingMessage, filePath: string, fileBytesMax: number): Promise<Form> {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(req.headers['content-type'] ?? '')
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw invalid('The request is not multipart/form-data')
  const form: Form = { fields: new Map(), file: null }
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const source = new Source(req)
  // The first boundary has no line end before it; giving it one makes all boundaries alike.
  source.buffer = Buffer.from('\r\n')
  await source.skipPast(delimiter)
  while (!(await source.atEnd())) {
    const head = await source.readUntil(Buffer.from('\r\n\r\n'), HEAD_BYTES_MAX)
    const part = readHead(head.toString('utf8'))
    if (part.name === 'file') form.file = await storePart(source, part, { delimiter, filePath, bytesMax: fileBytesMax })
    else form.fields.set(part.name, (await source.readUntil(delimiter, FIELD_BYTES_MAX)).toString('utf8'))
  }
  return form
}

type PartHead = { name: string; filename: string | null; contentType: string | null }

function readHead(head: string): PartHead {
  const disposition = /content-disposition:[^\r\n]*/i.exec(head)?.[0] ?? ''
  return {
    name: /[;\s]name="([^"]*)"/i.exec(disposition)?.[1] ?? /[;\s]name=([^;\s]+)/i.exec(disposition)?.[1] ?? '',
    filename: /filename="([^"]*)"/i.exec(disposition)?.[1] ?? null,
    contentType: /content-type:\s*([^\r\n]+)/i.exec(head)?.[1]?.trim() ?? null,
  }
}

async function storePart(
  source: Source,
  { filename, contentType }: PartHead,
  { delimiter, filePath, bytesMax }: { delimiter: Buffer; filePath: string; bytesMax: number },
): Promise<UploadedFile> {
  const out = createWriteStream(filePath)
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const piece of source.piecesUntil(delimiter)) {
      sizeBytes += piece.length
      // Past the limit the rest is read and thrown away, so that the sender gets an answer and not a broken pipe.
      if (sizeBytes > bytesMax) continue
      hash.update(piece)
      if (!out.write(piece)) await once(out, 'drain')
    }
  } finally {
    out.end()
    await once(out, 'close')
  }
  return { filename, contentType, sizeBytes, sha256: hash.digest('base64') }
}

/** The request body as something one can search in without holding all of it. */
class Source {
  buffer: Buffer = Buffer.alloc(0)
  readonly #chunks: AsyncIterator<Buffer>

  constructor(req: IncomingMessage) {
    this.#chunks = req[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** After a boundary: `--` ends the form, a line end opens the next part. */
  async atEnd(): Promise<boolean> {
    while (this.buffer.length < 2) await this.#more()
    const mark = this.buffer.toString('latin1', 0, 2)
    this.buffer = this.buffer.subarray(2)
    if (mark === '--') {
      await this.#drain()
      return true
    }
    if (mark !== '\r\n') throw invalid('The multipart body is malformed')
    return false
  }

  async readUntil(mark: Buffer, bytesMax: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of this.piecesUntil(mark)) {
      size += piece.length
      if (size > bytesMax) throw invalid('A part of the multipart body is too long')
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }

  async skipPast(mark: Buffer): Promise<void> {
    for await (const _piece of this.piecesUntil(mark));
  }

  /** Everything before the mark, piece by piece; the mark itself is consumed. */
  async *piecesUntil(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.buffer.indexOf(mark)
      if (at !== -1) {
        const piece = this.buffer.subarray(0, at)
        this.buffer = this.buffer.subarray(at + mark.length)
        if (piece.length > 0) yield piece
        return
      }
      // The last bytes may be the beginning of the mark.
      const safe = this.buffer.length - mark.length + 1
      if (safe > 0) {
        const piece = this.buffer.subarray(0, safe)
        this.buffer = this.buffer.subarray(safe)
        yield piece
      }
      await this.#more()
    }
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done) throw invalid('The multipart body ends too early')
    this.buffer = this.buffer.length === 0 ? value : Buffer.concat([this.buffer, value])
  }

  async #drain(): Promise<void> {
    while (!(await this.#chunks.next()).done) this.buffer = Buffer.alloc(0)
  }
}
