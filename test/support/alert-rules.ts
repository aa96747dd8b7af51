import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './child-process.ts'

type Labels = Readonly<Record<string, string>>
type Sample = { readonly name: string; readonly labels: Labels; readonly value: number }
/** What Prometheus has of one scrape; `up` is 0 where nothing came. */
export type Scrape = { readonly at: number; readonly samples: readonly Sample[] }

type Rule = { alert: string; expr: string }
const file = readFileSync(join(root, 'deploy/prometheus-alerts.yaml'), 'utf8')
const rules = (parse(file) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)
const runbook = readFileSync(join(root, 'docs/monitoring.md'), 'utf8').split(/^#{2,3} /m)

/** What the runbook says about an alert. */
export function sectionOf(alert: string): string {
  const section = runbook.find((text) => text.startsWith(`${alert}\n`))
  if (section === undefined) throw new Error(`docs/monitoring.md has no section about ${alert}.`)
  return section
}

/** Null stands for a scrape that failed. */
export function scrapeOf(page: string | null, at: number): Scrape {
  const found = [...(page ?? '').matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: labelsIn(labels),
    value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
  }))
  return { at, samples: [...found, { name: 'up', labels: { job: 'postern' }, value: page === null ? 0 : 1 }] }
}

/** The labels with which the expression of an alert holds after these scrapes. How long it has to hold (`for`) is left out. */
export function firing(alert: string, scrapes: readonly Scrape[]): Labels[] {
  const expr = rules.find((rule) => rule.alert === alert)?.expr
  if (expr === undefined) throw new Error(`There is no alert ${alert}.`)
  return vector(evaluate(expr, scrapes)).map(({ labels }) => labels)
}

type Point = { readonly labels: Labels; readonly value: number }
type Value = number | readonly Point[]
/** Of a series over all scrapes; the range in the brackets is taken to span them. */
type Range = readonly { readonly labels: Labels; readonly values: readonly number[]; readonly seconds: number }[]

const tokens = /\s*("[^"]*"|[a-zA-Z_]\w*|\d+(?:\.\d+)?(?:m|h|d)?|=~|!~|!=|==|>=|<=|[(){}[\],=<>+\-*/])/y

/**
 * As much of the language of Prometheus as the rules use, with its meaning: what is missing in an earlier scrape has not
 * grown, a comparison leaves out what does not hold, and two vectors meet where their labels are equal.
 */
function evaluate(text: string, scrapes: readonly Scrape[]): Value {
  const words: string[] = []
  tokens.lastIndex = 0
  while (text.slice(tokens.lastIndex).trim() !== '') {
    const at = tokens.lastIndex
    const [, word] = tokens.exec(text) ?? []
    if (word === undefined) throw new Error(`This cannot be read: ${text.slice(at)}`)
    words.push(word)
  }
  const now = scrapes.at(-1)
  const functions: Record<string, () => Value> = {
    time: () => (now?.at ?? 0) / 1_000,
    absent: () => (vector(either()).length === 0 ? [{ labels: {}, value: 1 }] : []),
    rate: () => grown('rate', range(take())),
    increase: () => grown('increase', range(take())),
    histogram_quantile() {
      const share = Number(take())
      take(',')
      return quantile(share, vector(either()))
    },
  }
  const result = either()
  if (words.length > 0) throw new Error(`This was not expected: ${words.join(' ')}`)
  return result

  function next(): string | undefined {
    return words[0]
  }

  function take(expected?: string): string {
    const word = words.shift()
    if (word === undefined || (expected !== undefined && word !== expected)) {
      throw new Error(`"${expected ?? 'more'}" is missing before ${word} ${words.join(' ')}`)
    }
    return word
  }

  function either(): Value {
    let left = both()
    while (next() === 'or') {
      take()
      const right = vector(both())
      const known = vector(left)
      left = [...known, ...right.filter((one) => !known.some((other) => isSame(one, other)))]
    }
    return left
  }

  function both(): Value {
    let left = compared()
    while (next() === 'and') {
      take()
      const right = vector(compared())
      left = vector(left).filter((one) => right.some((other) => isSame(one, other)))
    }
    return left
  }

  function compared(): Value {
    const left = sum()
    const holds = comparisons[next() ?? '']
    if (!holds) return left
    take()
    const right = sum()
    const isTrue = (one: Point) => meeting(one, right).some((value) => holds(one.value, value))
    return vector(left).filter(isTrue)
  }

  function sum(): Value {
    let left = product()
    while (next() === '+' || next() === '-') left = combine(take(), left, product())
    return left
  }

  function product(): Value {
    let left = primary()
    while (next() === '*' || next() === '/') left = combine(take(), left, primary())
    return left
  }

  function primary(): Value {
    const word = take()
    if (/^\d/.test(word)) return Number(word)
    if (word === '(') return closed(either())
    const aggregate = aggregates[word]
    const by = aggregate && next() === 'by' ? names() : []
    const call = aggregate ? () => grouped(vector(either()), by, aggregate) : functions[word]
    if (!call) return instant(range(word))
    take('(')
    return closed(call())
  }

  function closed<T>(value: T): T {
    take(')')
    return value
  }

  function names(): string[] {
    const found: string[] = []
    take('by')
    take('(')
    while (next() !== ')') found.push(take())
    return closed(found.filter((name) => name !== ','))
  }

  function range(name: string): Range {
    const tests: ((labels: Labels) => boolean)[] = []
    if (next() === '{') {
      take('{')
      while (next() !== '}') {
        tests.push(matcher(take(), take(), take().slice(1, -1)))
        if (next() === ',') take()
      }
      take('}')
    }
    if (next() === '[') while (take() !== ']') {}
    const wanted = (sample: Sample) => sample.name === name && tests.every((test) => test(sample.labels))
    const seconds = ((now?.at ?? 0) - (scrapes[0]?.at ?? 0)) / 1_000
    return (now?.samples ?? []).filter(wanted).map(({ labels }) => {
      const seen = (scrape: Scrape) => scrape.samples.filter((one) => wanted(one) && isSame(one, { labels, value: 0 }))
      return { labels, seconds, values: scrapes.flatMap((scrape) => seen(scrape).map(({ value }) => value)) }
    })
  }
}

const comparisons: Record<string, (left: number, right: number) => boolean> = {
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
}
const aggregates: Record<string, (values: readonly number[]) => number> = {
  sum: (values) => values.reduce((total, value) => total + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
}

function labelsIn(text: string): Labels {
  return Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value]))
}

function matcher(label: string, operator: string, pattern: string): (labels: Labels) => boolean {
  const whole = new RegExp(`^(?:${pattern})$`)
  const isLike = operator.endsWith('~') ? (text: string) => whole.test(text) : (text: string) => text === pattern
  return (labels) => isLike(labels[label] ?? '') !== operator.startsWith('!')
}

const keyOf = (labels: Labels) => JSON.stringify(Object.entries(labels).sort())
const isSame = (one: Point, other: Point) => keyOf(one.labels) === keyOf(other.labels)
const vector = (value: Value): readonly Point[] => (typeof value === 'number' ? [{ labels: {}, value }] : value)

/** What a point is compared or combined with. */
function meeting(one: Point, right: Value): number[] {
  if (typeof right === 'number') return [right]
  return right.filter((other) => isSame(one, other)).map(({ value }) => value)
}

function combine(operator: string, left: Value, right: Value): Value {
  const compute = (a: number, b: number) =>
    operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a / b
  if (typeof left !== 'number')
    return left.flatMap((one) => meeting(one, right).map((value) => ({ ...one, value: compute(one.value, value) })))
  if (typeof right === 'number') return compute(left, right)
  return right.map((one) => ({ ...one, value: compute(left, one.value) }))
}

function instant(range: Range): Point[] {
  return range.map(({ labels, values }) => ({ labels, value: values.at(-1) ?? Number.NaN }))
}

function grown(word: 'rate' | 'increase', range: Range): Point[] {
  const known = range.filter(({ values }) => values.length > 1)
  return known.map(({ labels, values, seconds }) => {
    const increase = (values.at(-1) ?? 0) - (values[0] ?? 0)
    return { labels, value: word === 'rate' ? increase / seconds : increase }
  })
}

function grouped(points: readonly Point[], by: readonly string[], aggregate: (values: readonly number[]) => number) {
  const labelsOf = ({ labels }: Point): Labels => Object.fromEntries(by.map((label) => [label, labels[label] ?? '']))
  const groups = Map.groupBy(points, (point) => keyOf(labelsOf(point)))
  return [...groups.values()].map((some) => ({
    labels: labelsOf(some[0] ?? { labels: {}, value: 0 }),
    value: aggregate(some.map(({ value }) => value)),
  }))
}

/** The upper end of the bucket that holds the quantile: what Prometheus interpolates lies within it. */
function quantile(share: number, buckets: readonly Point[]): Point[] {
  const limitOf = ({ labels }: Point) => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le))
  const sorted = buckets.toSorted((one, other) => limitOf(one) - limitOf(other))
  const total = sorted.at(-1)?.value ?? 0
  const found = sorted.find(({ value }) => value >= share * total)
  return total > 0 && found ? [{ labels: {}, value: limitOf(found) }] : []
}
