import type { IncomingHttpHeaders } from 'node:http'

/** Enough to find a mistake, small enough to store for every attempt. */
export const responseBytesKept = 4_096
const headersKept = 30
const headerNameCharactersMax = 64
const headerCharactersMax = 256

/**
 * Text that any database stores: invalid UTF-8 and NUL become the replacement character. That takes three bytes for one,
 * so the limit is applied to what comes out.
 */
export function bodyExcerpt(body: Uint8Array): string | null {
  if (body.length === 0) return null
  return cut(storable(asBuffer(body).toString('utf8')), responseBytesKept)
}

/**
 * Names and values of the answer as JSON, without what belongs to the receiver's own visitors. A header that does not
 * fit any more is left out; smaller ones after it may still be kept.
 */
export function headerExcerpt(headers: IncomingHttpHeaders): string {
  const kept = new Set<string>()
  let members = ''
  let bytes = '{}'.length
  for (const name of Object.keys(headers)) {
    if (kept.size === headersKept) break
    const value = headers[name]
    if (value === undefined || name === 'set-cookie') continue
    const key = storable(name.slice(0, headerNameCharactersMax))
    if (kept.has(key)) continue
    const text = storable((Array.isArray(value) ? value.join(', ') : value).slice(0, headerCharactersMax))
    const member = `${JSON.stringify(key)}:${JSON.stringify(text)}`
    const added = Buffer.byteLength(member) + ','.length
    if (bytes + added > responseBytesKept) continue
    bytes += added
    kept.add(key)
    members += members === '' ? member : `,${member}`
  }
  return `{${members}}`
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** As many whole characters as fit. */
function cut(text: string, bytesMax: number): string {
  // No character of a string takes more than three bytes. Nearly every response fits, and is not encoded to find out.
  if (text.length * 3 <= bytesMax) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax))
  return text.slice(0, read)
}

function storable(text: string): string {
  if (text.isWellFormed() && !text.includes('\u0000')) return text
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD')
}
