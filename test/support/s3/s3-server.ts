import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readAuthorization, sha256, signatureOf } from './signature-v4.ts'

export const accessKeyId = 'AKIDPOSTERNTEST'
export const secretAccessKey = 'a-secret-that-must-never-be-seen'

/** What happens to a request instead of what it asks for. */
export type Fault =
  | { status: number; code?: string; headers?: Record<string, string>; body?: string }
  /** The connection ends when this many bytes of the request's body are there. */
  | { cutAfter: number }
  /** The response announces the whole object, and its connection ends after this many bytes. */
  | { sendOnly: number }
  /** No response at all. */
  | { silent: true }
  /** Done as asked, then this happens before the response. */
  | { after: () => void | Promise<void> }

export type S3Server = {
  readonly endpoint: string
  readonly objects: Map<string, Buffer>
  /** Method and path of every request, in order. */
  readonly requests: string[]
  /** The next requests with this method meet these, one each. */
  next(method: 'PUT' | 'GET' | 'DELETE', ...faults: Fault[]): void
  /** All requests meet it until null is set. */
  always(fault: Fault | null): void
  /** Of settings that reach it. */
  env(address?: string): Record<string, string>
  close(): Promise<void>
}

type Options = { now?: () => number; region?: string; bucket?: string; versioned?: boolean }

const skewMsMax = 15 * 60_000

/**
 * A store with one bucket, as strict as Amazon's: it takes no body of unknown length, none that differs from its signed hash, no
 * header of the protocol that isn't signed, and no signature that is not of its region and of this quarter of an hour.
 */
export async function startS3Server(options: Options = {}): Promise<S3Server> {
  const { bucket = 'files' } = options
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const faults = new Map<string, Fault[]>()
  let standing: Fault | null = null

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const fault = faults.get(request.method ?? '')?.shift() ?? standing
    void handle(request, response, fault, { ...options, bucket, objects }).catch(() => response.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    objects,
    requests,
    next: (method, ...more) => void faults.set(method, [...(faults.get(method) ?? []), ...more]),
    always(fault) {
      standing = fault
    },
    env: (address = `s3://${bucket}/media`) => ({
      POSTERN_MEDIA_STORE: address,
      POSTERN_MEDIA_STORE_ENDPOINT: endpoint,
      POSTERN_MEDIA_STORE_ACCESS_KEY_ID: accessKeyId,
      POSTERN_MEDIA_STORE_SECRET_ACCESS_KEY: secretAccessKey,
    }),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

type Shop = Options & { bucket: string; objects: Map<string, Buffer> }

async function handle(request: IncomingMessage, response: ServerResponse, fault: Fault | null, shop: Shop) {
  if (fault && 'silent' in fault) return
  const body: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    body.push(chunk)
    bytes += chunk.length
    if (fault && 'cutAfter' in fault && bytes >= fault.cutAfter) return request.destroy()
  }
  if (fault && 'cutAfter' in fault) return request.destroy()
  response.setHeader('date', new Date((shop.now ?? Date.now)()).toUTCString())
  if (fault && 'status' in fault) return refuse(response, fault)
  const refusal = refusalOf(request, Buffer.concat(body), shop)
  if (refusal) return refuse(response, refusal)
  const path = decodeURIComponent(request.url ?? '').split('/')
  if (path[1] !== shop.bucket) return refuse(response, { status: 404, code: 'NoSuchBucket' })
  const key = path.slice(2).join('/')
  const object = shop.objects.get(key)
  if (request.method === 'GET') {
    if (!object) return refuse(response, { status: 404, code: 'NoSuchKey' })
    response.writeHead(200, { 'content-length': object.length })
    if (fault && 'sendOnly' in fault)
      return response.write(object.subarray(0, fault.sendOnly), () => response.destroy())
    return response.end(object)
  }
  if (request.method === 'PUT') shop.objects.set(key, Buffer.concat(body))
  else shop.objects.delete(key)
  if (fault && 'after' in fault) await fault.after()
  if (shop.versioned) response.setHeader('x-amz-version-id', '3sL4kqtJlcpXroDTDmJ')
  response.writeHead(request.method === 'PUT' ? 200 : 204).end()
}

type Refusal = Extract<Fault, { status: number }>

function refusalOf(
  request: IncomingMessage,
  body: Buffer,
  { now = Date.now, region = 'us-east-1' }: Shop,
): Refusal | null {
  const headers = request.headers as Record<string, string | undefined>
  const authorization = readAuthorization(headers.authorization)
  if (!authorization) return { status: 403, code: 'AccessDenied' }
  if (authorization.accessKeyId !== accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' }
  if (authorization.region !== region) {
    const body = `<Error><Code>AuthorizationHeaderMalformed</Code><Region>${region}</Region></Error>`
    return { status: 400, body, headers: { 'x-amz-bucket-region': region } }
  }
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  const isSigned = needed.every((name) => authorization.signedHeaders.includes(name))
  if (!isSigned || !headers['x-amz-date'] || !headers['x-amz-content-sha256'])
    return { status: 403, code: 'AccessDenied' }
  const [, day = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(headers['x-amz-date']) ?? []
  const at = Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`)
  if (!(Math.abs(now() - at) <= skewMsMax)) return { status: 403, code: 'RequestTimeTooSkewed' }
  const signed = { method: request.method ?? '', target: request.url ?? '', headers }
  const isOurs =
    authorization.day === day && signatureOf(signed, authorization, secretAccessKey) === authorization.signature
  if (!isOurs) return { status: 403, code: 'SignatureDoesNotMatch' }
  if (request.method === 'PUT' && headers['content-length'] === undefined)
    return { status: 411, code: 'MissingContentLength' }
  if (headers['x-amz-content-sha256'] !== sha256(body)) return { status: 400, code: 'XAmzContentSHA256Mismatch' }
  return null
}

function refuse(response: ServerResponse, { status, code, headers = {}, body }: Refusal) {
  const text =
    body ?? `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text)
}
