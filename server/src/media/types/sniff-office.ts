import { type MediaType, mediaTypes } from './media-kinds.ts'

const { doc, xls, ppt, docx, xlsx, pptx } = mediaTypes

/** The types of Office that a file can be by its first bytes: one, none, or three when they do not say which. */
export function sniffOffice(bytes: Buffer): readonly MediaType[] {
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
