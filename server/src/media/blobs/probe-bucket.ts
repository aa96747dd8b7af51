import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { S3Bucket } from '../../lib/s3/s3-bucket.ts'
import { S3Failure } from '../../lib/s3/s3-failure.ts'
import type { Runtime } from '../../runtime.ts'
import { explainStoreFailure } from './explain-store-failure.ts'

const probeBytes = 1_024

/** Puts an object, gets it back and deletes it: each needs a permission of its own. */
export async function probeBucket(bucket: S3Bucket): Promise<{ keepsVersions: boolean }> {
  const key = `probe/${randomUUID()}`
  const bytes = randomBytes(probeBytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const read = async function* () {
    yield bytes
  }
  const { keepsVersions } = await bucket.put(key, { bytes: probeBytes, sha256, read })
  const chunks: Uint8Array[] = []
  for await (const chunk of (await bucket.get(key)).content) chunks.push(chunk)
  if (!Buffer.concat(chunks).equals(bytes)) {
    throw new S3Failure({ code: 'WrongBytes', message: 'The store gave back other bytes than it was given.' })
  }
  await bucket.delete(key)
  return { keepsVersions }
}

/** At the start. Texts are sent without a store, so one that is away keeps no gateway from starting. */
export async function probeBucketAtStart({ bucket, log }: Pick<Runtime, 'bucket' | 'log'>): Promise<void> {
  if (!bucket) return
  try {
    await probeBucket(bucket)
  } catch (error) {
    const reason = error instanceof S3Failure ? explainStoreFailure(error) : String(error)
    log.error({ store: bucket.address, reason }, 'media.store_failed')
  }
}

export function measureBucket({ bucket, metrics }: Runtime): void {
  metrics.mediaStoreFailing.set({}, bucket?.trouble() ? 1 : 0)
}
