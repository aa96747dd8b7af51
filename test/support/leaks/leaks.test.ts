import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { newConnectionCredentials } from '../../../server/src/access/keys/credentials.ts'
import { keepSecrets, searchAnswersOf, searchCallback, searchLog, takeLeaks } from './leaks.ts'

const metas = `EAA${'0A'.repeat(72)}`
const { publicKey, secret } = newConnectionCredentials()
const tools = `${publicKey}_${secret}`
const appSecret = 'c0ffee'.repeat(6).slice(0, 32)
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** How many of what a server sends are found, asked at this address. */
async function foundAt(url: string, ...sent: string[]): Promise<number> {
  const queue = [...sent]
  const server = createServer((_request, response) => {
    const piece = queue.shift() ?? ''
    if (piece.startsWith('link: ')) response.writeHead(200, { link: piece.slice(6) }).end()
    else response.writeHead(200).end(Buffer.from(piece))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  ends.push(searchAnswersOf(port), () => server.close())
  for (const _ of sent) await (await fetch(`http://127.0.0.1:${port}${url}`)).text()
  return takeLeaks().length
}

test('what a log must not have is found, and not told', () => {
  ends.push(keepSecrets('connection', appSecret))
  for (const word of [metas, tools, `pts_${secret}`, appSecret]) {
    searchLog(`{"path":"/graph/me?access_token=${word}"}`)
    const [sentence, ...more] = takeLeaks()
    expect([sentence, more]).toEqual([expect.stringContaining('a line of the log has a secret'), []])
    expect(sentence).not.toContain(word)
  }
  searchLog(`{"key":"${publicKey}"}`)
  expect(takeLeaks()).toEqual([])
})

test('what a tool must not get is found', () => {
  const end = keepSecrets('meta', appSecret)
  for (const word of [metas, tools, appSecret]) searchCallback(JSON.stringify({ entry: [word] }))
  expect(takeLeaks()).toHaveLength(3)
  end()
  searchCallback(appSecret)
  expect(takeLeaks()).toEqual([])
})

test('what an answer must not have is found in its head and its body, on every route', async () => {
  ends.push(keepSecrets('meta', appSecret))
  expect(await foundAt('/v1/auth/me', `{"next":"?access_token=${metas}"}`)).toBe(1)
  expect(await foundAt('/v1/auth/me', `link: <?access_token=${metas}>`)).toBe(1)
  expect(await foundAt('/console', `"${appSecret}"`)).toBe(1)
})

test('the token of a connection is answered to who wrote it into the address, and shown by the console', async () => {
  expect(await foundAt('/graph/1/message_templates', `"${tools}"`)).toBe(1)
  expect(await foundAt(`/graph/1/message_templates?access_token=${tools}`, `"${tools}"`)).toBe(0)
  expect(await foundAt('/console/api/connections', `"${tools}"`)).toBe(0)
})
