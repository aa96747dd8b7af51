import https from 'node:https'
import { afterEach, describe, expect, test } from 'vitest'
import { testCertificates } from '../tls.ts'
import { waitFor } from '../wait-for.ts'
import { type HostileReceiver, startHostileReceiver } from './hostile-receiver.ts'
import { dripBody, neverAnswer, resetConnection, respond, respondEarly, sendRaw } from './hostile-receiver-reactions.ts'

let receiver: HostileReceiver
afterEach(() => receiver.close())

describe('the hostile receiver', () => {
  test('answers 200 and records path, headers and the exact bytes', async () => {
    receiver = await startHostileReceiver()
    const body = Buffer.from([0, 255, 13, 10, 13, 10, 200])
    const answer = await fetch(`${receiver.url}/hook`, { method: 'POST', body, headers: { 'webhook-id': 'evt_1' } })
    expect(answer.status).toBe(200)
    expect(receiver.requests[0]).toMatchObject({ path: '/hook', method: 'POST', headers: { 'webhook-id': 'evt_1' } })
    expect(receiver.requests[0]?.body).toEqual(body)
  })

  test.each([
    ['plain', 'abc'],
    ['newline', '\nabc\r\n'],
    ['bom', '\uFEFFabc'],
    ['json', '{"challenge":"abc"}'],
    ['json-string', '"abc"'],
    ['form', 'challenge=abc'],
    ['wrong', '{"challenge":"abcx"}'],
    ['echo-request', '{"type":"webhook.verification","challenge":"abc"}'],
  ] as const)('echoes a challenge as %s', async (form, expected) => {
    receiver = await startHostileReceiver({ echo: form })
    const body = JSON.stringify({ type: 'webhook.verification', challenge: 'abc' })
    const answer = await fetch(receiver.url, { method: 'POST', body })
    expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(expected)
  })

  test('one-time reactions come first, then those of the path, then politeness', async () => {
    receiver = await startHostileReceiver()
    receiver.on('/hook', respond({ status: 500, body: 'no' }))
    receiver.next(respond({ status: 429, headers: { 'retry-after': ['1', '2'] } }))
    const statuses = []
    for (const path of ['/hook', '/hook', '/other']) statuses.push((await fetch(receiver.url + path)).status)
    expect(statuses).toEqual([429, 500, 200])
  })

  test('can stay silent, reset, drip, send garbage and answer early', async () => {
    receiver = await startHostileReceiver()
    receiver.next(neverAnswer())
    const patience = new AbortController()
    const unanswered = expect(fetch(receiver.url, { signal: patience.signal })).rejects.toThrow()
    // Given up before it arrives, it would leave its reaction to the next.
    await receiver.waitForRequests(1)
    patience.abort()
    await unanswered
    receiver.next(resetConnection({ early: true }))
    await expect(fetch(receiver.url, { method: 'POST', body: 'x' })).rejects.toThrow()
    receiver.next(sendRaw('SSH-2.0-OpenSSH\r\n', { close: true }))
    await expect(fetch(receiver.url)).rejects.toThrow()
    receiver.next(dripBody(200, 5))
    const dripping = await fetch(receiver.url)
    expect(dripping.status).toBe(200)
    await dripping.body?.cancel()
    receiver.next(respondEarly({ status: 413 }))
    expect((await fetch(receiver.url, { method: 'POST', body: 'x'.repeat(1000) })).status).toBe(413)
    await waitFor(() => receiver.openConnections <= 1)
  })

  test('serves TLS with the certificate it is given', async () => {
    const certificates = await testCertificates()
    receiver = await startHostileReceiver({ tls: certificates.trusted })
    const status = await new Promise((resolve, reject) => {
      const request = https.get(receiver.url, { ca: certificates.ca, agent: false }, (answer) =>
        resolve(answer.statusCode),
      )
      request.on('error', reject)
    })
    expect(status).toBe(200)
  })
})
