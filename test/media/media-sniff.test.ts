import { describe, expect, test } from 'vitest'
import { createPixelCounter } from '../../server/src/media/types/inspect-content.ts'
import { type MediaKind, typeNamed } from '../../server/src/media/types/media-kinds.ts'
import { chooseType, nameOfFormat, sniffMedia } from '../../server/src/media/types/sniff-media.ts'
import { attachment, cleanFilename, filenameOr } from '../../server/src/media/upload-media.ts'
import { bytesOf, compoundOf, container, png, samples, webpOf, zipOf } from './media-samples.ts'

const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1')

const bytes = bytesOf
const sniff = async (head: Buffer, declared = '', kind?: MediaKind) =>
  chooseType(await sniffMedia(head), declared, kind)?.mimeType ?? null

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

describe('the type of a file', () => {
  test.each(samples)('$name is $mime', async ({ file, mime, kind }) => {
    const found = chooseType(await sniffMedia(file), mime)
    expect([found?.mimeType, found?.kind]).toEqual([mime, kind])
  })

  test.each(samples.filter(({ mime }) => mime !== 'text/plain'))(
    '$name is known by its bytes alone',
    async ({ file, mime }) => expect(await sniff(file)).toBe(mime),
  )

  const known: [string, Buffer, string][] = [
    ['a PDF whose mark ends at byte 1024', bytes(' '.repeat(1_019), '%PDF-'), 'application/pdf'],
    ['an MP3 that begins with a frame', bytes(0xff, 0xfb, 0x90, 0x64), 'audio/mpeg'],
    ['AAC with a header of its own', bytes('ADIF', 0, 0), 'audio/aac'],
    ['a WebP without an extended header', bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8 '), 'image/webp'],
    ['a Word document that begins with its text', zipOf(['word/document.xml', '[Content_Types].xml']), word],
    ['a workbook that was written as a stream', zipOf(['docProps/app.xml', 'xl/a.xml'], { streamed: true }), excel],
    [
      'a Word document whose parts are long',
      zipOf(['[Content_Types].xml', '_rels/.rels', 'word/document.xml'], { content: 'x'.repeat(5_000) }),
      word,
    ],
    [
      'an old workbook told by its directory',
      compoundOf(' '.repeat(100), utf16('Workbook')),
      'application/vnd.ms-excel',
    ],
  ]
  test.each(known)('%s is known by its bytes', async (_, head, mimeType) => {
    expect(await sniff(head)).toBe(mimeType)
  })

  const foreign: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['UTF-16 text', bytes(0xff, 0xfe, 'h', 0, 'i', 0)],
    ['text with a control character', bytes('hello\x1b[0m')],
    ['text that is not UTF-8', bytes('Gr\xfc\xdfe')],
    ['a frame with a bit rate that does not exist', bytes(0xff, 0xfb, 0xf0, 0x64)],
    ['AAC with a sampling rate that does not exist', bytes(0xff, 0xf1, 0x7c, 0x80)],
    ['wide-band AMR', bytes('#!AMR-WB\n', 0x04, 0)],
    ['a HEIC picture', container('heic')],
    ['an AVIF picture', container('avif')],
    ['a QuickTime film', container('qt  ')],
    ['a 3GPP2 film', container('3g2a')],
    ['a GIF', bytes('GIF89a', 0)],
    ['a WAV', bytes('RIFF', 0, 0, 0, 0, 'WAVEfmt ')],
    ['an Ogg with Vorbis', bytes('OggS', 0, 2, ' '.repeat(22), 1, 'vorbis')],
    ['half a PNG mark', png.subarray(0, 7)],
    ['a plain ZIP', zipOf(['photos/1.jpg', 'word/document.xml'])],
    ['an OpenDocument text', zipOf(['mimetype', 'content.xml'])],
    ['a Java archive', zipOf(['META-INF/MANIFEST.MF'])],
  ]
  test.each(foreign)('%s is none of ours, whatever it is called', async (_, head) => {
    expect(await sniffMedia(head)).toEqual({ likely: null, possible: [] })
    expect(await sniff(head, 'text/plain')).toBeNull()
  })

  test('is text where the caller says so and every byte read is text, also when a character is cut in two', async () => {
    const text = Buffer.from('é'.repeat(10))
    expect([await sniff(text), await sniff(text, 'text/plain'), await sniff(text, 'application/pdf')]).toEqual([
      null,
      'text/plain',
      null,
    ])
    expect(await sniff(text.subarray(0, 9), 'text/plain; charset=utf-8')).toBe('text/plain')
    expect(await sniff(bytes(' '.repeat(1_020), '%PDF-'), 'text/plain')).toBe('text/plain')
  })

  test('of Office is what it is declared as where the first bytes do not tell the program', async () => {
    const old = compoundOf('something else')
    const recent = zipOf(['[Content_Types].xml'], { content: 'x'.repeat(20_000) })
    expect([await sniff(old), await sniff(recent)]).toEqual([null, null])
    expect(await sniff(old, 'application/vnd.ms-powerpoint')).toBe('application/vnd.ms-powerpoint')
    expect(await sniff(recent, excel)).toBe(excel)
    expect([await sniff(old, excel), await sniff(recent, 'application/msword')]).toEqual([null, null])
    expect(await sniff(zipOf(['xl/workbook.xml']), word)).toBe(excel)
  })

  test('of sound recorded into the container of films is sound where the caller says so', async () => {
    const recording = container('mp42')
    expect([await sniff(recording), await sniff(recording, 'audio/x-m4a')]).toEqual(['video/mp4', 'audio/mp4'])
    expect(await sniff(recording, 'audio/aac')).toBe('audio/mp4')
    expect(await sniff(recording, 'application/octet-stream', 'audio')).toBe('audio/mp4')
    expect(await sniff(container('M4A '), 'video/mp4')).toBe('audio/mp4')
  })

  test('has other names, and parameters do not count', () => {
    expect(typeNamed('IMAGE/JPG')?.mimeType).toBe('image/jpeg')
    expect(typeNamed('audio/ogg; codecs=opus')?.mimeType).toBe('audio/ogg')
    expect(typeNamed('video/3gp')?.mimeType).toBe('video/3gpp')
    expect(typeNamed('image/gif')).toBeNull()
  })

  test('of a sticker that moves is the same, with a larger limit', async () => {
    const limit = async (file: Buffer) => (await sniffMedia(file)).likely?.bytesMax
    expect([await limit(webpOf()), await limit(webpOf({ animated: true }))]).toEqual([102_400, 512_000])
  })

  test('that we do not take still has a name for the refusal', async () => {
    expect(await nameOfFormat(bytes('GIF89a'))).toBe('image/gif')
    expect(await nameOfFormat(bytes('hello'))).toBeNull()
  })
})

describe('the pixels of a picture', () => {
  const jpeg = bytes(
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    1,
    2,
    0xff,
    0xe2,
    0xff,
    0xff,
    '\u00ff'.repeat(0xfffd),
    0xff,
    0xff,
    0xc4,
    0,
    3,
    9,
    0xff,
    0xc2,
    0,
    17,
    8,
    0x03,
    0xe8,
    0x07,
    0xd0,
    3,
    'more',
  )

  test.each([1, 2, 3, 7, 64, 100_000])('of a JPEG are found behind its profiles, in pieces of %i bytes', (step) => {
    const counter = createPixelCounter('image/jpeg')
    let found: number | null = null
    for (let at = 0; at < jpeg.length && found === null; at += step) found = counter.take(jpeg.subarray(at, at + step))
    expect(found).toBe(2_000 * 1_000)
  })

  test.each([1, 5, 1_000])('of a PNG are found in pieces of %i bytes', (step) => {
    const counter = createPixelCounter('image/png')
    let found: number | null = null
    for (let at = 0; at < png.length && found === null; at += step) found = counter.take(png.subarray(at, at + step))
    expect(found).toBe(1)
  })

  test.each([
    ['extended', webpOf({ width: 16_384, height: 8_000 }), 16_384 * 8_000],
    [
      'lossless',
      bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8L', 0, 0, 0, 0, 0x2f, 0xff, 0xc1, 0x7f, 0, ' '.repeat(5)),
      512 * 512,
    ],
    ['lossy', bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8 ', ' '.repeat(10), 0, 2, 0, 1), 512 * 256],
  ])('of a WebP are found in its %s header', (_, file, pixels) => {
    const counter = createPixelCounter('image/webp')
    expect([counter.take(file.subarray(0, 20)), counter.take(file.subarray(20))]).toEqual([null, pixels])
  })

  test('of a broken picture and of other files are never found, and cost no memory', () => {
    const broken = createPixelCounter('image/jpeg')
    expect(broken.take(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 2, 'no marker here'))).toBeNull()
    expect(broken.take(Buffer.alloc(100_000))).toBeNull()
    expect(createPixelCounter('application/pdf').take(jpeg)).toBeNull()
  })
})

describe('a file name', () => {
  test.each([
    ['C:\\fake\\path\\photo.png', 'photo.png'],
    ['../../etc/passwd', 'passwd'],
    ['a\r\nSet-Cookie: x', 'aSet-Cookie: x'],
    ['cod\u202efdp.exe', 'codfdp.exe'],
    ['  ', null],
    ['..', null],
    ['', null],
    [null, null],
    ['é'.repeat(300), 'é'.repeat(240)],
  ])('%j that came along becomes %j', (given, kept) => {
    expect(cleanFilename(given)).toBe(kept)
  })

  test('goes into its header without a way out', () => {
    expect(attachment('naïve "x"\\ 50%.pdf')).toBe(
      `attachment; filename="na_ve _x__ 50_.pdf"; filename*=UTF-8''na%C3%AFve%20%22x%22%5C%2050%25.pdf`,
    )
    expect(attachment("it's (1)*.pdf")).toContain("filename*=UTF-8''it%27s%20%281%29%2A.pdf")
  })

  test('is made up from the type where there is none', () => {
    expect(filenameOr(null, 'image/jpeg')).toBe('file.jpg')
    expect(filenameOr(null, 'application/x-thing')).toBe('file')
    expect(filenameOr('a.pdf', 'application/pdf')).toBe('a.pdf')
  })
})
