/** Careful readers for JSON that came from outside. */
export type Json = Record<string, unknown>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function record(value: unknown): Json {
  return isRecord(value) ? value : {}
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Graph takes lists as JSON arrays, as JSON text in a query parameter, or separated by commas. */
export function looseList(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'string' || value === '') return []
  if (!value.startsWith('[')) return value.split(',').map((part) => part.trim())
  const parsed = parse(value)
  return Array.isArray(parsed) ? parsed.map(String) : []
}

export function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

/** Limits of the platform count characters, not UTF-16 units. */
export function lengthOf(value: string): number {
  // Only a string with surrogates needs the slow count.
  let pairs = 0
  for (let i = 0; i < value.length - 1; i++) {
    const unit = value.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      pairs++
      i++
    }
  }
  return value.length - pairs
}

/**
 * The form the platform signs and sends: pure ASCII, with `\uXXXX` in lower case and `\/` for a slash. A receiver that
 * parses and stringifies before checking the signature therefore fails on its first message id.
 */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value).replace(/\//g, '\\/')
  // Counting the bytes is far cheaper than a second pass of replacing, and most bodies have nothing to replace.
  if (Buffer.byteLength(json) === json.length) return json
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
