import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Bench, startBench, until } from '../test-support.ts'

describe('one connection', () => {
  test('sends that arrive together are answered in order', async () => {
    await using bench = await startBench()
    const wire = open(bench)
    wire.socket.write([1, 2, 3].map((n) => send(bench, `m${n}`)).join(''))
    await until('three answers', () => answers(wire.text()).length === 3)
    expect(answers(wire.text())).toEqual([200, 200, 200])
    const opaque = bench.sandbox.control.messages().data.map((message) => message.biz_opaque_callback_data)
    expect(opaque).toEqual(['m1', 'm2', 'm3'])
    wire.socket.destroy()
  })

  test('a send cut into single bytes is still one send', async () => {
    await using bench = await startBench()
    const wire = open(bench)
    wire.socket.setNoDelay(true)
    for (const byte of Buffer.from(send(bench, 'olá/👋'))) {
      await new Promise((resolve) => wire.socket.write(Buffer.from([byte]), resolve))
    }
    await until('the answer', () => answers(wire.text()).length === 1)
    expect(bench.sandbox.control.messages().data[0]?.biz_opaque_callback_data).toBe('olá/👋')
    wire.socket.destroy()
  })

  test('it may carry a send, a read and a send again, even all at once', async () => {
    await using bench = await startBench()
    const wire = open(bench)
    const read = `GET /v26.0/${bench.number.phone_number_id} HTTP/1.1\r\n${head(bench)}\r\n`
    wire.socket.write(send(bench, 'a') + read + send(bench, 'b'))
    await until('three answers', () => answers(wire.text()).length === 3)
    wire.socket.write(send(bench, 'c'))
    await until('the fourth', () => answers(wire.text()).length === 4)
    expect(wire.text()).toContain('"verified_name"')
    expect(bench.sandbox.control.messages().data).toHaveLength(3)
    wire.socket.destroy()
  })

  test('a chunked send and one that expects 100-continue are understood', async () => {
    await using bench = await startBench()
    const body = content('chunked')
    const path = `POST /v26.0/${bench.number.phone_number_id}/messages HTTP/1.1\r\n${head(bench)}`
    const chunked = open(bench)
    const size = Buffer.byteLength(body).toString(16)
    chunked.socket.write(`${path}Transfer-Encoding: chunked\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`)
    await until('the answer', () => answers(chunked.text()).length === 1)
    const careful = open(bench)
    careful.socket.write(`${path}Expect: 100-continue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`)
    await until('the go-ahead', () => careful.text().startsWith('HTTP/1.1 100'))
    careful.socket.write(body)
    await until('the answer', () => careful.text().includes('HTTP/1.1 200'))
    expect(bench.sandbox.control.messages().data).toHaveLength(2)
    chunked.socket.destroy()
    careful.socket.destroy()
  })

  test('a refusal has its own status and leaves the connection usable', async () => {
    await using bench = await startBench()
    const wire = open(bench)
    wire.socket.write(send(bench, 'x'.repeat(600)) + send(bench, 'ok'))
    await until('both answers', () => answers(wire.text()).length === 2)
    expect(answers(wire.text())).toEqual([400, 200])
    wire.socket.destroy()
  })
})

function open(bench: Bench): { socket: Socket; text: () => string } {
  const socket = connect(bench.sandbox.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
  })
  return { socket, text: () => received }
}

function head(bench: Bench): string {
  const { access_token: token } = bench.number
  return `Host: 127.0.0.1:${bench.sandbox.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
}

function content(opaque: string): string {
  const text = { body: 'Hello' }
  return JSON.stringify({
    messaging_product: 'whatsapp',
    to: '+12025550100',
    type: 'text',
    text,
    biz_opaque_callback_data: opaque,
  })
}

function send(bench: Bench, opaque: string): string {
  const body = content(opaque)
  const line = `POST /v26.0/${bench.number.phone_number_id}/messages HTTP/1.1\r\n`
  return `${line}${head(bench)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

function answers(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]))
}
