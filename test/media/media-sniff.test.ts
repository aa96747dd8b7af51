import { describe, expect, test } from 'vitest'
import { attachment, cleanFilename, filenameOr } from '../../server/src/media/filename.ts'
import { createPixelCounter } from '../../server/src/media/image-size.ts'
import { typeNamed } from '../../server/src/media/media-kinds.ts'
import { nameOfFormat, sniffMedia } from '../../server/src/media/sniff-media.ts'
import { png } from './media-support.ts'

const bytes = (...values: (number | string)[]) =>
  Buffer.concat(
    values.map((value) => (typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value, 'latin1'))),
  )
const film = (brand: string) => bytes(0, 0, 0, 0x18, 'ftyp', brand, 0, 0, 0, 0, 'isomiso2')

describe('the type of a file', () => {
  const known: [string, Buffer, string][] = [
    ['a JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 'rest'), 'image/jpeg'],
    ['a PNG', png, 'image/png'],
    ['a PDF', bytes('%PDF-1.7'), 'application/pdf'],
    ['a PDF whose mark ends at byte 1024', bytes(' '.repeat(1_019), '%PDF-'), 'application/pdf'],
    ['an MP3 with a tag', bytes('ID3', 4, 0, 0), 'audio/mpeg'],
    ['an MP3 that begins with a frame', bytes(0xff, 0xfb, 0x90, 0x64), 'audio/mpeg'],
    ['an Ogg with Opus', bytes('OggS', 0, 2, ' '.repeat(22), 'OpusHead'), 'audio/ogg'],
    ['an MP4', film('isom'), 'video/mp4'],
  ]
  test.each(known)('%s is known by its bytes', async (_, head, mimeType) => {
    expect((await sniffMedia(head))?.mimeType).toBe(mimeType)
  })

  const foreign: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['text', bytes('hello')],
    ['UTF-16 text', bytes(0xff, 0xfe, 'h', 0, 'i', 0)],
    ['AAC', bytes(0xff, 0xf1, 0x50, 0x80)],
    ['a frame with a bit rate that does not exist', bytes(0xff, 0xfb, 0xf0, 0x64)],
    ['a PDF whose mark ends at byte 1025', bytes(' '.repeat(1_020), '%PDF-')],
    ['a HEIC picture', film('heic')],
    ['an AVIF picture', film('avif')],
    ['a QuickTime film', film('qt  ')],
    ['an M4A', film('M4A ')],
    ['a GIF', bytes('GIF89a')],
    ['a WebP', bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8 ')],
    ['an Ogg with Vorbis', bytes('OggS', 0, 2, ' '.repeat(22), 1, 'vorbis')],
    ['half a PNG mark', png.subarray(0, 7)],
  ]
  test.each(foreign)('%s is none of ours', async (_, head) => {
    expect(await sniffMedia(head)).toBeNull()
  })

  test('has other names, and parameters do not count', () => {
    expect(typeNamed('IMAGE/JPG')?.mimeType).toBe('image/jpeg')
    expect(typeNamed('audio/ogg; codecs=opus')?.mimeType).toBe('audio/ogg')
    expect(typeNamed('image/webp')).toBeNull()
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
