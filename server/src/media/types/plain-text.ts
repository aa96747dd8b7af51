/** Line ends, form feeds and tabs are text; the other control characters are what binary files are told by. */
const control = /[^\P{Cc}\t\n\f\r]/u

/** For refusals. */
export const textRule = 'text must be UTF-8 without control characters'

export type TextReader = {
  /** False as soon as the bytes cannot be UTF-8 text. */
  take(chunk: Uint8Array): boolean
  /** False when the last character is cut off. */
  end(): boolean
}

/** Reads a file as UTF-8 while it streams by; a character may be split between two chunks. */
export function createTextReader(): TextReader {
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
