/**
 * Where bytes live: in files beside an SQLite database, in PostgreSQL itself otherwise, so that every node sees them
 * and one backup holds everything.
 */
export type BlobStore = {
  create(blobId: string): Promise<BlobWriter>
  /** Rejects when there are no such bytes; gives them piece by piece otherwise. */
  open(blobId: string): Promise<AsyncIterable<Uint8Array>>
  /** Also what was written in part; removing nothing is fine. */
  remove(blobId: string): Promise<void>
}

export type BlobWriter = {
  /** Resolves when the bytes are taken; the caller then gives the next. */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves when everything is on disk. */
  finish(): Promise<void>
  /** Lets go of what is open; what was written stays for `remove`. */
  abandon(): Promise<void>
}
