import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTogether } from '../app.ts'

let server: Server
let started: { url: string | undefined; body: string }[]
const connect = () => net.connect((server.address() as AddressInfo).port, '127.0.0.1')
const post = (url: string) => `POST ${url} HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 5\r\n\r\nhello`

beforeEach(async () => {
  started = []
  server = createServer((request, response) => {
    started.push({ url: request.url, body: String(request.read()) })
    response.end()
  })
  startTogether(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.close()
})

test('a request starts when its whole body is there', async () => {
  const socket = connect()
  socket.end(post('/first'))
  await socket.resume().toArray()
  expect(started).toEqual([{ url: '/first', body: 'hello' }])
})

test('one whose client is gone before the end of the turn never starts', async () => {
  server.on('request', ({ url, socket }) => {
    if (url === '/gone') socket.destroy()
  })
  const leaves = connect()
  leaves.write(post('/gone'))
  await once(leaves.resume(), 'close')
  const stays = connect()
  stays.end(post('/here'))
  await stays.resume().toArray()
  expect(started.map(({ url }) => url)).toEqual(['/here'])
})
