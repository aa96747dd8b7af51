import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { type GatewayProcess, startGateway } from '../gateway.ts'
import { type Bench, cpuSecondsOf, median, type Row, residentMegabytesOf, round, type Section } from '../harness.ts'
import { BroadcastStage, callers } from './broadcast-stage.ts'

/** Rows of an upload; a million takes about a minute of a busy machine. */
const rows = Number(process.env.BENCH_ROWS ?? 300_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const rates = [20, 80, 250]
/** Messages that are due at the same moment, and numbers that send a broadcast at the same time. */
const due = Number(process.env.BENCH_DUE ?? 20_000)
const numbers = 100
/** Between two sends of a caller whose latency is measured: about 150 sends a second, which is not all that the machine can do. */
const betweenMs = 20

/** What bulk work costs, and what it costs those who send one message at the same time. */
export const broadcastsBench: Bench = {
  name: 'broadcasts',
  summary: 'uploads and sends of broadcasts and of what is due at once on SQLite, beside sends by API',
  async run() {
    const gateway = await startGateway(undefined, { customers: 5_000, plan: 'enterprise', numbers })
    const client = new Pool(gateway.url, { connections: callers + 4 })
    try {
      const stage = new BroadcastStage(gateway, client)
      const bench = new Measured(gateway, stage)
      await stage.sends(5)
      const uploads = await bench.uploads()
      const reads = await bench.reads()
      const sends = [await bench.beside(), await bench.throughput(), await bench.onManyNumbers(), await bench.cpu()]
      return [uploads, reads, ...sends, await bench.dueAtOnce()]
    } finally {
      await client.destroy()
      await gateway.stop()
    }
  },
}

class Measured {
  readonly #gateway: GatewayProcess
  readonly #stage: BroadcastStage
  #largest = ''

  constructor(gateway: GatewayProcess, stage: BroadcastStage) {
    this.#gateway = gateway
    this.#stage = stage
  }

  /** Lines of a file, and beside it what an API send has to wait for. */
  async uploads(): Promise<Section> {
    const quiet: number[] = []
    const busy: number[] = []
    const cpu: number[] = []
    const seconds: number[] = []
    const memory: number[] = []
    const before = residentMegabytesOf(this.#gateway.pid)
    const bytesBefore = this.#stage.databaseBytes()
    for (let at = 0; at < rounds; at++) {
      const calm = await this.#stage.sends(3, betweenMs)
      quiet.push(calm.p99Ms)
      const id = await this.#stage.draft({})
      this.#largest = id
      const cpuBefore = cpuSecondsOf(this.#gateway.pid)
      const startedAt = performance.now()
      let isDone = false
      const peak = this.#stage.peakMemory(() => isDone)
      const upload = this.#stage.upload(id, rows).finally(() => {
        isDone = true
        seconds.push((performance.now() - startedAt) / 1_000)
        cpu.push(cpuSecondsOf(this.#gateway.pid) - cpuBefore)
      })
      const beside = await this.#stage.sends(3, betweenMs)
      busy.push(beside.p99Ms)
      await upload
      // Less what the sends beside it took, at the price of the calm ones.
      cpu[at] = (cpu[at] ?? 0) - beside.operations * (calm.cpuSeconds / calm.operations)
      memory.push((await peak) - before)
    }
    return {
      title: `Uploads of ${rows} rows with three values, beside ${callers} callers`,
      rows: [
        {
          'CPU s for a million': round((median(cpu) / rows) * 1e6, 1),
          'seconds, median': round(median(seconds), 1),
          'bytes a recipient': Math.round((this.#stage.databaseBytes() - bytesBefore) / (rows * rounds)),
          'MB more, at most': Math.round(Math.max(...memory)),
          'p99 ms of a send, quiet': round(median(quiet)),
          'p99 ms beside an upload': round(median(busy)),
          ratio: round(median(busy.map((one, at) => one / (quiet[at] ?? Number.NaN)))),
        },
      ],
    }
  }

  /** Of the largest draft, what its page and its results ask for. */
  async reads(): Promise<Section> {
    const found: Row[] = []
    for (const path of ['estimate', 'recipients', 'recipients?result=failed']) {
      const took: number[] = []
      for (let at = 0; at < 5; at++) {
        const startedAt = performance.now()
        await this.#stage.call('GET', `/v1/chat/broadcasts/${this.#largest}/${path}`)
        took.push(performance.now() - startedAt)
      }
      found.push({ read: path, 'ms, median': round(median(took), 1), 'ms, at most': round(Math.max(...took), 1) })
    }
    return { title: `Reads of a broadcast of ${rows}`, rows: found }
  }

  /** A send by API while a broadcast goes on at 80 a second. */
  async beside(): Promise<Section> {
    const id = await this.#stage.draft({ max_per_second: 80 })
    await this.#stage.upload(id, 20_000)
    await this.#stage.act(id, 'start')
    const quiet: number[] = []
    const busy: number[] = []
    for (let at = 0; at < rounds; at++) {
      busy.push((await this.#stage.sends(8, betweenMs)).p99Ms)
      await this.#stage.act(id, 'pause')
      await delay(500)
      quiet.push((await this.#stage.sends(8, betweenMs)).p99Ms)
      await this.#stage.act(id, 'resume')
    }
    await this.#stage.act(id, 'cancel')
    const row = {
      'p99 ms, quiet': round(median(quiet)),
      'p99 ms beside a broadcast': round(median(busy)),
      ratio: round(median(busy.map((one, at) => one / (quiet[at] ?? Number.NaN)))),
    }
    return { title: `Sends by API beside a broadcast at 80 a second, ${callers} callers`, rows: [row] }
  }

  async throughput(): Promise<Section> {
    const found: Row[] = []
    for (const rate of rates) {
      const id = await this.#stage.draft({ max_per_second: rate })
      await this.#stage.upload(id, rate * 15)
      await this.#stage.act(id, 'start')
      await delay(2_000)
      const [first, startedAt] = [await this.#stage.sent(), performance.now()]
      await delay(8_000)
      const perSecond = ((await this.#stage.sent()) - first) / ((performance.now() - startedAt) / 1_000)
      await this.#stage.act(id, 'cancel')
      found.push({ limit: rate, 'per second': round(perSecond, 1), share: round(perSecond / rate, 3) })
    }
    return { title: 'Messages a second of a broadcast with a limit', rows: found }
  }

  /** Each with a limit of its own: none may be behind the others. */
  async onManyNumbers(): Promise<Section> {
    const [rate, seconds] = [4, 15]
    const ids = await Promise.all(
      Array.from({ length: numbers }, async (_, nth) => {
        const id = await this.#stage.draft({ from: this.#gateway.numbers[nth], max_per_second: rate })
        await this.#stage.upload(id, rate * seconds * 10)
        return id
      }),
    )
    for (const id of ids) await this.#stage.act(id, 'start')
    await delay(5_000)
    const before = ids.map((id) => this.#stage.sentOf(id))
    await delay(seconds * 1_000)
    const after = ids.map((id) => this.#stage.sentOf(id))
    for (const id of ids) await this.#stage.act(id, 'cancel')
    const shares = after.map(({ sent, at }, nth) => {
      const first = before[nth] ?? { sent: 0, at: 0 }
      return (sent - first.sent) / (((at - first.at) / 1_000) * rate)
    })
    const row = { 'least share': round(Math.min(...shares)), 'median share': round(median(shares)) }
    return { title: `${numbers} broadcasts on as many numbers, each limited to ${rate} a second`, rows: [row] }
  }

  async cpu(): Promise<Section> {
    const calm = await this.#stage.sends(4)
    const count = 10_000
    const id = await this.#stage.draft({ message_events: 'none' })
    await this.#stage.upload(id, count)
    const first = await this.#stage.sent()
    const [cpuBefore, startedAt] = [cpuSecondsOf(this.#gateway.pid), performance.now()]
    await this.#stage.act(id, 'start')
    while ((await this.#stage.sent()) - first < count) await delay(100)
    const each = ((cpuSecondsOf(this.#gateway.pid) - cpuBefore) / count) * 1e6
    const send = (calm.cpuSeconds / calm.operations) * 1e6
    const row = {
      'CPU us of a recipient': round(each, 1),
      'CPU us of a send by API': round(send, 1),
      share: round(each / send),
      'per second without a limit': Math.round(count / ((performance.now() - startedAt) / 1_000)),
    }
    return { title: `A broadcast to ${count} without a limit`, rows: [row] }
  }

  /** What waits for one moment, and a send by API right after it. */
  async dueAtOnce(): Promise<Section> {
    const calm = await this.#stage.sends(8, betweenMs)
    const at = Date.now() + 10_000 + due * 3
    await this.#stage.plan(due, new Date(at).toISOString())
    await delay(at - Date.now())
    const startedAt = performance.now()
    const busy = await this.#stage.sends(8, betweenMs)
    while (await this.#stage.isWaiting()) await delay(100)
    const row = {
      'p99 ms of a send, quiet': round(calm.p99Ms),
      'p99 ms in the 8 s after': round(busy.p99Ms),
      'seconds until none waits': round((performance.now() - startedAt) / 1_000, 1),
    }
    return { title: `${due} messages due at the same moment`, rows: [row] }
  }
}
