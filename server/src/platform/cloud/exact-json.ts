type RawJson = { rawJSON(text: string): unknown; isRawJSON(value: unknown): boolean }
const raw = JSON as unknown as RawJson

/** Numbers that a double may not give back as they were written. */
const inexact = /[:,[]\s*-?(\d{16}|\d+[.eE])/

/** JSON whose numbers keep their digits: an id written as a number may not fit a double. */
export function parseExact(text: string): unknown {
  return inexact.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && String(value) !== source ? raw.rawJSON(source) : value
}

/** A number that is kept as it was written. */
export function isExactNumber(value: unknown): boolean {
  return raw.isRawJSON(value)
}

const beyondAscii = /[\u007f-\uffff]/g

/** All that is not ASCII is escaped in lower case: so the platform writes what it signs. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(beyondAscii, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
