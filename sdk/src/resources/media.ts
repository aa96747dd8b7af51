import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer } from '../http/wire.ts'

/** A file the gateway keeps. */
export interface MediaFile extends Answer<'MediaFile'> {
  /** Told from the bytes, never from the name. */
  type: Answer<'MediaFile'>['type']
  /** In bytes; `null` while a file of a customer is being fetched. */
  size: number | null
  /** Hexadecimal; `null` while a file of a customer is being fetched. */
  sha256: string | null
}

/** Answer of `media.delete()`. */
export type DeletedMedia = Answer<'DeletedMedia'>

/** What to upload. */
export interface MediaUpload {
  /**
   * JPEG or PNG (5 MB); PDF, Word, Excel, PowerPoint or plain text (100 MB); AAC, AMR, M4A, MP3 or OGG with Opus (16 MB);
   * MP4 or 3GP (16 MB); WebP stickers (100 KB, animated 500 KB). Plain text must be a `Blob` of the type `text/plain`.
   */
  file: Blob | Uint8Array | ArrayBuffer
  /** Name for documents. Default: the name of a `File`. */
  filename?: string
}

/** Files for messages, and files customers sent. */
export class Media {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Uploads a file and returns its `mediaId`, which is good for 30 days. Large files may need a longer `timeoutMs`. */
  upload({ file, filename = nameOf(file) }: MediaUpload, options?: RequestOptions): ApiPromise<MediaFile> {
    const form = new FormData()
    // The fields come first, so that a server reading the form as a stream knows them before the bytes.
    if (filename !== undefined) form.set('filename', filename)
    // In the interface the type of its buffer would need TypeScript 5.7.
    const bytes = file as Blob | Uint8Array<ArrayBuffer> | ArrayBuffer
    form.set('file', bytes instanceof Blob ? bytes : new Blob([bytes]), filename ?? 'file')
    return this.#transport.send({ method: 'POST', path: '/v1/chat/media', body: form }, options)
  }

  /** Facts about a file. */
  get(mediaId: string, options?: RequestOptions): ApiPromise<MediaFile> {
    return this.#transport.send({ method: 'GET', path: path`/v1/chat/media/${mediaId}` }, options)
  }

  /**
   * The bytes, as an unread `Response`: use `.body`, `.blob()` or `.arrayBuffer()`. The time limit covers the wait for
   * its headers; `signal` ends the download as well.
   */
  content(mediaId: string, options?: RequestOptions): ApiPromise<Response> {
    return this.#transport.send(
      { method: 'GET', path: path`/v1/chat/media/${mediaId}/content`, expect: 'response' },
      options,
    )
  }

  /** Deletes a file. When a lost answer made the client repeat the call, it can end in a `NotFoundError`. */
  delete(mediaId: string, options?: RequestOptions): ApiPromise<DeletedMedia> {
    return this.#transport.send({ method: 'DELETE', path: path`/v1/chat/media/${mediaId}` }, options)
  }
}

/** A `File` has a name; a plain `Blob` has none. */
function nameOf(file: object): string | undefined {
  return 'name' in file && typeof file.name === 'string' ? file.name : undefined
}
