import { readdirSync, readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { startCheckedReceiver } from './hostile-receiver-oracle.ts'
import { respondEarly } from './hostile-receiver-reactions.ts'

const [mine, former, stranger] = ['mine', 'former', 'of a stranger']
const body = '{"id":"evt_1"}'

function signed(...secrets: string[]): Record<string, string> {
  const at = new Date(Date.UTC(2031, 0, 1))
  const signatures = secrets.map((secret) => new Webhook(secret, { format: 'raw' }).sign('evt_1', at, body))
  const standard = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(at.getTime() / 1_000) }
  return secrets.length === 0 ? standard : { ...standard, 'webhook-signature': signatures.join(' ') }
}

describe('the receiver that checks what arrives', () => {
  test.each([
    ['its secret', signed(mine), [mine]],
    ['two secrets during a rotation', signed(mine, former), [former, mine]],
    ['no secret, and none is known', signed(), [null]],
  ])('is content with %s, whatever the date', async (_, headers, secrets) => {
    const receiver = await startCheckedReceiver(secrets)
    await fetch(receiver.url, { method: 'POST', body, headers })
    await expect(receiver.close()).resolves.toBeUndefined()
  })

  test.each([
    ['another secret', signed(stranger), body, /No matching signature/],
    ['a secret that is no longer in force beside the right one', signed(mine, former), body, /No matching signature/],
    ['no signature', signed(), body, /not signed/],
    ['other bytes', signed(mine), `${body} `, /No matching signature/],
    ['another time', { ...signed(mine), 'webhook-timestamp': '1' }, body, /No matching signature/],
    ['no header of the standard', {}, body, /missing/],
  ])('fails its test for %s', async (_, headers, sent, problem) => {
    const receiver = await startCheckedReceiver([mine])
    await fetch(receiver.url, { method: 'POST', body: sent, headers: headers as Record<string, string> })
    await expect(receiver.close()).rejects.toThrow(problem)
  })

  test('knows secrets by path, and checks requests that were answered before they had been read', async () => {
    const receiver = await startCheckedReceiver([mine])
    receiver.expectSecrets('/own', former)
    receiver.on('/own', respondEarly({ status: 413 }))
    await fetch(`${receiver.url}/own`, { method: 'POST', body, headers: signed(former) })
    await fetch(`${receiver.url}/own`, { method: 'POST', body, headers: signed(mine) })
    await expect(receiver.close()).rejects.toThrow(/^Not genuine: 1, the first \/own evt_1/)
  })

  test('is the only kind of receiver that tests of deliveries use', () => {
    const folder = new URL('../../webhooks/', import.meta.url)
    const files = readdirSync(folder).filter((name) => /^webhooks-.*\.test\.ts$/.test(name))
    const others = files.filter((name) => readFileSync(new URL(name, folder), 'utf8').includes('startHostileReceiver'))
    expect(files.length).toBeGreaterThan(10)
    expect(others).toEqual([])
  })
})
