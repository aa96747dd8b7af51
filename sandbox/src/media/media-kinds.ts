export type MediaKind = 'audio' | 'document' | 'image' | 'sticker' | 'video'

const MB = 1024 * 1024

const MIME_TYPES: Record<MediaKind, string[]> = {
  audio: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
  document: [
    'text/plain',
    'application/pdf',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  image: ['image/jpeg', 'image/png'],
  // Animated stickers may weigh 500 KB; static ones above 100 KB fail later (codecs.ts).
  sticker: ['image/webp'],
  video: ['video/mp4', 'video/3gpp', 'video/3gp'],
}

const BYTES_MAX: Record<MediaKind, number> = {
  audio: 16 * MB,
  document: 100 * MB,
  image: 5 * MB,
  sticker: 500 * 1024,
  video: 16 * MB,
}

export const UPLOAD_BYTES_MAX = 100 * MB

export const ACCEPTED_MIME_TYPES = Object.values(MIME_TYPES).flat()

/** A MIME type may carry parameters: `audio/ogg; codecs=opus`. */
export function bareMime(mime: string): string {
  return (mime.split(';')[0] ?? '').trim().toLowerCase()
}

export function kindOfMime(mime: string): MediaKind | null {
  const bare = bareMime(mime)
  for (const kind of Object.keys(MIME_TYPES) as MediaKind[]) if (MIME_TYPES[kind].includes(bare)) return kind
  return null
}

export function bytesMaxOf(kind: MediaKind): number {
  return BYTES_MAX[kind]
}
