import { AppError } from '../../contract/app-error.ts'

/** Looks at the whole content of a file while it streams by; what cannot be accepted is thrown as a refusal. */
export type Inspection = { take(chunk: Uint8Array): void; end(): void }

export function inspectContent(mimeType: string): Inspection {
  return mimeType === 'text/plain' ? inspectText() : inspectPixels(mimeType)
}

function inspectText(): Inspection {
  const reader = createTextReader()
  return {
    take(chunk) {
      if (!reader.take(chunk)) throw notText()
    },
    end() {
      if (!reader.end()) throw notText()
    },
  }
}

function notText(): AppError {
  return new AppError('media_type_not_supported', `The file is not text: ${textRule}.`)
}

function inspectPixels(mimeType: string): Inspection {
  const counter = createPixelCounter(mimeType)
  return {
    take(chunk) {
      if ((counter.take(chunk) ?? 0) > pixelsMax) throw tooManyPixels()
    },
    end: () => {},
  }
}

function tooManyPixels(): AppError {
  return new AppError('media_too_large', `An image can have at most ${pixelsMax / 1_000_000} megapixels.`)
}

/** Line ends, form feeds and tabs are text; the other control characters are what binary files are told by. */
const control = /[^\P{Cc}\t\n\f\r]/u

/** For refusals. */
export const textRule = 'text must be UTF-8 without control characters'

type TextReader = {
  /** False as soon as the bytes cannot be UTF-8 text. */
  take(chunk: Uint8Array): boolean
  /** False when the last character is cut off. */
  end(): boolean
}

/** Reads a file as UTF-8 while it streams by; a character may be split between two chunks. */
function createTextReader(): TextReader {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decodes = (decode: () => string): boolean => {
    try {
      return !control.test(decode())
    } catch {
      return false
    }
  }
  return {
    take: (chunk) => decodes(() => decoder.decode(chunk, { stream: true })),
    end: () => decodes(() => decoder.decode()),
  }
}

/** Whether a file that begins with these bytes can be text. */
export function isPlainText(head: Uint8Array): boolean {
  return head.length > 0 && createTextReader().take(head)
}

/** Larger pictures are refused: a few kilobytes can unpack to gigabytes in whatever shows them. */
const pixelsMax = 40_000_000

type PixelCounter = {
  /** Takes the file piece by piece; the number of pixels as soon as it is known, null before. */
  take(chunk: Uint8Array): number | null
}

/** Width times height of a picture while it streams by; formats without a size never give one. */
export function createPixelCounter(mimeType: string): PixelCounter {
  if (mimeType === 'image/png') return headCounter(24, pngPixels)
  if (mimeType === 'image/webp') return headCounter(30, webpPixels)
  if (mimeType === 'image/jpeg') return jpegCounter()
  return { take: () => null }
}

/** For formats whose size stands in their first bytes. */
function headCounter(bytes: number, pixelsOf: (head: Buffer) => number | null): PixelCounter {
  let head = Buffer.alloc(0)
  return {
    take(chunk) {
      if (head.length < bytes) head = Buffer.concat([head, chunk.subarray(0, bytes - head.length)])
      return head.length < bytes ? null : pixelsOf(head)
    },
  }
}

/** The first chunk of a PNG is its header: width at byte 16, height at byte 20. */
function pngPixels(head: Buffer): number | null {
  if (head.toString('latin1', 12, 16) !== 'IHDR') return null
  return head.readUInt32BE(16) * head.readUInt32BE(20)
}

/** A WebP begins with one of three chunks, and each has its own way to say how large it is. */
function webpPixels(head: Buffer): number | null {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return (head.readUIntLE(24, 3) + 1) * (head.readUIntLE(27, 3) + 1)
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1)
    }
    case 'VP8 ':
      return (head.readUInt16LE(26) & 0x3fff) * (head.readUInt16LE(28) & 0x3fff)
    default:
      return null
  }
}

/** Marker, two bytes of length, one of precision, then height and width. */
const frameBytes = 9

/**
 * Walks from segment to segment until the frame header. Colour profiles and previews may stand before it and be
 * megabytes long, so they are skipped without being kept.
 */
function jpegCounter(): PixelCounter {
  let kept = Buffer.alloc(0)
  let skip = 2
  let pixels: number | null = null
  let lost = false
  return {
    take(chunk) {
      if (pixels !== null || lost) return pixels
      let bytes = Buffer.concat([kept, chunk])
      while (bytes.length > 0) {
        if (skip > 0) {
          const step = Math.min(skip, bytes.length)
          skip -= step
          bytes = bytes.subarray(step)
          continue
        }
        if (bytes[0] !== 0xff) {
          lost = true
          break
        }
        // Any number of fill bytes may stand before a marker.
        if (bytes.length > 1 && bytes[1] === 0xff) {
          bytes = bytes.subarray(1)
          continue
        }
        if (bytes.length < frameBytes) break
        const marker = bytes.readUInt8(1)
        if (isFrame(marker)) {
          pixels = bytes.readUInt16BE(5) * bytes.readUInt16BE(7)
          break
        }
        skip = 2 + (standsAlone(marker) ? 0 : bytes.readUInt16BE(2))
      }
      kept = lost || pixels !== null ? Buffer.alloc(0) : Buffer.from(bytes)
      return pixels
    },
  }
}

/** C4, C8 and CC are tables, the other markers from C0 to CF begin a frame. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
}
