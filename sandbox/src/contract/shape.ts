/**
 * How a JSON value is described: a word such as `string`, a constant such as `'sent'`, several of both with `|`, the name of
 * a type, a list of one shape, or an object. Of an object, `name?` may be missing, `name*` comes only when it is asked for,
 * and `...` takes over the members of a type.
 */
export type Shape = string | [Shape] | { [member: string]: Shape }

export type Types = Record<string, Shape>

/** What differs, without any value: where, what was described, and the kind of what is there. */
export type Difference = { at: string; expected: string; found: string }

/**
 * Where a value and its shape differ, or null; a member that the shape does not know differs too. `asked` are the members
 * that a reader named: each must be there unless it may always be missing, and others need not be.
 */
export type Check = (value: unknown, asked?: ReadonlySet<string>) => Difference[] | null

/** Compiled once and run for every exchange of the tests: a value that fits costs no allocation. */
export function compile(shape: Shape, types: Types = {}): Check {
  const known = new Map<string, Check>()
  const compileShape = (part: Shape): Check => {
    if (typeof part === 'string') return compileWord(part)
    return Array.isArray(part) ? compileList(compileShape(part[0])) : compileObject(members(part))
  }
  const members = (part: { [member: string]: Shape }): Member[] =>
    Object.entries(part).flatMap(([written, inner]) => {
      if (written === '...') return members(types[String(inner)] as { [member: string]: Shape })
      const name = written.replace(/[?*]$/, '')
      const presence = written === name ? 'always' : written.endsWith('?') ? 'maybe' : 'asked'
      return [{ name, presence, word: wordFor(inner), check: compileShape(inner) }]
    })
  const compileWord = (word: string): Check => {
    const type = types[word]
    if (type === undefined) return compileWords(word)
    // A type may name itself, so it is compiled when it is first met.
    return (value, asked) => {
      const check = known.get(word) ?? compileShape(type)
      known.set(word, check)
      return check(value, asked)
    }
  }
  return compileShape(shape)
}

type Member = { name: string; presence: 'always' | 'maybe' | 'asked'; word: string; check: Check }

function compileWords(words: string): Check {
  if (words === 'any') return () => null
  const all = words.split('|')
  const kinds = new Set(all.filter((word) => !word.startsWith("'")))
  const constants = new Set(all.filter((word) => word.startsWith("'")).map((word) => word.slice(1, -1)))
  return (value) => {
    const kind = kindOf(value)
    if (kinds.has(kind) || (kind === 'string' && constants.has(value as string))) return null
    const found = kind === 'string' && constants.size > 0 ? 'another string' : kind
    return [{ at: '', expected: words, found }]
  }
}

function compileList(check: Check): Check {
  return (value, asked) => {
    if (!Array.isArray(value)) return [{ at: '', expected: 'list', found: kindOf(value) }]
    let found: Difference[] | null = null
    for (const item of value) {
      const inner = check(item, asked)
      if (inner !== null) found = [...(found ?? []), ...below('[]', inner)]
    }
    return found === null ? null : distinct(found)
  }
}

function compileObject(members: Member[]): Check {
  const names = new Set(members.map(({ name }) => name))
  return (value, asked) => {
    if (!isObject(value)) return [{ at: '', expected: 'object', found: kindOf(value) }]
    let found: Difference[] | null = null
    // A reader of a list names members of its items.
    const own = names.has('data') ? undefined : asked
    for (const { name, presence, word, check } of members) {
      const part = value[name]
      if (part !== undefined) {
        const inner = check(part, name === 'data' ? asked : undefined)
        if (inner !== null) found = [...(found ?? []), ...below(name, inner)]
      } else if (own === undefined ? presence === 'always' : presence !== 'maybe' && (own.has(name) || name === 'id')) {
        found = [...(found ?? []), { at: name, expected: word, found: 'nothing' }]
      }
    }
    for (const name in value) {
      if (names.has(name)) continue
      found = [...(found ?? []), { at: nameable(name), expected: 'nothing', found: kindOf(value[name]) }]
    }
    return found
  }
}

/** The same differences, told from one level up. */
export function below(place: string, found: Difference[]): Difference[] {
  return found.map(({ at, ...rest }) => ({
    at: place + (at === '' || at.startsWith('[') ? '' : '.') + at,
    ...rest,
  }))
}

/** A member may be named by what is in it: an id, a phone number, a person. What is no word of an API is not told. */
function nameable(name: string): string {
  return /^[a-z]+(_[a-z]+)*_?\d{0,3}$/.test(name) ? name : '*'
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)
}

/** Every item of a list may differ in the same way; that is told once. */
function distinct(all: Difference[]): Difference[] {
  return [...new Map(all.map((one) => [`${one.at} ${one.expected} ${one.found}`, one])).values()]
}
