import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** One measured stretch of one contestant. CPU is that of the process under test, all its threads. */
export type Sample = {
  readonly operations: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU of the contestant's database server, where it has one. */
  readonly databaseCpuSeconds?: number
  /** Share of the time in which the main loop was busy; only known when the contestant runs in this process. */
  readonly loopUse?: number
}

/** Started once, then run in turns with the others, so that a noisy neighbour of the machine hits all alike. */
export type Contestant = {
  readonly name: string
  /** What it does and what it leaves out, beside its figure. */
  readonly does?: string
  start(): Promise<Running>
}
/** `callers` is how many ask at once, where the bench compares that. */
export type Running = { run(seconds: number, callers: number): Promise<Sample>; stop(): Promise<void> }

export type Row = Readonly<Record<string, string | number>>
export type Section = { readonly title: string; readonly rows: readonly Row[] }
export type Bench = { readonly name: string; readonly summary: string; run(): Promise<Section[]> }

/** What one leaves behind, in its process and its database, is done in a pause and not in the time of the next. */
const pauseMs = Number(process.env.BENCH_PAUSE_MS ?? 1_000)

type Plan = { contestants: readonly Contestant[]; rounds?: number; seconds?: number; warmUpSeconds?: number }

/** Ratios are to the first contestant, taken inside each round: absolute rates of two runs cannot be compared. */
export async function compare(plan: Plan): Promise<Row[]> {
  return (await compareAt([1], plan)).get(1) ?? []
}

/** The same with several numbers of callers in every round; rows by number. */
export async function compareAt(
  levels: readonly number[],
  { contestants, rounds = 5, seconds = 2, warmUpSeconds = 0.5 }: Plan,
): Promise<Map<number, Row[]>> {
  const running: { contestant: Contestant; live: Running; samples: Map<number, Sample[]> }[] = []
  try {
    for (const contestant of contestants) {
      const samples = new Map(levels.map((level): [number, Sample[]] => [level, []]))
      running.push({ contestant, live: await contestant.start(), samples })
    }
    for (const { live } of running) await live.run(warmUpSeconds, Math.max(...levels))
    for (let round = 0; round < rounds; round++) {
      for (const level of levels) {
        for (const { live, samples } of orderOf(running, round)) {
          await delay(pauseMs)
          samples.get(level)?.push(await live.run(seconds, level))
        }
      }
    }
  } finally {
    for (const { live } of running) await live.stop()
  }
  return new Map(
    levels.map((level) => {
      const base = running[0]?.samples.get(level)?.map(rateOf) ?? []
      return [level, running.map(({ contestant, samples }) => toRow(contestant, samples.get(level) ?? [], base))]
    }),
  )
}

/**
 * What one leaves to its database is done in the time of the next, so every second round goes backwards and each follows two
 * others in turn. None follows itself: with its code still in the caches it would be 6 % faster than one that stood still.
 */
function orderOf<One>(all: readonly One[], round: number): readonly One[] {
  const [last, ...others] = all.toReversed()
  return round % 2 === 0 || last === undefined ? all : [...others, last]
}

function rateOf({ operations, seconds }: Sample): number {
  return operations / seconds
}

function toRow({ name, does }: Contestant, samples: readonly Sample[], base: readonly number[]): Row {
  const rates = samples.map(rateOf)
  const ratios = rates.map((rate, round) => rate / (base[round] ?? Number.NaN))
  const cpu = samples.map(({ cpuSeconds, operations }) => (cpuSeconds / operations) * 1e6)
  const loopUse = samples.flatMap((sample) => sample.loopUse ?? [])
  const database = samples.flatMap(({ databaseCpuSeconds, operations }) =>
    databaseCpuSeconds === undefined ? [] : (databaseCpuSeconds / operations) * 1e6,
  )
  return {
    contestant: name,
    'per second, median': Math.round(median(rates)),
    best: Math.round(Math.max(...rates)),
    ratio: round(median(ratios)),
    'CPU us, median': round(median(cpu), 1),
    least: round(Math.min(...cpu), 1),
    'p50 ms': round(median(samples.map(({ p50Ms }) => p50Ms))),
    'p99 ms': round(median(samples.map(({ p99Ms }) => p99Ms))),
    'main loop': loopUse.length > 0 ? round(median(loopUse)) : '',
    ...(does === undefined
      ? {}
      : { 'CPU us of PostgreSQL': database.length > 0 ? round(median(database), 1) : '', 'what it does': does }),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}

type Load = {
  readonly concurrency: number
  readonly seconds: number
  readonly operation: () => Promise<unknown>
  /** What a caller waits between two operations. Without it, callers alone keep the machine busy. */
  readonly pauseMs?: number
  /** CPU seconds used so far by the process under test; this one when left out. */
  readonly cpuSeconds?: () => number
  /** The same of its database server. */
  readonly databaseCpuSeconds?: (() => number) | undefined
}

/** `concurrency` callers, each starting its next operation when the last one is done. */
export async function runLoad(load: Load): Promise<Sample> {
  const { concurrency, seconds, operation, pauseMs = 0, cpuSeconds = ownCpuSeconds, databaseCpuSeconds } = load
  const latencies: number[] = []
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1000
  const cpuBefore = cpuSeconds()
  const databaseBefore = databaseCpuSeconds?.() ?? 0
  const loopBefore = performance.eventLoopUtilization()
  const caller = async () => {
    while (performance.now() < endAt) {
      const at = performance.now()
      await operation()
      latencies.push(performance.now() - at)
      if (pauseMs > 0) await delay(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  const took = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  return {
    operations: latencies.length,
    seconds: took,
    cpuSeconds: cpuSeconds() - cpuBefore,
    ...(databaseCpuSeconds ? { databaseCpuSeconds: databaseCpuSeconds() - databaseBefore } : {}),
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    ...(cpuSeconds === ownCpuSeconds ? { loopUse: performance.eventLoopUtilization(loopBefore).utilization } : {}),
  }
}

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const ticksPerSecond = 100

/** What process.cpuUsage() would say inside that process, seen from outside in steps of 10 ms. Linux only. */
export function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The same of a child, which may end at any moment; its parent has its time then. */
function cpuSecondsOfChild(pid: number): number {
  try {
    return cpuSecondsOf(pid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** Of a process and the children it started, those that have ended included: a PostgreSQL server is such a family. */
export function cpuSecondsOfFamily(pid: number): number {
  const fields = statOf(pid)
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOfChild(child), cpuSecondsOf(pid) + ended)
}

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** The fields of /proc/<pid>/stat behind the program's name. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

export function residentMegabytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
