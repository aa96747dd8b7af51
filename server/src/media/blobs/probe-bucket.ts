import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { S3Bucket } from '../../lib/s3/s3-bucket.ts'
import { S3Failure } from '../../lib/s3/s3-failure.ts'
import type { Runtime } from '../../runtime.ts'

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

const keyCodes = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidToken']

/** The fix for the operator, in one or two sentences. */
export function explainStoreFailure(failure: S3Failure): string {
  const { code, region, status } = failure
  if (region !== null && status !== null && status < 500) {
    return `The bucket is in another region: set POSTERN_MEDIA_STORE_REGION=${region}.`
  }
  if (code === 'NoSuchBucket') return 'The bucket does not exist: create it, or correct POSTERN_MEDIA_STORE.'
  if (keyCodes.includes(code)) {
    return `The store rejects the keys (${code}): check POSTERN_MEDIA_STORE_ACCESS_KEY_ID and POSTERN_MEDIA_STORE_SECRET_ACCESS_KEY.`
  }
  if (/time/i.test(code) && status === 403)
    return 'The clock of the store differs by more than 15 minutes: set both clocks.'
  if (status === 507 || /quota|full/i.test(code))
    return `The store is full (${code}): make room, or raise the limit of the bucket.`
  if (status === 401 || status === 403) {
    return `The access key lacks a permission (${code}): allow it to put, get and delete objects below the prefix.`
  }
  if (status === 301 || status === 307 || status === 302) {
    return 'The store sends requests for this bucket elsewhere: check POSTERN_MEDIA_STORE_ENDPOINT and POSTERN_MEDIA_STORE_REGION.'
  }
  if (code === 'blocked_address') {
    return 'The address of the store is private: name it in POSTERN_MEDIA_STORE_ENDPOINT to permit that.'
  }
  return failure.message
}
