import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { startProcess } from '../test/support/child-process.ts'
import { type Bench, type Contestant, compare, cpuSecondsOf, runLoad } from './harness.ts'

const connections = 32

/** The far end of every other bench must never be what limits it: sends answered per second by `postern sandbox`. */
export const sandboxBench: Bench = {
  name: 'sandbox',
  summary: 'sends taken by the simulated platform alone, with callbacks for each of them',
  async run() {
    const rows = await compare({
      contestants: [sandbox('text, one callback each', text), sandbox('template, three callbacks each', template)],
      seconds: 3,
    })
    const withRate = rows.map((row) => ({ ...row, 'per core second': Math.round(1e6 / Number(row['CPU us, median'])) }))
    return [{ title: `Sends to the sandbox, ${connections} connections, callbacks received`, rows: withRate }]
  },
}

type Place = { phone_number_id: string; access_token: string; waba_id: string; app_id: string; app_secret: string }
type Body = (to: string) => object

const text: Body = (to) => ({ type: 'text', to, text: { body: 'Your order A-1001 has been shipped.' } })
const template: Body = (to) => ({
  type: 'template',
  to,
  template: { name: 'hello_world', language: { code: 'en_US' } },
})

function sandbox(name: string, bodyOf: Body): Contestant {
  return {
    name,
    async start() {
      const server = startProcess(process.execPath, [
        'cli/bin/postern.js',
        'sandbox',
        '--port',
        '0',
        '--json',
        '--development',
        '--unlimited',
      ])
      const ready = JSON.parse(await server.line((line) => line.includes('"ready"'))) as {
        sandbox_url: string
        numbers: Place[]
      }
      const place = ready.numbers[0]
      if (!place) throw new Error('the sandbox has no number')
      const receiver = await startReceiver()
      await subscribe(ready.sandbox_url, place, receiver.url)
      const port = Number(new URL(ready.sandbox_url).port)
      const lines = await Promise.all(Array.from({ length: connections }, () => openLine(port)))
      const idle = [...lines]
      let serial = 0
      const operation = async () => {
        const line = idle.pop()
        if (!line) throw new Error('more callers than connections')
        const to = `1666${String(serial++ % 10_000_000).padStart(7, '0')}`
        await line.ask(requestText(place, { messaging_product: 'whatsapp', ...bodyOf(to) }))
        idle.push(line)
      }
      return {
        run: (seconds) =>
          runLoad({ concurrency: connections, seconds, operation, cpuSeconds: () => cpuSecondsOf(server.pid) }),
        async stop() {
          for (const line of lines) line.close()
          await server.destroy()
          receiver.close()
        },
      }
    },
  }
}

function requestText({ phone_number_id, access_token }: Place, body: object): string {
  const content = JSON.stringify(body)
  return `POST /v26.0/${phone_number_id}/messages HTTP/1.1\r\nhost: platform.test\r\nauthorization: Bearer ${access_token}\r\ncontent-type: application/json\r\ncontent-length: ${content.length}\r\n\r\n${content}`
}

type Line = { ask(request: string): Promise<void>; close(): void }

/** One connection, one request at a time. A full HTTP client would use more CPU than the sandbox and measure itself. */
async function openLine(port: number): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.setEncoding('latin1')
  let answered: ((answer: string) => void) | null = null
  socket.on('data', (answer: string) => answered?.(answer))
  return {
    async ask(request) {
      const answer = await new Promise<string>((resolve) => {
        answered = resolve
        socket.write(request)
      })
      if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`the sandbox answered ${answer}`)
    },
    close: () => socket.destroy(),
  }
}

async function subscribe(sandboxUrl: string, place: Place, url: string): Promise<void> {
  const { waba_id, access_token, app_id, app_secret } = place
  const post = async (path: string, token: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${sandboxUrl}/v26.0/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`the subscription was answered ${answer.status}`)
  }
  const app = { object: 'whatsapp_business_account', callback_url: url, verify_token: 'bench', fields: 'messages' }
  await post(`${app_id}/subscriptions`, `${app_id}|${app_secret}`, app)
  await post(`${waba_id}/subscribed_apps`, access_token, {})
}

/** Answers the handshake, takes every callback. */
async function startReceiver(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? '/', 'http://receiver.test').searchParams.get('hub.challenge')
    request.resume().on('end', () => response.writeHead(200).end(challenge ?? ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
