import { here } from '../media/blobs/blob.ts'
import { placeOfNew } from '../media/blobs/blob-store.ts'
import { type Moved, moveBlobs } from '../media/blobs/move-blobs.ts'
import type { Runtime } from '../runtime.ts'

/** Where the bytes of files are: with the database (`here`) or in a bucket. */
export { here } from '../media/blobs/blob.ts'
export type { Moved } from '../media/blobs/move-blobs.ts'

/** A page of them to where new files go, or back to the database. */
export function moveFiles(rt: Runtime, { after, back }: { after: string; back: boolean }): Promise<Moved> {
  return moveBlobs(rt, { to: back ? here : placeOfNew(rt), after })
}
