/** What the channel takes, told from the first bytes of a file. 1 MB is 1,048,576 bytes. */
export type MediaKind = 'image' | 'document' | 'audio' | 'video'

export type MediaType = {
  readonly mimeType: string
  readonly kind: MediaKind
  readonly bytesMax: number
  readonly extension: string
  /** Endings of names that files of this type have. */
  readonly endings: readonly string[]
}

const megabyte = 1_048_576

export const kindBytesMax: Record<MediaKind, number> = {
  image: 5 * megabyte,
  document: 100 * megabyte,
  audio: 16 * megabyte,
  video: 16 * megabyte,
}

/** No file of any kind is larger. */
export const fileBytesMax = kindBytesMax.document

const types = {
  jpeg: mediaType('image/jpeg', 'image', 'jpg', 'jpeg'),
  png: mediaType('image/png', 'image', 'png'),
  pdf: mediaType('application/pdf', 'document', 'pdf'),
  mp3: mediaType('audio/mpeg', 'audio', 'mp3'),
  ogg: mediaType('audio/ogg', 'audio', 'ogg', 'oga', 'opus'),
  mp4: mediaType('video/mp4', 'video', 'mp4', 'm4v'),
} as const

export const mediaTypes: typeof types = types

/** Other names that clients and servers have for the same formats. */
const aliases: Record<string, MediaType> = {
  'image/jpg': types.jpeg,
  'image/pjpeg': types.jpeg,
  'image/x-png': types.png,
  'application/x-pdf': types.pdf,
  'audio/mp3': types.mp3,
  'audio/x-mp3': types.mp3,
  'audio/mpeg3': types.mp3,
  'application/ogg': types.ogg,
  'audio/opus': types.ogg,
  'video/x-m4v': types.mp4,
  'application/mp4': types.mp4,
}

/** The type behind a declared name; null when it is none of ours. */
export function typeNamed(declared: string): MediaType | null {
  const name = bareMime(declared)
  return Object.values(types).find(({ mimeType }) => mimeType === name) ?? aliases[name] ?? null
}

/** `audio/ogg; codecs=opus` is `audio/ogg`. */
export function bareMime(text: string): string {
  return (text.split(';', 1)[0] ?? '').trim().toLowerCase()
}

export function megabytes(bytes: number): number {
  return bytes / megabyte
}

function mediaType(mimeType: string, kind: MediaKind, extension: string, ...others: string[]): MediaType {
  return { mimeType, kind, bytesMax: kindBytesMax[kind], extension, endings: [extension, ...others] }
}
