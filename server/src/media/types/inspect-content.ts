import { AppError } from '../../contract/app-error.ts'
import { createPixelCounter, pixelsMax } from './image-size.ts'
import { createTextReader, textRule } from './plain-text.ts'

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
