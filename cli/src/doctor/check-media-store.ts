import { S3Failure } from '@postern/server/lib/s3/s3-failure.ts'
import { here } from '@postern/server/media/blobs/blob.ts'
import { placeOfNew } from '@postern/server/media/blobs/blob-store.ts'
import { explainStoreFailure, probeBucket } from '@postern/server/media/blobs/probe-bucket.ts'
import type { Runtime } from '@postern/server/runtime.ts'
import { blobPlaces, doomedPlaces } from '@postern/server/store/media/blobs.ts'
import { type Finding, found, problem, warning } from './finding.ts'

const check = 'media store'

/** Whether the bucket takes, gives and deletes, and whether every file is where this gateway can read it. */
export async function checkMediaStore(rt: Runtime): Promise<Finding[]> {
  const [probe, places, doomed] = await Promise.all([
    checkBucket(rt),
    rt.store.read(blobPlaces, {}),
    rt.store.read(doomedPlaces, {}),
  ])
  const now = placeOfNew(rt)
  const others = places.filter(({ place }) => place !== now)
  const elsewhere = others.map(({ place, files, bytes }) => {
    const what = `${files} ${files === 1 ? 'file' : 'files'} (${(bytes / 1_000_000).toFixed(1)} MB)`
    if (place === here)
      return found(check, `${what} still with the database; "postern media move" brings them to the bucket`)
    const cure = 'Set it back, and run "postern media move --back" before it is changed.'
    return problem(check, `${what} in ${place}, which POSTERN_MEDIA_STORE does not name: they can't be read. ${cure}`)
  })
  const waiting = doomed.filter(({ place }) => place !== here && place !== now)
  const lost = waiting.map(({ place, files }) =>
    warning(
      check,
      `${files} deleted files are still in ${place}, which POSTERN_MEDIA_STORE does not name: delete them there.`,
    ),
  )
  return [...probe, ...elsewhere, ...lost]
}

async function checkBucket({ bucket }: Runtime): Promise<Finding[]> {
  if (!bucket) return []
  try {
    const { keepsVersions } = await probeBucket(bucket)
    if (!keepsVersions) return [found(check, `${bucket.address}: an object was put, read and deleted`)]
    const sentence = `${bucket.address} keeps old versions: a deleted file stays in it, also after the erasure of a customer`
    return [warning(check, `${sentence}. Add a lifecycle rule that expires noncurrent versions after a day.`)]
  } catch (error) {
    if (!(error instanceof S3Failure)) throw error
    return [problem(check, `${bucket.address}: ${explainStoreFailure(error)}`)]
  }
}
