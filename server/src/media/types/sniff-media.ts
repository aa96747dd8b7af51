import { isPlainText } from './inspect-content.ts'
import { type MediaKind, type MediaType, mediaTypes, typeNamed } from './media-kinds.ts'

/** Enough to find the first parts of an Office document, which tell Word, Excel and PowerPoint apart. */
export const headBytes = 16_384

/** A PDF may begin with something else, but its mark stands within the first 1024 bytes. */
const pdfMarkBytes = 1_024

/** The type of a file by its first bytes. */
export type Sniffed = {
  /** The type unless the caller declares another one; null if the bytes alone are ambiguous. */
  likely: MediaType | null
  /** The possible types: formats that share a container, and text, which has no signature. */
  possible: readonly MediaType[]
}

/** Never by the name of the file. */
export async function sniffMedia(head: Uint8Array): Promise<Sniffed> {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const marked = markedType(bytes)
  if (marked) return { likely: marked, possible: [marked] }
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return sniffContainer(bytes)
  const office = sniffOffice(bytes)
  if (office.length === 1) return { likely: office[0] ?? null, possible: office }
  if (office.length > 1) return { likely: null, possible: office }
  return { likely: null, possible: isPlainText(bytes) ? [mediaTypes.text] : [] }
}

/**
 * The type of a file: what it is declared as where its bytes allow that, else what they say. A container for films and
 * sound holds what the kind asks for.
 */
export function chooseType(
  { likely, possible }: Sniffed,
  declared: string,
  kind: MediaKind | undefined = typeNamed(declared)?.kind,
): MediaType | null {
  const named = typeNamed(declared)
  if (named && possible.includes(named)) return named
  return likely && (possible.find((type) => type.kind === kind) ?? likely)
}

/** The usual name of a format we do not take, so that the refusal can say what was sent. */
export async function nameOfFormat(head: Uint8Array): Promise<string | null> {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  // The container alone would have the name of a format we take.
  if (text.startsWith('OggS')) return `audio/ogg with ${oggCodec(text)}; WhatsApp accepts Opus only`
  if (text.startsWith('#!AMR-WB')) return 'audio/amr-wb; WhatsApp accepts narrow-band AMR only'
  return (await mimeOf(head)) ?? null
}

function oggCodec(text: string): string {
  const codecs = { vorbis: 'Vorbis', Speex: 'Speex', FLAC: 'FLAC', theora: 'Theora' }
  return Object.entries(codecs).find(([mark]) => text.includes(mark))?.[1] ?? 'another codec'
}

function markedType(bytes: Buffer): MediaType | null {
  const begins = (mark: string) => bytes.toString('latin1', 0, mark.length) === mark
  if (begins('\xff\xd8\xff')) return mediaTypes.jpeg
  if (begins('\x89PNG\r\n\x1a\n')) return mediaTypes.png
  if (begins('RIFF') && bytes.toString('latin1', 8, 12) === 'WEBP') return stickerType(bytes)
  // WhatsApp plays Opus only; Vorbis would be accepted and fail at the customer.
  if (begins('OggS')) return bytes.includes('OpusHead', 0, 'latin1') ? mediaTypes.ogg : null
  // The wide-band variant begins with `#!AMR-WB` and is not taken.
  if (begins('#!AMR\n')) return mediaTypes.amr
  if (begins('ID3') || isMp3Frame(bytes)) return mediaTypes.mp3
  if (begins('ADIF') || isAacFrame(bytes)) return mediaTypes.aac
  return bytes.subarray(0, pdfMarkBytes).includes('%PDF-', 0, 'latin1') ? mediaTypes.pdf : null
}

/** The extended header of a WebP says at byte 20 whether it moves. */
function stickerType(bytes: Buffer): MediaType {
  const moves = bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 0b10) !== 0
  return moves ? mediaTypes.animatedSticker : mediaTypes.sticker
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

/** An ADTS header: twelve set bits, layer 0, and a sampling rate that exists. */
function isAacFrame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes
  return first === 0xff && (second & 0b1111_0110) === 0b1111_0000 && ((third >> 2) & 0b1111) <= 12
}

/**
 * Films, sound and still pictures share the container of MP4. Phones record sound under the brands of films, so such a
 * file is sound if the caller declares it.
 */
async function sniffContainer(bytes: Uint8Array): Promise<Sniffed> {
  switch ((await mimeOf(bytes)) ?? 'video/mp4') {
    case 'video/mp4':
    case 'video/x-m4v':
      return { likely: mediaTypes.mp4, possible: [mediaTypes.mp4, mediaTypes.m4a] }
    case 'audio/mp4':
    case 'audio/x-m4a':
      return { likely: mediaTypes.m4a, possible: [mediaTypes.m4a] }
    case 'video/3gpp':
      return { likely: mediaTypes['3gp'], possible: [mediaTypes['3gp']] }
    default:
      return { likely: null, possible: [] }
  }
}

/** The library is loaded by the first file that needs it: it would take 40 ms and 8 MB of every start. */
async function mimeOf(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(bytes))?.mime
}

const { doc, xls, ppt, docx, xlsx, pptx } = mediaTypes

/** The types of Office that a file can be by its first bytes: one, none, or three when they do not say which. */
function sniffOffice(bytes: Buffer): readonly MediaType[] {
  if (bytes.subarray(0, compoundMark.length).equals(compoundMark)) return sniffCompound(bytes)
  return bytes.toString('latin1', 0, 4) === 'PK\x03\x04' ? sniffPackage(bytes) : []
}

/** Files of Office up to 2003 are small file systems; other programs use them too. */
const compoundMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

/** The names of their streams, in the directory; it stands anywhere, often behind the first bytes. */
const streams: readonly [string, MediaType][] = [
  ['WordDocument', doc],
  ['Workbook', xls],
  ['PowerPoint Document', ppt],
]

/** How the first stream begins, which usually is the document itself: FIB of Word, BOF of Excel, records of PowerPoint. */
const firstStreams: readonly [number[], MediaType][] = [
  [[0xec, 0xa5], doc],
  [[0x09, 0x08, 0x10, 0x00, 0x00, 0x06], xls],
  [[0x00, 0x6e, 0x1e, 0xf0], ppt],
  [[0x0f, 0x00, 0xe8, 0x03], ppt],
  [[0xa0, 0x46, 0x1d, 0xf0], ppt],
]
const firstStreamAt = 512

function sniffCompound(bytes: Buffer): readonly MediaType[] {
  const named = streams.find(([name]) => bytes.includes(name, 0, 'utf16le'))
  const begun = firstStreams.find(([mark]) => mark.every((byte, index) => bytes[firstStreamAt + index] === byte))
  const found = named ?? begun
  return found ? [found[1]] : [doc, xls, ppt]
}

const folders: readonly [string, MediaType][] = [
  ['word/', docx],
  ['xl/', xlsx],
  ['ppt/', pptx],
]

/** What the packages of Office begin with; any other ZIP is none of ours. */
const firstParts = ['[Content_Types].xml', '_rels/', 'docProps/', 'customXml/']

/** Newer files are ZIPs. The folder of the first part that has one tells the program. */
function sniffPackage(bytes: Buffer): readonly MediaType[] {
  const names = partNames(bytes)
  const [first = ''] = names
  if (![...firstParts, ...folders.map(([folder]) => folder)].some((start) => first.startsWith(start))) return []
  for (const name of names) {
    const found = folders.find(([folder]) => name.startsWith(folder))
    if (found) return [found[1]]
  }
  return [docx, xlsx, pptx]
}

const nameLengthAt = 26
const nameAt = 30

/** Their headers are searched for: packages that were written as a stream do not say how long a part is. */
function partNames(bytes: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at >= 0 && at + nameAt <= bytes.length; at = bytes.indexOf('PK\x03\x04', at + 4, 'latin1')) {
    const length = bytes.readUInt16LE(at + nameLengthAt)
    names.push(bytes.toString('latin1', at + nameAt, at + nameAt + length))
  }
  return names
}
