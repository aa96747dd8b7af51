import type { IncomingHttpHeaders } from 'node:http'

/** Enough to find a mistake, small enough to store for every attempt. */
export const responseBytesKept = 4_096
const headersKept = 30
const headerCharactersMax = 256

/** Text that any database stores: invalid UTF-8 and NUL become the replacement character. */
export function bodyExcerpt(body: Uint8Array): string | null {
  if (body.length === 0) return null
  return storable(Buffer.from(body).toString('utf8'))
}

/** Names and values of the answer, without what belongs to the receiver's own visitors. */
export function headerExcerpt(headers: IncomingHttpHeaders): string {
  const kept = Object.entries(headers)
    .filter(([name, value]) => value !== undefined && name !== 'set-cookie')
    .slice(0, headersKept)
    .map(([name, value]) => [storable(name), storable([value].flat().join(', ')).slice(0, headerCharactersMax)])
  return JSON.stringify(Object.fromEntries(kept))
}

function storable(text: string): string {
  if (text.isWellFormed() && !text.includes('\u0000')) return text
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD')
}
