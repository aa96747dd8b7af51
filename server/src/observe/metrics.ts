import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type LabelRule, type LabelRules, type MetricRow, metricTable } from './metric-table.ts'

type Labels<Rules> = {
  readonly [Name in keyof Rules]: Rules[Name] extends readonly (infer Value)[] ? Value : string | number
}
type Handle<Row> =
  Row extends MetricRow<infer Kind, infer Rules>
    ? {
        counter: { inc(labels: Labels<Rules>, by?: number): void }
        gauge: { set(labels: Labels<Rules>, value: number): void }
        histogram: { observe(labels: Labels<Rules>, value: number): void }
      }[Kind]
    : never

/** `metrics.rateLimited.inc({ policy: 'hour', plan: 'free' })`: handles are typed by the table, values by their rules. */
export type Metrics = { readonly [Key in keyof typeof metricTable]: Handle<(typeof metricTable)[Key]> } & {
  /** Runs before each rendering, for gauges that are read where they live. A failing one leaves its gauge as it was. */
  onRender(refresh: () => void | Promise<void>): void
  /** The text that Prometheus reads. */
  render(): Promise<string>
  readonly contentType: string
}

type BuildInfo = { readonly version: string; readonly commit: string }

/** Of several processes behind one port each has its number on every line, as if it were a node. */
export function createMetrics(build: BuildInfo, processNumber?: number): Metrics {
  const registry = createRegistry(processNumber)
  const ofProcess = createProcessMetrics(processNumber)
  const tally = createTally()
  const handles = Object.fromEntries(
    Object.entries(metricTable).map(([key, row]) => [key, createHandle(row, registry, tally)]),
  ) as Pick<Metrics, keyof typeof metricTable>
  handles.buildInfo.set({ ...build, node: process.versions.node }, 1)
  const refreshers: (() => void | Promise<void>)[] = []
  return {
    ...handles,
    onRender: (refresh) => void refreshers.push(refresh),
    async render() {
      await Promise.allSettled(refreshers.map(async (refresh) => refresh()))
      tally.settle()
      return (await ofProcess.render()) + (await registry.metrics())
    },
    contentType: registry.contentType,
  }
}

const processRegistries = new Map<number | undefined, Registry>()

/**
 * Of the process: its CPU, memory and event loop. Once for all gateways in it: the library never stops to watch garbage
 * collection and event loop for a registry, and tests open hundreds of gateways.
 */
export function createProcessMetrics(processNumber?: number): Pick<Metrics, 'render' | 'contentType'> {
  let registry = processRegistries.get(processNumber)
  if (!registry) {
    registry = createRegistry(processNumber)
    collectDefaultMetrics({ register: registry })
    processRegistries.set(processNumber, registry)
  }
  const { contentType } = registry
  return { render: () => registry.metrics(), contentType }
}

function createRegistry(processNumber: number | undefined): Registry {
  const registry = new Registry()
  if (processNumber !== undefined) registry.setDefaultLabels({ process: String(processNumber) })
  return registry
}

type AnyLabels = Readonly<Record<string, string | number>>

type Tally = {
  /** One more thing waits to be counted. */
  note(): void
  /** Counts what waits. */
  settle(): void
  /** `count` is called to settle, and counts what its metric has waiting. */
  onSettle(count: () => void): void
}

const tallyMax = 256

/**
 * Counts of requests wait for each other. In the middle of a request the code that counts has left the processor's caches
 * since the last one, and takes several times as long as in a row with others.
 */
function createTally(): Tally {
  const counts: (() => void)[] = []
  let waiting = 0
  const settle = () => {
    waiting = 0
    for (const count of counts) count()
  }
  return {
    note() {
      if (++waiting >= tallyMax) settle()
    },
    settle,
    onSettle: (count) => void counts.push(count),
  }
}

function createHandle(
  row: MetricRow<'counter' | 'gauge' | 'histogram', LabelRules>,
  registry: Registry,
  tally: Tally,
): object {
  const { name, help, kind, buckets = [], atStart = [] } = row
  const options = { name, help, labelNames: Object.keys(row.labels), registers: [registry] }
  const guard = labelGuard(row.labels)
  if (kind === 'counter') {
    const counter = new Counter(options)
    for (const labels of atStart) counter.inc(guard(labels), 0)
    return { inc: summedUntilSettled(tally, guard, (labels, by) => counter.inc(labels, by)) }
  }
  if (kind === 'histogram') {
    const histogram = new Histogram({ ...options, buckets: [...buckets] })
    return { observe: keptUntilSettled(tally, guard, (labels, value) => histogram.observe(labels, value)) }
  }
  const gauge = new Gauge(options)
  return { set: (labels: AnyLabels, value: number) => gauge.set(guard(labels), value) }
}

type Guarded = Record<string, string>
type Guard = (labels: AnyLabels) => Guarded
type Count = (labels: Guarded, value: number) => void

/**
 * Keeps what it is given until the tally is settled. Labels are judged then too. What is no number is left out here: the
 * library throws on it, which would fail the request that settles the tally, and every page after it.
 */
function keptUntilSettled(tally: Tally, guard: Guard, count: Count, end = () => {}) {
  let labels: AnyLabels[] = []
  let values: number[] = []
  tally.onSettle(() => {
    const [labelsDue, valuesDue] = [labels, values]
    labels = []
    values = []
    for (const [index, value] of valuesDue.entries()) count(guard(labelsDue[index] ?? {}), value)
    end()
  })
  return (asked: AnyLabels, value = 1) => {
    if (!Number.isFinite(value)) return
    labels.push(asked)
    values.push(value)
    tally.note()
  }
}

/** Series with the same labels are added up and counted once. */
function summedUntilSettled(tally: Tally, guard: Guard, count: Count) {
  const sums = new Map<string, { labels: Guarded; sum: number }>()
  const add: Count = (labels, value) => {
    const key = Object.values(labels).join('\n')
    const known = sums.get(key)
    if (known) known.sum += value
    else sums.set(key, { labels, sum: value })
  }
  return keptUntilSettled(tally, guard, add, () => {
    for (const { labels, sum } of sums.values()) count(labels, sum)
    sums.clear()
  })
}

/** More names than the code has by far, few enough that a mistake cannot fill the memory. */
const boundedMax = 200

/** Types end where strings come from outside; this keeps a new value from opening a new time series. */
function labelGuard(rules: LabelRules): (labels: AnyLabels) => Record<string, string> {
  const guards = Object.entries(rules).map(([name, rule]) => [name, valueGuard(rule)] as const)
  return (labels) => {
    const result: Record<string, string> = {}
    for (const [name, guard] of guards) result[name] = guard(String(labels[name]))
    return result
  }
}

function valueGuard(rule: LabelRule): (value: string) => string {
  const seen = new Set<string>(rule === 'bounded' ? [] : 'known' in rule ? rule.known : rule)
  return (value) => {
    if (seen.has(value)) return value
    if (rule !== 'bounded' || seen.size >= boundedMax) return 'other'
    seen.add(value)
    return value
  }
}

/** One page of the pages of several processes: the lines of a metric stand together, under one description. */
export function mergeMetricPages(pages: readonly string[]): string {
  const samplesByHead = new Map<string, string[]>()
  for (const page of pages) {
    let samples: string[] = []
    let help = ''
    for (const line of page.split('\n')) {
      if (line.startsWith('# HELP ')) help = line
      else if (line.startsWith('# TYPE ')) {
        const head = `${help}\n${line}`
        samples = samplesByHead.get(head) ?? []
        samplesByHead.set(head, samples)
      } else if (line !== '') samples.push(line)
    }
  }
  return [...samplesByHead].map(([head, samples]) => `${[head, ...samples].join('\n')}\n`).join('\n')
}
