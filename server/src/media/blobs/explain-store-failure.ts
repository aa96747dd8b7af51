import type { S3Failure } from '../../lib/s3/s3-failure.ts'

const keyCodes = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidToken']

/** What an operator can do about it, in one sentence or two. */
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
