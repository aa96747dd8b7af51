import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { type GatewayProcess, startGateway } from '../gateway.ts'
import {
  type Bench,
  cpuSecondsOf,
  median,
  type Row,
  residentMegabytesOf,
  round,
  runLoad,
  type Section,
} from '../harness.ts'

/** Rows of an upload; a million takes about a minute of a busy machine. */
const rows = Number(process.env.BENCH_ROWS ?? 300_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const callers = 4
const rates = [20, 80, 250]

/** What bulk work costs, and what it costs those who send one message at the same time. */
export const broadcastsBench: Bench = {
  name: 'broadcasts',
  summary: 'uploads and sends of broadcasts on SQLite, beside sends by API',
  async run() {
    const gateway = await startGateway(undefined, { customers: 5_000, plan: 'enterprise' })
    const client = new Pool(gateway.url, { connections: callers + 4 })
    try {
      const bench = new Measured(gateway, client)
      await bench.sends(5)
      return [await bench.uploads(), await bench.beside(), await bench.throughput(), await bench.cpu()]
    } finally {
      await client.destroy()
      await gateway.stop()
    }
  },
}

class Measured {
  readonly #gateway: GatewayProcess
  readonly #client: Pool
  #people = 0

  constructor(gateway: GatewayProcess, client: Pool) {
    this.#gateway = gateway
    this.#client = client
  }

  /** Lines of a file, and beside it what an API send has to wait for. */
  async uploads(): Promise<Section> {
    const quiet: number[] = []
    const busy: number[] = []
    const cpu: number[] = []
    const seconds: number[] = []
    const memory: number[] = []
    const before = residentMegabytesOf(this.#gateway.pid)
    const bytesBefore = this.#databaseBytes()
    for (let at = 0; at < rounds; at++) {
      const calm = await this.sends(3)
      quiet.push(calm.p99Ms)
      const id = await this.#draft({})
      const cpuBefore = cpuSecondsOf(this.#gateway.pid)
      const startedAt = performance.now()
      let isDone = false
      const peak = this.#peakMemory(() => isDone)
      const upload = this.#upload(id, rows).finally(() => {
        isDone = true
        seconds.push((performance.now() - startedAt) / 1_000)
        cpu.push(cpuSecondsOf(this.#gateway.pid) - cpuBefore)
      })
      const beside = await this.sends(3)
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
          'bytes a recipient': Math.round((this.#databaseBytes() - bytesBefore) / (rows * rounds)),
          'MB more, at most': Math.round(Math.max(...memory)),
          'p99 ms of a send, quiet': round(median(quiet)),
          'p99 ms beside an upload': round(median(busy)),
          ratio: round(median(busy.map((one, at) => one / (quiet[at] ?? Number.NaN)))),
        },
      ],
    }
  }

  /** A send by API while a broadcast goes on at 80 a second. */
  async beside(): Promise<Section> {
    const id = await this.#draft({ max_per_second: 80 })
    await this.#upload(id, 20_000)
    await this.#act(id, 'start')
    const quiet: number[] = []
    const busy: number[] = []
    for (let at = 0; at < rounds; at++) {
      busy.push((await this.sends(4)).p99Ms)
      await this.#act(id, 'pause')
      await delay(500)
      quiet.push((await this.sends(4)).p99Ms)
      await this.#act(id, 'resume')
    }
    await this.#act(id, 'cancel')
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
      const id = await this.#draft({ max_per_second: rate })
      await this.#upload(id, rate * 15)
      await this.#act(id, 'start')
      await delay(2_000)
      const [first, startedAt] = [await this.#sent(), performance.now()]
      await delay(8_000)
      const perSecond = ((await this.#sent()) - first) / ((performance.now() - startedAt) / 1_000)
      await this.#act(id, 'cancel')
      found.push({ limit: rate, 'per second': round(perSecond, 1), share: round(perSecond / rate, 3) })
    }
    return { title: 'Messages a second of a broadcast with a limit', rows: found }
  }

  async cpu(): Promise<Section> {
    const calm = await this.sends(4)
    const count = 10_000
    const id = await this.#draft({ message_events: 'none' })
    await this.#upload(id, count)
    const first = await this.#sent()
    const [cpuBefore, startedAt] = [cpuSecondsOf(this.#gateway.pid), performance.now()]
    await this.#act(id, 'start')
    while ((await this.#sent()) - first < count) await delay(100)
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

  sends(seconds: number) {
    let serial = 0
    const operation = async () => {
      const to = `+1555${String(serial++ % 5_000).padStart(7, '0')}`
      const body = JSON.stringify({ to, message: 'Your order A-1001 has been shipped.' })
      await this.#call('POST', '/v1/chat/messages/send', body)
    }
    return runLoad({ concurrency: callers, seconds, operation, cpuSeconds: () => cpuSecondsOf(this.#gateway.pid) })
  }

  async #draft(fields: object): Promise<string> {
    const parameters = ['{{name}}', '{{order}}', '{{total}}'].map((text) => ({ type: 'text', text }))
    const components = [{ type: 'body', parameters }]
    const draft = { name: 'Bench', template: 'order_confirmation', language: 'en_US', components, ...fields }
    return (await this.#call('POST', '/v1/chat/broadcasts', JSON.stringify(draft))).id as string
  }

  async #upload(id: string, count: number): Promise<void> {
    const from = this.#people
    this.#people += count
    async function* pieces() {
      yield 'to,name,order,total\n'
      for (let at = 0; at < count; at += 1_000) {
        const lines = Array.from({ length: Math.min(1_000, count - at) }, (_, line) => {
          const nth = from + at + line
          return `+4915${10_000_000 + nth},Ana ${nth},A-${nth},42.00 EUR\n`
        })
        yield lines.join('')
      }
    }
    await this.#call('POST', `/v1/chat/broadcasts/${id}/recipients`, pieces(), 'text/csv')
  }

  #act(id: string, action: string) {
    return this.#call('POST', `/v1/chat/broadcasts/${id}/${action}`, '{}')
  }

  async #call(
    method: 'GET' | 'POST',
    path: string,
    body?: string | AsyncIterable<string>,
    type = 'application/json',
  ): Promise<Record<string, unknown>> {
    const headers = { ...this.#gateway.headers, 'content-type': type }
    const answer = await this.#client.request({
      method,
      path,
      headers,
      body: body as never,
      bodyTimeout: 0,
      headersTimeout: 0,
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} was answered ${answer.statusCode} ${text}`)
    return (JSON.parse(text) as { data: Record<string, unknown> }).data
  }

  /** Recipients for whom Meta took the message, so far. */
  async #sent(): Promise<number> {
    const answer = await this.#client.request({ method: 'GET', path: '/v1/bench/metrics' })
    const page = await answer.body.text()
    return Number(/^postern_broadcast_recipients_total\{result="sent"\} (\d+)$/m.exec(page)?.[1] ?? 0)
  }

  async #peakMemory(isDone: () => boolean): Promise<number> {
    let most = 0
    while (!isDone()) {
      most = Math.max(most, residentMegabytesOf(this.#gateway.pid))
      await delay(50)
    }
    return most
  }

  #databaseBytes(): number {
    return statSync(join(this.#gateway.folder, 'postern.db')).size
  }
}
