/** One option of a scenario: what may be written, and what it does. Types, checks and the reference page come from these rows. */
export type Option<T> = {
  readonly takes: string
  readonly says: string
  /** Says what is wrong with a value, as the end of a sentence, or null. */
  readonly problem: (value: unknown, place: string) => string | null
  /** Never there: it carries the type. */
  readonly value?: T
}
export type Table = { readonly [name: string]: Option<unknown> }
export type ValueOf<Row> = Row extends Option<infer T> ? T : never
export type Values<Rows> = { [Name in keyof Rows]?: ValueOf<Rows[Name]> }

function option<T>(takes: string, accepts: (value: unknown) => boolean) {
  return (says: string): Option<T> => ({
    takes,
    says,
    problem: (value, place) => (accepts(value) ? null : `${place} takes ${takes}`),
  })
}

const isNumber = (value: unknown, from: number, to: number) => typeof value === 'number' && value >= from && value <= to
const isWhole = (value: unknown, from: number) =>
  Number.isInteger(value) && isNumber(value, from, Number.MAX_SAFE_INTEGER)

export const flag = option<boolean>('true or false', (value) => typeof value === 'boolean')
export const amount = option<number>('a whole number', (value) => isWhole(value, 0))
export const count = option<number>('a whole number from 1', (value) => isWhole(value, 1))
/** Also 0: Meta's AuthException. */
export const code = option<number>("one of Meta's codes, as a number", (value) => isWhole(value, 0))
export const status = option<number>(
  'an HTTP status from 400 to 599',
  (value) => isWhole(value, 400) && isNumber(value, 400, 599),
)
export const share = option<number>('a number from 0 to 1', (value) => isNumber(value, 0, 1))
export const factor = option<number>('a number above 0', (value) => isNumber(value, Number.MIN_VALUE, 1_000_000))
export const text = option<string>('a text', (value) => typeof value === 'string')
export const amountOrNull = option<number | null>(
  'a whole number, or null',
  (value) => value === null || isWhole(value, 0),
)
export const texts = option<string[] | null>(
  'a list of texts, or null',
  (value) => value === null || (Array.isArray(value) && value.every((one) => typeof one === 'string')),
)

export function oneOf<const Name extends string>(...names: Name[]) {
  return option<Name>(names.map((name) => `"${name}"`).join(' or '), (value) => names.includes(value as Name))
}

/** An object with these options. A typing error must not silently change nothing. */
export function group<const Rows extends Table, Name extends keyof Rows & string = never>(
  rows: Rows,
  ...needed: readonly Name[]
) {
  return (says: string): Option<Values<Rows> & Required<Pick<Values<Rows>, Name>>> => ({
    takes: 'an object',
    says,
    problem: (value, place) => tableProblem(rows, value, place, needed),
  })
}

export function listOf<T>(inner: Option<T>) {
  return (says: string): Option<T[]> => ({
    takes: 'a list',
    says,
    problem: (value, place) => {
      if (!Array.isArray(value)) return `${place} takes a list`
      const problems = value.map((one, index) => inner.problem(one, `${place}[${index}]`))
      return problems.find((problem) => problem !== null) ?? null
    },
  })
}

export function flagOr<T>(inner: Option<T>): Option<T | boolean> {
  const takes = `${inner.takes}, or false`
  return {
    takes,
    says: inner.says,
    problem: (value, place) => {
      if (typeof value === 'boolean') return null
      return typeof value === 'object' ? inner.problem(value, place) : `${place} takes ${takes}`
    },
  }
}

export function tableProblem(
  rows: Table,
  value: unknown,
  place: string,
  needed: readonly string[] = [],
): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${place} takes an object`
  for (const [name, inner] of Object.entries(value)) {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (!row) return `${place} does not know "${name}"; it knows ${Object.keys(rows).join(', ')}`
    const problem = inner === undefined ? null : row.problem(inner, name)
    if (problem !== null) return problem
  }
  const missing = needed.find((name) => !(name in value))
  return missing === undefined ? null : `${place} needs "${missing}", ${rows[missing]?.takes}`
}
