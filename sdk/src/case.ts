/**
 * Names are camelCase in the SDK and snake_case on the wire, by one mechanical rule that loses nothing:
 *
 *     an underscore before a lower-case letter  <->  that letter in upper case
 *
 * `client_reference` is `clientReference`; `amount_1000` stays `amount_1000`, because nothing but a letter can carry
 * the mark. Only the names of object members change: values never do (`'order_confirmation'`, `'quick_reply'` and the
 * field paths in error details are wire text), and neither do names that already are snake_case in a request, so
 * components copied from the HTTP documentation work as they are.
 */
export function toCamel(value: unknown): unknown {
  return rename(value, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
}

/** The same rule in the other direction, for request bodies and queries. */
export function toSnake(value: unknown): unknown {
  return rename(value, snakeName)
}

/** The wire name of one member. */
export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/**
 * Members whose value is a map from data to data: header names of a webhook attempt, and the groups of analytics,
 * which are keyed by the values of `groupBy`. Their keys are content, so they pass unchanged.
 */
const freeFormMaps = new Set(['group', 'request_headers', 'response_headers'])

function rename(value: unknown, renameKey: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, renameKey))
  if (!isPlainObject(value)) return value
  // fromEntries defines own members, so a hostile "__proto__" key cannot reach a prototype.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      renameKey(name),
      freeFormMaps.has(snakeName(name)) ? member : rename(member, renameKey),
    ]),
  )
}

/** Dates, blobs and other class instances are values, not records. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
