/**
 * Names are camelCase in the SDK and snake_case on the wire, by one mechanical rule that loses nothing:
 *
 *     an underscore before a lower-case letter  <->  that letter in upper case
 *
 * `client_reference` is `clientReference`; `amount_1000` stays `amount_1000`, because nothing but a letter can carry
 * the mark. Only the names of object members change: values never do (`'order_confirmation'`, `'quick_reply'` and the
 * field paths in error details are wire text), and neither do names that already are snake_case in a request, so
 * components copied from the HTTP documentation work as they are.
 *
 * `Camel` says of types what `toCamel` does to values.
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
 * A type of the wire with the names of the SDK, in depth. Unions and arrays stay what they are; types with free keys
 * stay as they are.
 */
export type Camel<T> = T extends readonly (infer Item)[]
  ? Camel<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [Name in keyof T as CamelName<Name>]: Name extends FreeFormMap ? T[Name] : Camel<T[Name]> }
    : T

/** The SDK's name of a member. What its own upper case leaves unchanged is no lower-case letter. */
export type CamelName<Name> = Name extends `${infer Head}_${infer Tail}`
  ? Tail extends `${infer First}${string}`
    ? First extends Uppercase<First>
      ? `${Head}_${CamelName<Tail>}`
      : `${Head}${Capitalize<CamelName<Tail>>}`
    : Name
  : Name

/**
 * Members whose value is a map from data to data: header names of a webhook attempt, the groups of analytics, which are
 * keyed by the values of `groupBy`, what a Flow is given and answers, keyed by the names of its fields, ways to pay in Meta's
 * words, and the reasons why recipients of a broadcast were skipped. Their keys are content, so they pass unchanged.
 */
export const freeFormMaps = [
  'group',
  'request_headers',
  'response_headers',
  'answers',
  'flow_action_data',
  'screen_data',
  'payment_settings',
  'skipped',
] as const
type FreeFormMap = (typeof freeFormMaps)[number]
const isFreeFormMap = (name: string) => freeFormMaps.some((map) => map === snakeName(name))

function rename(value: unknown, renameKey: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, renameKey))
  if (!isPlainObject(value)) return value
  // fromEntries defines own members, so a hostile "__proto__" key cannot reach a prototype.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      renameKey(name),
      isFreeFormMap(name) ? member : rename(member, renameKey),
    ]),
  )
}

/** Dates, blobs and other class instances are values, not records. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
