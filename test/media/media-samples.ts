export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

export const bytesOf = (...values: (number | string)[]) =>
  Buffer.concat(
    values.map((value) => (typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value, 'latin1'))),
  )

/** The beginning of a file in the container of MP4. */
export const container = (brand: string) => bytesOf(0, 0, 0, 0x18, 'ftyp', brand, 0, 0, 0, 0, 'isomiso2')

/** A ZIP of these parts, as far as its first bytes go. `streamed` leaves their lengths out, as Java's writers do. */
export function zipOf(names: readonly string[], { streamed = false, content = '<xml/>' } = {}): Buffer {
  const parts = names.map((name) => {
    const header = Buffer.alloc(30)
    header.write('PK\x03\x04', 'latin1')
    header.writeUInt16LE(streamed ? 8 : 0, 6)
    header.writeUInt32LE(streamed ? 0 : content.length, 18)
    header.writeUInt16LE(name.length, 26)
    return Buffer.concat([header, Buffer.from(name + content, 'latin1')])
  })
  return Buffer.concat(parts)
}

/** A file of Office up to 2003: its header, then the beginning of its first stream. */
export function compoundOf(...stream: (number | string)[]): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(header)
  return Buffer.concat([header, bytesOf(...stream), Buffer.alloc(600)])
}

export function webpOf({ animated = false, width = 512, height = 512, bytes = 64 } = {}): Buffer {
  const file = Buffer.alloc(bytes)
  file.write('RIFF\0\0\0\0WEBPVP8X', 'latin1')
  file[20] = animated ? 2 : 0
  file.writeUIntLE(width - 1, 24, 3)
  file.writeUIntLE(height - 1, 27, 3)
  return file
}

const openXml = 'application/vnd.openxmlformats-officedocument.'
const packageStart = ['[Content_Types].xml', '_rels/.rels']

export type Sample = {
  name: string
  kind: 'image' | 'document' | 'audio' | 'video' | 'sticker'
  mime: string
  file: Buffer
}

const sample = (kind: Sample['kind'], name: string, mime: string, file: Buffer): Sample => ({ kind, name, mime, file })

/** One file of every type that WhatsApp takes, as small as a type check accepts. */
export const samples: readonly Sample[] = [
  sample('image', 'photo.jpg', 'image/jpeg', bytesOf(0xff, 0xd8, 0xff, 0xe0, 'rest')),
  sample('image', 'photo.png', 'image/png', png),
  sample('document', 'bill.pdf', 'application/pdf', pdf),
  sample('document', 'notes.txt', 'text/plain', Buffer.from('Grüße,\n\tfive o’clock 🕔\r\n')),
  sample('document', 'letter.doc', 'application/msword', compoundOf(0xec, 0xa5, 0xc1, 0)),
  sample('document', 'sums.xls', 'application/vnd.ms-excel', compoundOf(9, 8, 0x10, 0, 0, 6, 5, 0)),
  sample('document', 'talk.ppt', 'application/vnd.ms-powerpoint', compoundOf(0x0f, 0, 0xe8, 3)),
  sample(
    'document',
    'letter.docx',
    `${openXml}wordprocessingml.document`,
    zipOf([...packageStart, 'word/document.xml']),
  ),
  sample('document', 'sums.xlsx', `${openXml}spreadsheetml.sheet`, zipOf([...packageStart, 'xl/workbook.xml'])),
  sample(
    'document',
    'talk.pptx',
    `${openXml}presentationml.presentation`,
    zipOf([...packageStart, 'ppt/presentation.xml']),
  ),
  sample('audio', 'song.aac', 'audio/aac', bytesOf(0xff, 0xf1, 0x50, 0x80)),
  sample('audio', 'memo.amr', 'audio/amr', bytesOf('#!AMR\n', 0x3c)),
  sample('audio', 'song.mp3', 'audio/mpeg', bytesOf('ID3', 4, 0, 0)),
  sample('audio', 'memo.m4a', 'audio/mp4', container('M4A ')),
  sample('audio', 'memo.ogg', 'audio/ogg', bytesOf('OggS', 0, 2, ' '.repeat(22), 'OpusHead')),
  sample('video', 'film.mp4', 'video/mp4', container('isom')),
  sample('video', 'film.3gp', 'video/3gpp', container('3gp5')),
  sample('sticker', 'wave.webp', 'image/webp', webpOf()),
]
