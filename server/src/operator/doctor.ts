import { dayMs } from '../lib/durations.ts'
import { firstIdAt } from '../lib/ids.ts'
import { S3Failure } from '../lib/s3/s3-failure.ts'
import { placeOfNew } from '../media/blobs/blob-store.ts'
import { explainStoreFailure, probeBucket } from '../media/blobs/probe-bucket.ts'
import type { Runtime } from '../runtime.ts'
import { channelAddresses } from '../store/channels/channels.ts'
import { countMessagesBetween, databaseBytes } from '../store/engine/database.ts'
import { blobPlaces, doomedPlaces } from '../store/media/blobs.ts'

/** What a diagnosis reads. It changes nothing. */
export { findInstallationId } from '../access/installation.ts'
export { installationHeader } from '../http/health.ts'
export { explainFailure } from '../lib/guarded-http/guarded-http-failure.ts'
export { EmptyDatabase } from '../store/engine/store-error.ts'

/** Addresses of Meta's API, or of a sandbox, that the channels use. */
export async function platformUrls(rt: Runtime): Promise<string[]> {
  return (await rt.store.read(channelAddresses, {})).map(({ base_url }) => base_url)
}

/** Sent and received on an average day of the last so many, and what the database takes now. */
export async function measureTraffic(rt: Runtime, days: number): Promise<{ perDay: number; databaseBytes: number }> {
  const now = rt.clock.now()
  const between = (prefix: 'in' | 'out') =>
    rt.store.read(countMessagesBetween, {
      from_id: firstIdAt(prefix, now - days * dayMs),
      to_id: firstIdAt(prefix, now),
    })
  const [[received], [sent], [size]] = await Promise.all([
    between('in'),
    between('out'),
    rt.store.read(databaseBytes, {}),
  ])
  return {
    perDay: Math.round(((received?.count ?? 0) + (sent?.count ?? 0)) / days),
    databaseBytes: size?.bytes ?? 0,
  }
}

/** Where files are and where new ones go, and where deleted ones still are. */
export async function findFiles(rt: Runtime) {
  const [files, deleted] = await Promise.all([rt.store.read(blobPlaces, {}), rt.store.read(doomedPlaces, {})])
  return { current: placeOfNew(rt), files, deleted }
}

type BucketProbe = { address: string } & ({ keepsVersions: boolean } | { problem: string })

/** Whether the bucket takes, gives and deletes; null without one. */
export async function tryBucket({ bucket }: Runtime): Promise<BucketProbe | null> {
  if (!bucket) return null
  const { address } = bucket
  try {
    return { address, ...(await probeBucket(bucket)) }
  } catch (error) {
    if (!(error instanceof S3Failure)) throw error
    return { address, problem: explainStoreFailure(error) }
  }
}
