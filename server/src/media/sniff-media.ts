import { type MediaType, mediaTypes } from './media-kinds.ts'

/** A PDF may begin with something else, but its mark stands within the first 1024 bytes. */
export const headBytes = 1_024

/** What a file is by its first bytes; never by its name, and never by what somebody calls it. */
export async function sniffMedia(head: Uint8Array): Promise<MediaType | null> {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return mediaTypes.jpeg
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return mediaTypes.png
  // WhatsApp plays Opus only; Vorbis would be accepted and fail at the customer.
  if (bytes.toString('latin1', 0, 4) === 'OggS') return bytes.includes('OpusHead', 0, 'latin1') ? mediaTypes.ogg : null
  if (bytes.toString('latin1', 0, 3) === 'ID3' || isMp3Frame(bytes)) return mediaTypes.mp3
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return (await isFilm(bytes)) ? mediaTypes.mp4 : null
  return bytes.subarray(0, headBytes).includes('%PDF-', 0, 'latin1') ? mediaTypes.pdf : null
}

/** The usual name of a format we do not take, so that the refusal can say what was sent. */
export async function nameOfFormat(head: Uint8Array): Promise<string | null> {
  return (await mimeOf(head)) ?? null
}

/**
 * Eleven set bits, then a version, layer III, a bit rate and a sampling rate that exist. Only layer III is MP3, and the
 * other layers would let UTF-16 text pass, which begins with FF FE.
 */
function isMp3Frame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes
  const version = (second >> 3) & 0b11
  const layer = (second >> 1) & 0b11
  const isFrame = first === 0xff && second >> 5 === 0b111 && version !== 0b01 && layer === 0b01
  return isFrame && third >> 4 !== 0b1111 && ((third >> 2) & 0b11) !== 0b11
}

/** Still pictures, sound and QuickTime films share the container of MP4. */
async function isFilm(bytes: Uint8Array): Promise<boolean> {
  const name = (await mimeOf(bytes)) ?? 'video/mp4'
  return name === 'video/mp4' || name === 'video/x-m4v'
}

/** The library is loaded by the first file that needs it: it would take 40 ms and 8 MB of every start. */
async function mimeOf(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(bytes))?.mime
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte)
}
