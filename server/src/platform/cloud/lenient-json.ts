/**
 * Readers for answers and callbacks whose shapes drift: ids come as strings or numbers, lists are missing, fields
 * appear. Each reader gives the value in the wanted form or null, and never throws.
 */
export type JsonObject = Record<string, unknown>

export function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Non-empty text; numbers count, because ids change their JSON type between REST answers and callbacks. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value.toWellFormed()
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return null
}

/** A word of Meta in lower case, because it writes either; empty for anything but text. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}

/** A finite number, also from its decimal text. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^-?\d{1,16}(\.\d{1,16})?$/.test(value)) return null
  return Number(value)
}

export function booleanOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** `text` as a JSON object, or null for anything else. */
export function parseObject(text: string): JsonObject | null {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return null
  }
}

/** A SHA-256 written in hex or base64, as lower-case hex; null for anything else. */
export function sha256HexOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (/^[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase()
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(value)) return null
  return Buffer.from(value, 'base64').toString('hex')
}

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
