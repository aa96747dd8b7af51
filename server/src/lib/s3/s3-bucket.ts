import { setTimeout as pause } from 'node:timers/promises'
import type { AwsV4Signer } from 'aws4fetch'
import { minuteMs } from '../durations.ts'
import type { GuardedHttp } from '../guarded-http/guarded-http.ts'
import type { OpenOutcome } from '../guarded-http/guarded-http-open.ts'
import { retryAfterMs } from '../retry-after.ts'
import { failureOf, S3Failure } from './s3-failure.ts'

export type S3Place = {
  /** Null: that of Amazon in the region. */
  endpoint: string | null
  region: string
  bucket: string
  /** Before every key; without slashes at its ends. */
  prefix: string
}

export type S3Options = S3Place & {
  accessKeyId: string
  secretAccessKey: string
  http: Pick<GuardedHttp, 'open'>
  signer: typeof AwsV4Signer
  /** Epoch milliseconds. */
  now(): number
  /** Told of every request, also of those that are repeated. */
  onRequest?(operation: S3Operation, outcome: S3Outcome, seconds: number): void
}

export type S3Operation = 'put' | 'get' | 'delete'
export type S3Outcome = 'ok' | 'missing' | 'throttled' | 'rejected' | 'failed'

export type S3Object = { bytes: number; sha256: string; read: () => AsyncIterable<Uint8Array> }

export type S3Bucket = {
  /** `s3://bucket/prefix`: what the operator calls it. */
  readonly address: string
  /** Whole or not at all: length and hash are signed, and the store compares both. Says whether old versions are kept. */
  put(key: string, object: S3Object): Promise<{ keepsVersions: boolean }>
  /** Rejects with an `S3Failure` whose `isMissing` is true when there is none. */
  get(key: string): Promise<{ bytes: number | null; content: AsyncIterable<Uint8Array> }>
  /** Deleting what isn't there is fine. */
  delete(key: string): Promise<void>
  /** Of the last request that came to an end; null while the store does what it is asked. */
  trouble(): S3Failure | null
}

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** An object that can't be deleted now is deleted later, in the background. */
const attemptsMax = { put: 4, get: 4, delete: 2 } as const
const pausesMs = [200, 800, 2_000]
/** After this long no further attempt is begun: a client may be waiting for the response. */
const attemptsBeginMs = 15_000
const headersMs = 15_000
const idleMs = 30_000
/** 256 KiB a second: slower than this an upload is given up. */
const bytesPerMs = 262
const errorBytesMax = 8_192

/** One bucket of a store that speaks the S3 protocol: Amazon's own, MinIO, Ceph, R2 and others. */
export function openBucket(options: S3Options): S3Bucket {
  const { signer: Signer, http, onRequest = () => {} } = options
  const base = addressOf(options)
  let clockOffsetMs = 0
  let trouble: S3Failure | null = null

  async function attempt(operation: S3Operation, key: string, object?: S3Object): Promise<Response> {
    const startedAt = performance.now()
    const response = await request(operation, key, object)
    const failure = response instanceof S3Failure ? response : null
    onRequest(operation, failure ? outcomeOf(failure) : 'ok', (performance.now() - startedAt) / 1_000)
    if (failure) throw failure
    return response as Response
  }

  async function request(operation: S3Operation, key: string, object?: S3Object): Promise<Response | S3Failure> {
    const url = `${base}/${key}`
    const signed = await new Signer({
      method: methods[operation],
      url,
      headers: { 'x-amz-content-sha256': object?.sha256 ?? emptySha256 },
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
      service: 's3',
      region: options.region,
      datetime: new Date(options.now() + clockOffsetMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign()
    const headers = Object.fromEntries(signed.headers)
    if (object) headers['content-length'] = String(object.bytes)
    const outcome = await http.open({
      method: methods[operation],
      url,
      headers,
      ...(object && object.bytes > 0 ? { body: object.read } : {}),
      headersMs: headersMs + (object?.bytes ?? 0) / bytesPerMs,
      idleMs,
    })
    if (outcome.kind === 'failure') return new S3Failure({ code: outcome.code, message: outcome.message })
    const isGood = outcome.statusCode >= 200 && outcome.statusCode < 300
    if (isGood && operation === 'get') return outcome
    const text = await textOf(outcome).catch(() => '')
    return isGood ? outcome : failureOf(outcome.statusCode, outcome.headers, text)
  }

  /** Every operation may be done twice: a key never stands for other bytes. */
  async function call(operation: S3Operation, key: string, object?: S3Object): Promise<Response> {
    const startedAt = performance.now()
    for (let number = 1; ; number++) {
      try {
        const response = await attempt(operation, key, object)
        trouble = null
        return response
      } catch (error) {
        if (!(error instanceof S3Failure)) throw error
        trouble = error.isMissing ? null : error
        const isLate = number >= attemptsMax[operation] || performance.now() - startedAt > attemptsBeginMs
        if (isLate || !(error.mayPass || adjustClock(error))) throw error
        if (error.mayPass) await pause(pauseMs(number, error))
      }
    }
  }

  /** Signs by the store's time from now on. False when that was done already: then time is not what is wrong. */
  function adjustClock({ storeTime }: S3Failure): boolean {
    if (storeTime === null) return false
    const offsetMs = storeTime - options.now()
    const isNews = Math.abs(offsetMs - clockOffsetMs) > minuteMs
    clockOffsetMs = offsetMs
    return isNews
  }

  return {
    address: `s3://${options.bucket}${options.prefix === '' ? '' : `/${options.prefix}`}`,
    async put(key, object) {
      const { headers } = await call('put', key, object)
      const version = headers['x-amz-version-id']
      return { keepsVersions: version !== undefined && version !== 'null' }
    },
    async get(key) {
      const { headers, body } = await call('get', key)
      const bytes = Number(headers['content-length'] ?? Number.NaN)
      return { bytes: Number.isNaN(bytes) ? null : bytes, content: body }
    },
    async delete(key) {
      await call('delete', key).catch((error: unknown) => {
        if (!(error instanceof S3Failure && error.isMissing)) throw error
      })
    },
    trouble: () => trouble,
  }
}

type Response = OpenOutcome & { kind: 'response' }
const methods = { put: 'PUT', get: 'GET', delete: 'DELETE' } as const

/**
 * Amazon wants the bucket in the host name, where its certificate allows that: not with dots in it. An endpoint that begins
 * with the name of the bucket has it there already; all others take it in the path.
 */
export function addressOf({ endpoint, region, bucket, prefix }: S3Place): string {
  const path = prefix === '' ? '' : `/${prefix}`
  if (endpoint === null) {
    const tld = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
    const host = `s3.${region}.${tld}`
    return bucket.includes('.') ? `https://${host}/${bucket}${path}` : `https://${bucket}.${host}${path}`
  }
  const base = endpoint.replace(/\/+$/, '')
  return new URL(base).hostname.startsWith(`${bucket}.`) ? `${base}${path}` : `${base}/${bucket}${path}`
}

function outcomeOf(failure: S3Failure): S3Outcome {
  if (failure.isMissing) return 'missing'
  if (failure.status === 503 || failure.status === 429) return 'throttled'
  return failure.status !== null && failure.status < 500 ? 'rejected' : 'failed'
}

/** As the store asks, but never so long that nobody waits for it any more. */
function pauseMs(number: number, { retryAfter }: S3Failure): number {
  const asked = retryAfterMs(retryAfter, 0) ?? 0
  const own = (pausesMs[number - 1] ?? 0) * (0.5 + Math.random() / 2)
  return Math.max(own, Math.min(asked, 3_000))
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= errorBytesMax) break
  }
  return Buffer.concat(chunks).toString('utf8')
}
