/** Embeddings, overrides and isolates: they turn around what stands after them, and a name needs none. */
const directions = /[\u202A-\u202E\u2066-\u2069]/g

/** What people call themselves and their things, and the beginnings of what they wrote. */
const names = new Set(['name', 'key_name', 'sent_by', 'filename', 'preview', 'description', 'display_name'])

/**
 * An answer of the gateway whose names cannot reorder what they are shown in: `invoice\u202Egpj.exe` reads as it is
 * spelled. Whole texts of messages and templates stay as they are; they are shown in elements of their own direction.
 */
export function neutralNames<T>(value: T): T {
  if (Array.isArray(value)) return value.map(neutralNames) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, entry]: [string, unknown]) => [
    key,
    typeof entry === 'string' && names.has(key) ? entry.replace(directions, '') : neutralNames(entry),
  ])
  return Object.fromEntries(entries) as T
}
