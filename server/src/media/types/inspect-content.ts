import { AppError } from '../../contract/app-error.ts'
import { createPixelCounter, pixelsMax } from './image-size.ts'

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
