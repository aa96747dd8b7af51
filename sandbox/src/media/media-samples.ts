import { createHash } from 'node:crypto'
import type { Json } from '../http/json.ts'
import { numericId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { PhoneNumber } from '../world.ts'
import { mediaLink } from './media-link.ts'

/** Media ids that arrive in callbacks live 7 days; those of uploads 30. */
const INBOUND_MEDIA_MS = 7 * 24 * 3_600_000

type Given = { data_base64?: string; mime_type?: string; filename?: string; caption?: string }

/** Stores the bytes of an inbound media message and returns the node that announces them. */
export function keepSample(platform: Platform, number: PhoneNumber, type: string, given: Given): Json {
  const sample = SAMPLES[type] ?? { mimeType: 'application/octet-stream', base64: '' }
  const bytes = Buffer.from(given.data_base64 ?? sample.base64, 'base64')
  const id = numericId()
  const mimeType = given.mime_type ?? sample.mimeType
  const sha256 = createHash('sha256').update(bytes).digest('base64')
  const filename = given.filename ?? (type === 'document' ? 'sample.pdf' : null)
  platform.media.write(id, bytes)
  platform.world.media.set(id, {
    id,
    wabaId: number.wabaId,
    numberId: number.id,
    mimeType,
    filename,
    sizeBytes: bytes.length,
    sha256,
    expiresAtMs: platform.clock.now() + INBOUND_MEDIA_MS,
  })
  const node: Json = { id, mime_type: mimeType, sha256, url: mediaLink(platform, id) }
  if (filename !== null && type === 'document') node.filename = filename
  if (given.caption !== undefined) node.caption = given.caption
  if (type === 'audio') node.voice = true
  if (type === 'sticker') node.animated = false
  return node
}

/** The smallest files a type check accepts. */
const SAMPLES: Record<string, { mimeType: string; base64: string }> = {
  image: {
    mimeType: 'image/png',
    base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
  sticker: { mimeType: 'image/webp', base64: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==' },
  video: { mimeType: 'video/mp4', base64: 'AAAAGGZ0eXBpc29tAAAAAGlzb21pc28yAAAACG1kYXQ=' },
  audio: {
    mimeType: 'audio/ogg; codecs=opus',
    base64: 'T2dnUwACAAAAAAAAAAAAAAAAAAAAAAAAAAABE09wdXNIZWFkAQE4AYA+AAAAAAA=',
  },
  document: {
    mimeType: 'application/pdf',
    base64: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n').toString('base64'),
  },
}
