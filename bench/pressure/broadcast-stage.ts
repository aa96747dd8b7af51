import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'undici'
import type { GatewayProcess } from '../gateway.ts'
import { cpuSecondsOf, residentMegabytesOf, runLoad } from '../harness.ts'

export const callers = 4

/** A gateway with broadcasts, as a client and as the machine see it. */
export class BroadcastStage {
  readonly #gateway: GatewayProcess
  readonly #client: Pool
  readonly #countMessages: StatementSync
  #people = 0

  constructor(gateway: GatewayProcess, client: Pool) {
    this.#gateway = gateway
    this.#client = client
    const database = new DatabaseSync(join(gateway.folder, 'postern.db'), { readOnly: true })
    this.#countMessages = database.prepare('select count(*) as sent from messages where broadcast_id = ?')
  }

  sends(seconds: number, pauseMs = 0) {
    let serial = 0
    const operation = async () => {
      const to = `+1555${String(serial++ % 5_000).padStart(7, '0')}`
      const body = JSON.stringify({ to, message: 'Your order A-1001 has been shipped.' })
      await this.call('POST', '/v1/chat/messages/send', body)
    }
    const cpuSeconds = () => cpuSecondsOf(this.#gateway.pid)
    return runLoad({ concurrency: callers, seconds, operation, pauseMs, cpuSeconds })
  }

  async draft(fields: object): Promise<string> {
    const parameters = ['{{name}}', '{{order}}', '{{total}}'].map((text) => ({ type: 'text', text }))
    const components = [{ type: 'body', parameters }]
    const draft = { name: 'Bench', template: 'order_confirmation', language: 'en_US', components, ...fields }
    return (await this.call('POST', '/v1/chat/broadcasts', JSON.stringify(draft))).id as string
  }

  async upload(id: string, count: number): Promise<void> {
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
    await this.call('POST', `/v1/chat/broadcasts/${id}/recipients`, pieces(), 'text/csv')
  }

  /** Messages to as many people, all due at `send_at`. */
  async plan(count: number, send_at: string): Promise<void> {
    let nth = 0
    const parameters = ['Ana', 'A-1001', '42.00 EUR'].map((text) => ({ type: 'text', text }))
    const usual = {
      template: 'order_confirmation',
      language: 'en_US',
      components: [{ type: 'body', parameters }],
      send_at,
    }
    const caller = async () => {
      while (nth < count) {
        const body = JSON.stringify({ ...usual, to: `+4917${10_000_000 + nth++}` })
        await this.call('POST', '/v1/chat/messages/template', body)
      }
    }
    await Promise.all(Array.from({ length: callers * 2 }, caller))
  }

  async isWaiting(): Promise<boolean> {
    const { messages } = await this.call('GET', '/v1/chat/messages?status=waiting&limit=1')
    return (messages as unknown[]).length > 0
  }

  /** How many messages a broadcast has, and when that was asked: its own counts are seconds old. */
  sentOf(id: string): { sent: number; at: number } {
    const { sent } = this.#countMessages.get(id) as { sent: number }
    return { sent, at: performance.now() }
  }

  act(id: string, action: string) {
    return this.call('POST', `/v1/chat/broadcasts/${id}/${action}`, '{}')
  }

  async call(
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
  async sent(): Promise<number> {
    const answer = await this.#client.request({ method: 'GET', path: '/v1/bench/metrics' })
    const page = await answer.body.text()
    return Number(/^postern_broadcast_recipients_total\{result="sent"\} (\d+)$/m.exec(page)?.[1] ?? 0)
  }

  async peakMemory(isDone: () => boolean): Promise<number> {
    let most = 0
    while (!isDone()) {
      most = Math.max(most, residentMegabytesOf(this.#gateway.pid))
      await delay(50)
    }
    return most
  }

  databaseBytes(): number {
    return statSync(join(this.#gateway.folder, 'postern.db')).size
  }
}
