/** The file types that the channel accepts, detected by the first bytes. 1 MB is 1,048,576 bytes, 1 KB 1,024. */
export type MediaKind = 'image' | 'document' | 'audio' | 'video' | 'sticker'

export type MediaType = {
  readonly mimeType: string
  readonly kind: MediaKind
  readonly bytesMax: number
  readonly extension: string
  /** Endings of names that files of this type have. */
  readonly endings: readonly string[]
}

const kilobyte = 1_024
const megabyte = 1_048_576

/** The largest file of each kind; a sticker that does not move may only have 100 KB. */
export const kindBytesMax: Record<MediaKind, number> = {
  image: 5 * megabyte,
  document: 100 * megabyte,
  audio: 16 * megabyte,
  video: 16 * megabyte,
  sticker: 500 * kilobyte,
}

/** No file of any kind is larger. */
export const fileBytesMax = kindBytesMax.document

const openXml = 'application/vnd.openxmlformats-officedocument.'

const types = {
  jpeg: mediaType('image/jpeg', 'image', 'jpg', 'jpeg'),
  png: mediaType('image/png', 'image', 'png'),
  pdf: mediaType('application/pdf', 'document', 'pdf'),
  text: mediaType('text/plain', 'document', 'txt', 'text'),
  doc: mediaType('application/msword', 'document', 'doc'),
  xls: mediaType('application/vnd.ms-excel', 'document', 'xls'),
  ppt: mediaType('application/vnd.ms-powerpoint', 'document', 'ppt'),
  docx: mediaType(`${openXml}wordprocessingml.document`, 'document', 'docx'),
  xlsx: mediaType(`${openXml}spreadsheetml.sheet`, 'document', 'xlsx'),
  pptx: mediaType(`${openXml}presentationml.presentation`, 'document', 'pptx'),
  aac: mediaType('audio/aac', 'audio', 'aac'),
  amr: mediaType('audio/amr', 'audio', 'amr'),
  mp3: mediaType('audio/mpeg', 'audio', 'mp3'),
  m4a: mediaType('audio/mp4', 'audio', 'm4a'),
  ogg: mediaType('audio/ogg', 'audio', 'ogg', 'oga', 'opus'),
  mp4: mediaType('video/mp4', 'video', 'mp4', 'm4v'),
  '3gp': mediaType('video/3gpp', 'video', '3gp', '3gpp'),
  sticker: { ...mediaType('image/webp', 'sticker', 'webp'), bytesMax: 100 * kilobyte },
  animatedSticker: mediaType('image/webp', 'sticker', 'webp'),
} as const

export const mediaTypes: typeof types = types

/** Other names that clients and servers have for the same formats. */
const aliases: Record<string, MediaType> = {
  'image/jpg': types.jpeg,
  'image/pjpeg': types.jpeg,
  'image/x-png': types.png,
  'application/x-pdf': types.pdf,
  'application/vnd.msword': types.doc,
  'application/msexcel': types.xls,
  'application/mspowerpoint': types.ppt,
  'audio/aacp': types.aac,
  'audio/x-aac': types.aac,
  'audio/x-hx-aac-adts': types.aac,
  'audio/mp3': types.mp3,
  'audio/x-mp3': types.mp3,
  'audio/mpeg3': types.mp3,
  'audio/m4a': types.m4a,
  'audio/x-m4a': types.m4a,
  'application/ogg': types.ogg,
  'audio/opus': types.ogg,
  'video/x-m4v': types.mp4,
  'application/mp4': types.mp4,
  'video/3gp': types['3gp'],
}

/** The type behind a declared name; null when it is none of ours. */
export function typeNamed(declared: string): MediaType | null {
  const name = bareMime(declared)
  return Object.values(types).find(({ mimeType }) => mimeType === name) ?? aliases[name] ?? null
}

/** Whether names of one of our types end like this. */
export function isKnownEnding(ending: string): boolean {
  return Object.values(types).some(({ endings }) => endings.includes(ending))
}

/** `audio/ogg; codecs=opus` is `audio/ogg`. */
export function bareMime(text: string): string {
  return (text.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** A limit as people read it. */
export function sizeText(bytes: number): string {
  return bytes < megabyte ? `${bytes / kilobyte} KB` : `${bytes / megabyte} MB`
}

function mediaType(mimeType: string, kind: MediaKind, extension: string, ...others: string[]): MediaType {
  return { mimeType, kind, bytesMax: kindBytesMax[kind], extension, endings: [extension, ...others] }
}
