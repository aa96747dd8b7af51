import type { IncomingHttpHeaders } from 'node:http'

/** Maximum clock skew of a store before it rejects signatures: 15 minutes by the protocol. */
const clockCodes = new Set(['RequestTimeTooSkewed', 'RequestExpired'])

/** Why a request was not carried out. Holds nothing of the request: neither keys nor signature. */
export class S3Failure extends Error {
  override readonly name = 'S3Failure'
  /** Of the response; null without one. */
  readonly status: number | null
  /** The store's own word, such as `AccessDenied` or `SlowDown`; of the connection where there was no response. */
  readonly code: string
  /** The bucket's real region, if the store reports another one. */
  readonly region: string | null
  readonly retryAfter: string | undefined
  /** The store's time, when that is why it rejected the signature. */
  readonly storeTime: number | null

  constructor(parts: Partial<Omit<S3Failure, keyof Error>> & { code: string; message: string }) {
    super(parts.message)
    this.status = parts.status ?? null
    this.code = parts.code
    this.region = parts.region ?? null
    this.retryAfter = parts.retryAfter
    this.storeTime = parts.storeTime ?? null
  }

  get isMissing(): boolean {
    return this.status === 404 && this.code !== 'NoSuchBucket'
  }

  /** No response, or one that says later. A full disk (507) and what is not implemented (501) stay as they are. */
  get mayPass(): boolean {
    const { status } = this
    if (status === null) return this.code !== 'blocked_address' && this.code !== 'tls_error'
    return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 507)
  }
}

/** A response that is no success. The body is XML of the protocol, of a proxy in between, or nothing. */
export function failureOf(status: number, headers: IncomingHttpHeaders, body: string): S3Failure {
  const code = elementOf(body, 'Code') ?? `HTTP ${status}`
  const named = headers['x-amz-bucket-region']
  const region = (Array.isArray(named) ? named[0] : named) ?? elementOf(body, 'Region')
  const isClock = clockCodes.has(code) || (status === 403 && /time/i.test(code))
  const time = Date.parse(String(headers.date ?? ''))
  const retryAfter = headers['retry-after']
  return new S3Failure({
    message: `The store responded with ${code}${code.startsWith('HTTP') ? '' : ` (${status})`}.`,
    status,
    code,
    region: region ?? null,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    storeTime: isClock && !Number.isNaN(time) ? time : null,
  })
}

/** Short, and of harmless characters: it ends in a log. */
function elementOf(xml: string, name: string): string | null {
  return new RegExp(`<${name}>([\\w.-]{1,80})</${name}>`).exec(xml)?.[1] ?? null
}
