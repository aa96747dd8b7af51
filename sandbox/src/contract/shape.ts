/**
 * How a JSON value is described: a word such as `string`, several of them with `|`, the name of a type of the same file, an
 * object whose optional members end in `?`, or a list of one shape.
 */
export type Shape = string | [Shape] | { [member: string]: Shape }

export type Types = Record<string, Shape>

/** What differs, without any value: where, what was described, and the kind of what is there. */
export type Difference = { at: string; expected: string; found: string }

/** Where a value and its shape differ; a member that the shape does not know differs too. */
export function differences(shape: Shape, value: unknown, types: Types = {}, at = ''): Difference[] {
  if (typeof shape === 'string') return ofWord(shape, value, types, at)
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [{ at, expected: 'list', found: kindOf(value) }]
    return distinct(value.flatMap((item) => differences(shape[0], item, types, `${at}[]`)))
  }
  if (!isObject(value)) return [{ at, expected: 'object', found: kindOf(value) }]
  const found: Difference[] = []
  const known = new Set<string>()
  for (const [written, part] of Object.entries(shape)) {
    const name = written.replace(/\?$/, '')
    known.add(name)
    const place = at === '' ? name : `${at}.${name}`
    if (value[name] !== undefined) found.push(...differences(part, value[name], types, place))
    else if (name === written) found.push({ at: place, expected: wordFor(part), found: 'nothing' })
  }
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue
    found.push({ at: at === '' ? name : `${at}.${name}`, expected: 'nothing', found: kindOf(value[name]) })
  }
  return found
}

function ofWord(word: string, value: unknown, types: Types, at: string): Difference[] {
  const type = types[word]
  if (type !== undefined) return differences(type, value, types, at)
  const kind = kindOf(value)
  return word === 'any' || word.split('|').includes(kind) ? [] : [{ at, expected: word, found: kind }]
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return value instanceof Blob ? 'file' : typeof value
}

function wordFor(shape: Shape): string {
  return typeof shape === 'string' ? shape : Array.isArray(shape) ? 'list' : 'object'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every item of a list may differ in the same way; that is told once. */
function distinct(all: Difference[]): Difference[] {
  return [...new Map(all.map((one) => [`${one.at} ${one.expected} ${one.found}`, one])).values()]
}
