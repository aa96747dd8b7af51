import { readFileSync } from 'node:fs'
import { isRecord, type Json, text } from '../http/json.ts'
import type { Platform } from '../platform.ts'

/**
 * Whether the bytes of a file can be what its type says. The platform takes the upload either way and fails the message
 * later with 131053. Looked for: the signature of images, the size of stickers that do not move, Opus inside
 * Ogg, and H.264 wherever an MP4 or 3GP names its codec.
 */
export function isUsable(path: string, mimeType: string): boolean {
  const check = CHECKS[mimeType]
  return check === undefined || check(readFileSync(path))
}

const VIDEO_CODECS = ['hvc1', 'hev1', 'vp08', 'vp09', 'av01', 'mp4v', 's263']

const CHECKS: Record<string, (bytes: Buffer) => boolean> = {
  'image/jpeg': (bytes) => bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xd8])) || isPng(bytes),
  // The platform looks at the bytes: a JPEG called PNG, and the other way round, goes through.
  'image/png': (bytes) => isPng(bytes) || bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xd8])),
  'audio/ogg': (bytes) => bytes.subarray(0, 4).equals(Buffer.from('OggS')) && bytes.includes('OpusHead'),
  'video/mp4': holdsH264,
  'video/3gpp': holdsH264,
  'video/3gp': holdsH264,
  'image/webp': isSticker,
}

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(1, 4).equals(Buffer.from('PNG'))
}

const STATIC_STICKER_BYTES_MAX = 100 * 1024

/** The second bit at byte 20 of an extended WebP says that it moves. */
function isSticker(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return false
  const moves = bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0
  return moves || bytes.length <= STATIC_STICKER_BYTES_MAX
}

function holdsH264(bytes: Buffer): boolean {
  if (!bytes.subarray(4, 8).equals(Buffer.from('ftyp'))) return false
  return bytes.includes('avc1') || !VIDEO_CODECS.some((codec) => bytes.includes(codec))
}

/** A send with an uploaded file that its receiver could not open. */
export function carriesUnusableMedia({ world }: Platform, body: Json): boolean {
  const content = body[text(body.type) ?? 'text']
  const id = isRecord(content) ? text(content.id) : undefined
  return id !== undefined && world.media.get(id)?.unusable === true
}
