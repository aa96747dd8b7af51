import { createHash, createHmac } from 'node:crypto'

/** Signature version 4 as its specification has it, for a server that checks it: written without the client's library. */
export type SignedRequest = {
  method: string
  /** As it stood in the request line. */
  target: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
}

export type Credential = { accessKeyId: string; day: string; region: string; service: string }
export type Authorization = Credential & { signedHeaders: readonly string[]; signature: string }

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/

export function readAuthorization(header: string | undefined): Authorization | null {
  const found = form.exec(header ?? '')
  if (!found) return null
  const [, accessKeyId = '', day = '', region = '', service = '', names = '', signature = ''] = found
  return { accessKeyId, day, region, service, signedHeaders: names.split(';'), signature }
}

export function signatureOf(
  request: SignedRequest,
  { day, region, service, signedHeaders }: Authorization,
  secret: string,
) {
  const { method, target, headers } = request
  const [path = '', query = ''] = target.split('?', 2)
  const parameters = query === '' ? [] : query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`))
  const canonical = [
    method,
    path.split('/').map(reencoded).join('/'),
    parameters.sort().join('&'),
    ...signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    headers['x-amz-content-sha256'] ?? '',
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'] ?? '', scope, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(
    (above, part) => hmac(above, part),
    `AWS4${secret}`,
  )
  return hmac(key, text).toString('hex')
}

/** Everything but letters, digits and -._~ is written as %XX. */
function reencoded(part: string): string {
  return encodeURIComponent(decodeURIComponent(part)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
