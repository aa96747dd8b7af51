import { createHmac, randomBytes } from 'node:crypto'
import type { Platform } from '../platform.ts'

export const LINK_MS = 5 * 60_000

// Links live five minutes, so a key that changes with every start loses nothing.
const key = randomBytes(32)

/** A download address that works for five minutes, and only with a token. */
export function mediaLink(platform: Platform, id: string, baseUrl = platform.baseUrl()): string {
  const expires = Math.floor((platform.clock.now() + LINK_MS) / 1000)
  return `${baseUrl}/whatsapp_business/attachments/?mid=${id}&source=getMedia&ext=${expires}&hash=${seal(id, expires)}`
}

/** The media id of a genuine link that has not expired, or null. */
export function readMediaLink(platform: Platform, query: URLSearchParams): string | null {
  const id = query.get('mid') ?? ''
  const expires = Number(query.get('ext'))
  if (query.get('hash') !== seal(id, expires) || expires * 1000 <= platform.clock.now()) return null
  return id
}

function seal(id: string, expires: number): string {
  return createHmac('sha256', key).update(`${id}.${expires}`).digest('base64url').slice(0, 32)
}
