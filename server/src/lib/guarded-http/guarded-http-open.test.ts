import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createGuardedHttp } from './guarded-http.ts'

const http = createGuardedHttp({ allow: ['127.0.0.0/8'], allowLoopback: false, connectMs: 10_000 })
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
afterAll(() => http.close())

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { url, connections }
}

// A process that stood still on a busy machine looks at its timers before it reads what has come meanwhile.
const limits = { headersMs: 30_000, idleMs: 30_000 }
const get = { method: 'GET', headers: {}, ...limits } as const
const megabyte = Buffer.alloc(1_048_576, 7)

describe('open', () => {
  test('gives the body as fast as it is read, and no faster', async () => {
    let sent = 0
    const { url } = await serve((_request, response) => {
      const source = Readable.from(
        (function* () {
          for (let count = 0; count < 40; count++) {
            sent++
            yield megabyte
          }
        })(),
      )
      source.pipe(response)
    })
    const outcome = await http.open({ ...get, url })
    if (outcome.kind !== 'response') throw new Error(outcome.message)
    const iterator = outcome.body[Symbol.asyncIterator]()
    await iterator.next()
    const sentAtFirst = sent
    expect(sentAtFirst).toBeLessThan(30)
    let bytes = 0
    for await (const chunk of outcome.body) bytes += chunk.length
    expect([sent, bytes > 39 * megabyte.length]).toEqual([40, true])
  })

  test('sends a body of known length from its beginning, again when the kept connection had been closed', async () => {
    const bodies: string[] = []
    const { url } = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString())
        response.end('done')
        // The next request finds its connection closed.
        setImmediate(() => request.socket.destroy())
      })
    })
    const read = async function* () {
      yield Buffer.from('half ')
      yield Buffer.from('and half')
    }
    for (let count = 0; count < 5; count++) {
      const put = { method: 'PUT', url, headers: { 'content-length': '13' }, body: read, ...limits } as const
      const outcome = await http.open(put)
      if (outcome.kind !== 'response') throw new Error(outcome.message)
      for await (const chunk of outcome.body) expect(Buffer.from(chunk).toString()).toBe('done')
    }
    expect(bodies).toEqual(Array.from({ length: 5 }, () => 'half and half'))
  })

  test('follows no redirect', async () => {
    const asked: (string | undefined)[] = []
    const { url } = await serve((request, response) => {
      asked.push(request.url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const outcome = await http.open({ ...get, url })
    expect(outcome).toMatchObject({ kind: 'response', statusCode: 307 })
    expect(asked).toEqual(['/'])
  })

  test('a body that stops coming, or whose connection is cut, ends with an error', async () => {
    for (const end of ['stall', 'cut'] as const) {
      const { url } = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('begin')
        if (end === 'cut') setTimeout(() => response.destroy(), 50)
      })
      const outcome = await http.open({ ...get, url, ...(end === 'stall' ? { idleMs: 300 } : {}) })
      if (outcome.kind !== 'response') throw new Error(outcome.message)
      const read = async () => {
        for await (const _ of outcome.body);
      }
      await expect(read()).rejects.toThrow(end === 'stall' ? 'did not come in time' : /closed the connection|length/)
    }
  })

  test('who lets go of a body drops the connection, also before the first piece was read', async () => {
    const { url, connections } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100000000' }).write(megabyte)
    })
    const outcome = await http.open({ ...get, url })
    if (outcome.kind !== 'response') throw new Error(outcome.message)
    Readable.from(outcome.body).destroy()
    await expect.poll(connections).toBe(0)
  })

  test('no headers in time, nobody there and a private address that is not listed are failures', async () => {
    const { url } = await serve(() => {})
    expect(await http.open({ ...get, url, headersMs: 200 })).toMatchObject({ kind: 'failure', code: 'timeout' })
    expect(await http.open({ ...get, url: 'http://127.0.0.1:1/' })).toMatchObject({ code: 'connection_refused' })
    expect(await http.open({ ...get, url: 'http://10.0.0.1/' })).toMatchObject({ code: 'blocked_address' })
  })
})
