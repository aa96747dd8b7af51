import { AppError } from '../../contract/app-error.ts'

/** A store of bytes: a folder beside an SQLite database, PostgreSQL, or a bucket. */
export type BlobStore = {
  create(blobId: string): Promise<BlobWriter>
  /** Rejects with `BytesMissing` when there are none; gives them piece by piece otherwise. */
  open(blobId: string, size: number): Promise<AsyncIterable<Uint8Array>>
  /** Also what was written in part; removing nothing is fine. */
  remove(blobId: string): Promise<void>
}

export type BlobWriter = {
  /** Resolves when the bytes are taken; the caller then gives the next. */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves when everything is where it stays. What was written has this hash. */
  finish(sha256: string): Promise<void>
  /** Lets go of what is open; what was written stays for `remove`. */
  abandon(): Promise<void>
}

/** Bytes and where they are: `here`, or in a bucket, by its address. */
export type BlobAt = { blobId: string; place: string }

/** With the database, so that every node sees them and one backup holds everything. */
export const here = 'here'

export class BytesMissing extends Error {
  override readonly name = 'BytesMissing'

  constructor() {
    super('The bytes of this blob are missing.')
  }
}

/** The cause is logged for the operator; a client can only retry. */
export function mediaStoreAway(cause?: unknown): AppError {
  const sentence = 'The storage of files is not available right now.'
  return new AppError('service_unavailable', sentence, { retryAfterSeconds: 30, cause })
}
