import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HostileReceiver, startHostileReceiver } from '../../../test/support/receiver/hostile-receiver.ts'
import { dripBody, hugeBody, neverAnswer, respond } from '../../../test/support/receiver/hostile-receiver-reactions.ts'
import { testCertificates } from '../../../test/support/tls.ts'
import { postLocal } from './post-local.ts'

const parcel = { headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' }, body: '{"text":"Olá 😀"}' }
const short = { headersMs: 2_000, bodyMs: 300 }

let receiver: HostileReceiver
beforeEach(async () => {
  receiver = await startHostileReceiver({ echo: 'none' })
})
afterEach(() => receiver.close())

function post(path = '/', url = receiver.url) {
  return postLocal(new URL(path, url), parcel, { ...short, signal: new AbortController().signal })
}

test('sends these headers and bytes, and adds only what HTTP needs', async () => {
  receiver.next(respond({ status: 201, body: 'made' }))
  expect(await post('/hooks?x=1')).toMatchObject({ statusCode: 201, body: 'made' })
  const [request] = receiver.requests
  expect(request?.path).toBe('/hooks?x=1')
  expect(request?.body.toString()).toBe(parcel.body)
  const host = new URL(receiver.url).host
  expect(request?.headers).toEqual({ ...parcel.headers, 'content-length': '20', host, connection: 'close' })
})

test('keeps the headers of the answer, without the cookies of the visitors of the receiver', async () => {
  receiver.next(respond({ headers: { 'x-shop': 'a', 'set-cookie': ['session=secret', 'b=1'] } }))
  const { headers } = (await post()) as { headers: Record<string, string> }
  expect(headers['x-shop']).toBe('a')
  expect(JSON.stringify(headers)).not.toContain('secret')
})

test('follows no redirect', async () => {
  receiver.next(respond({ status: 302, headers: { location: `${receiver.url}/else` } }))
  expect(await post()).toMatchObject({ statusCode: 302 })
  expect(receiver.requests).toHaveLength(1)
})

test('takes the status as soon as it is there, whatever the body does', async () => {
  receiver.next(dripBody(200, 20), hugeBody(200_000_000), respond({ body: 'a\u0000b' }))
  expect(await post()).toMatchObject({ statusCode: 200, body: expect.stringMatching(/^\.*$/) })
  const huge = await post()
  expect('body' in huge ? huge.body.length : 0).toBe(4_096)
  expect(await post()).toMatchObject({ body: 'a\uFFFDb' })
})

test('names what kept an answer away in a code and a sentence', async () => {
  const { host } = new URL(receiver.url)
  receiver.next(
    neverAnswer(),
    { run: ({ socket }) => void socket.destroy() },
    {
      run: ({ socket }) => void socket.end('SSH-2.0-OpenSSH\r\n'),
    },
  )
  const codes = [await post(), await post(), await post()].map((answer) => 'errorCode' in answer && answer.errorCode)
  expect(codes).toEqual(['timeout', 'connection_reset', 'protocol_error'])
  await receiver.close()
  const errorMessage = `Nothing listens on ${host}: start your server there.`
  expect(await post()).toMatchObject({ errorCode: 'connection_refused', errorMessage })
})

test.each(['selfSigned', 'expired', 'wrongName', 'trusted'] as const)(
  'does not take a certificate that is %s, when nothing vouches for it',
  async (name) => {
    const secure = await startHostileReceiver({ tls: (await testCertificates())[name] })
    try {
      expect(await post('/', secure.url)).toMatchObject({ errorCode: 'tls_error' })
      expect(secure.requests).toEqual([])
    } finally {
      await secure.close()
    }
  },
)
