import { describe, expect, test } from 'vitest'
import { departFromContract } from '../../../test/support/contract/violations.ts'
import { list, record } from '../http/json.ts'
import { errorIn, type Receiver, signatureOf, startBench, startReceiver, subscribe, until } from '../test-support.ts'

const CUSTOMER = '+12025550100'

describe('delivery of callbacks', () => {
  test('the signature fits the raw bytes, which are pure ASCII with escaped slashes', async () => {
    await using bench = await startBench()
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Olá 👋 a/b', name: 'Zoë' })
    await until('a callback', () => bench.receiver.messages().length === 1)
    const [{ raw, headers, body } = fail()] = bench.receiver.received
    expect(headers['x-hub-signature-256']).toBe(signatureOf(bench.number.app_secret, raw))
    expect(headers['user-agent']).toBe('facebookexternalua')
    expect(raw.toString('latin1')).toContain('Ol\\u00e1 \\ud83d\\udc4b a\\/b')
    expect(raw.every((byte) => byte < 0x7f)).toBe(true)
    expect(signatureOf(bench.number.app_secret, Buffer.from(JSON.stringify(body)))).not.toBe(
      headers['x-hub-signature-256'],
    )
    expect(bench.receiver.messages()[0]).toMatchObject({ text: { body: 'Olá 👋 a/b' } })
  })

  test('the envelope names the account, the number and the customer', async () => {
    await using bench = await startBench()
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi', name: 'Ana' })
    await until('a callback', () => bench.receiver.messages().length === 1)
    const [entry] = list(bench.receiver.received[0]?.body.entry).map(record)
    expect(entry).not.toHaveProperty('time')
    expect(entry?.id).toBe(bench.number.waba_id)
    expect(bench.receiver.values('messages')[0]).toMatchObject({
      messaging_product: 'whatsapp',
      metadata: {
        display_phone_number: bench.number.phone_number.slice(1),
        phone_number_id: bench.number.phone_number_id,
      },
      contacts: [{ wa_id: '12025550100', profile: { name: 'Ana' }, user_id: expect.stringMatching(/^US\.\d+$/) }],
    })
  })

  test('anything but 200 is tried again: at once, then with growing pauses', async () => {
    await using bench = await startBench({ scenario: { callbacks: { retry_scale: 0.01 } } })
    bench.receiver.answer = (nth) => [201, 500, 302, 200][nth - 1] ?? 200
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    await until('four attempts', () => bench.receiver.received.length === 4)
    await until('the end', () => bench.sandbox.control.callbacks().data[0]?.state === 'delivered')
    expect(bench.sandbox.control.callbacks().data[0]?.attempts.map((attempt) => attempt.status)).toEqual([
      201, 500, 302, 200,
    ])
    expect(new Set(bench.receiver.received.map(({ raw }) => raw.toString())).size).toBe(1)
  })

  test('a receiver that does not answer is a failure after the time-out', async () => {
    await using bench = await startBench({ scenario: { callbacks: { timeout_ms: 30 } } })
    bench.receiver.answer = (nth) => (nth === 1 ? 0 : 200)
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    await until('the second attempt', () => bench.receiver.received.length === 2)
    expect(bench.sandbox.control.callbacks().data[0]?.attempts[0]).toMatchObject({
      status: null,
      error: expect.stringContaining('30 ms'),
    })
  })

  test('after a week the platform gives up', async () => {
    await using bench = await startBench()
    bench.receiver.answer = () => 503
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    await until('the second attempt', () => (bench.sandbox.control.callbacks().data[0]?.attempts.length ?? 0) >= 2)
    bench.sandbox.control.advance(8 * 24 * 3_600_000)
    await until('the end', () => bench.sandbox.control.callbacks().data[0]?.state === 'given_up')
  })

  test('a thousand updates travel together and no batch is larger', async () => {
    await using bench = await startBench({ scenario: { callbacks: { concurrency: 1, flush_ms: 20 } } })
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi', repeat: 2500 })
    await until('all messages', () => bench.receiver.messages().length === 2500)
    const sizes = bench.receiver.values('messages').map((value) => list(value.messages).length)
    expect(sizes).toEqual([1000, 1000, 500])
    expect(new Set(bench.receiver.messages().map((message) => message.id)).size).toBe(2500)
  })

  test('no body is larger than 3 MB, and what does not fit travels in the next', async () => {
    await using bench = await startBench({ scenario: { callbacks: { concurrency: 1, flush_ms: 20 } } })
    // 4,096 characters are six bytes each on the wire: 130 of them are 3.2 MB.
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'é'.repeat(4_096), repeat: 130 })
    await until('all messages', () => bench.receiver.messages().length === 130)
    expect(Math.max(...bench.receiver.received.map(({ raw }) => raw.length))).toBeLessThanOrEqual(3_000_000)
    expect(bench.receiver.received).toHaveLength(2)
    expect(new Set(bench.receiver.messages().map((message) => message.id)).size).toBe(130)
  })

  test('a failure at one app of an account tells the others again, once and at their own address', async () => {
    await using bench = await startBench({ scenario: { callbacks: { fan_out_retry: true, retry_scale: 0.001 } } })
    const { body: app } = await bench.control('POST', '/apps', {})
    const second = await startReceiver()
    try {
      await subscribe(bench, app as { app_id: string; app_secret: string; access_token: string }, second.url)
      bench.receiver.answer = (nth) => (nth < 4 ? 500 : 200)
      bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
      await until('the failing one', () => bench.receiver.received.length === 4)
      await until('the other, twice', () => second.messages().length === 2)
      await until('the end', () => bench.sandbox.control.callbacks().data.every(({ state }) => state === 'delivered'))
      // One body or two: the second telling may still catch the first.
      const signed = second.received.map(({ headers }) => headers['x-hub-signature-256'])
      expect(signed).toEqual(second.received.map(({ raw }) => signatureOf(String(app.app_secret), raw)))
      expect(new Set(second.messages().map((message) => message.id)).size).toBe(1)
      expect(bench.receiver.messages()).toHaveLength(4)
    } finally {
      await second.close()
    }
  })

  test('nothing from before a reset arrives after it: neither what waits, nor what is tried again, nor what was planned', async () => {
    await using bench = await startBench({ scenario: { callbacks: { flush_ms: 5, retry_scale: 0.001 } } })
    const { control } = bench.sandbox
    bench.receiver.answer = () => 500
    control.inbound({ from: CUSTOMER, text: 'tried again' })
    await until('a failure', () => bench.receiver.received.length > 0)
    await bench.text(CUSTOMER)
    control.inbound({ from: CUSTOMER, text: 'waits' })
    control.reset()
    bench.receiver.answer = () => 200
    const before = bench.receiver.received.length
    control.advance(60_000)
    control.inbound({ from: CUSTOMER, text: 'after' })
    const texts = () => bench.receiver.received.slice(before).map(({ body }) => JSON.stringify(body))
    await until('the first after it', () => texts().some((text) => text.includes('"after"')))
    await until('the end', () => control.callbacks().data.every(({ state }) => state === 'delivered'))
    // One attempt may have been on its way at that moment; nothing is begun again.
    expect(texts().filter((text) => /"waits"|"statuses"/.test(text))).toEqual([])
    expect(texts().filter((text) => text.includes('"tried again"')).length).toBeLessThanOrEqual(1)
  })

  test('two events with the same words have different times, and one that is told twice has one time', async () => {
    await using bench = await startBench({ scenario: { callbacks: { batch_max: 1, duplicate: 1 } } })
    const event = {
      field: 'security',
      value: { display_phone_number: bench.number.phone_number.slice(1), event: 'PIN_CHANGED' },
    }
    bench.sandbox.control.event(event)
    bench.sandbox.control.event(event)
    await until('all four', () => bench.receiver.received.length === 4)
    const times = bench.receiver.received.map(({ body }) => Number(record(list(body.entry)[0]).time))
    expect(new Set(times).size).toBe(2)
    expect(Math.max(...times) - Math.min(...times)).toBe(1)
  })

  test('batches can be made as small as one', async () => {
    await using bench = await startBench({ scenario: { callbacks: { batch_max: 1 } } })
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi', repeat: 5 })
    await until('all messages', () => bench.receiver.messages().length === 5)
    expect(bench.receiver.received).toHaveLength(5)
  })

  test('members nobody documented can appear everywhere', async () => {
    departFromContract(/sandbox_unknown/)
    await using bench = await startBench({ scenario: { callbacks: { unknown_fields: true, unknown_types: 1 } } })
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    await until('both messages', () => bench.receiver.messages().length === 2)
    expect(bench.receiver.received[0]?.body).toHaveProperty('sandbox_unknown')
    expect(bench.receiver.messages()[1]?.type).toBe('hologram')
  })
})

describe('where callbacks go', () => {
  test('an address is saved only after it echoed the challenge with 200', async () => {
    await using bench = await startBench()
    const path = `${bench.number.waba_id}/subscribed_apps`
    const good = { override_callback_uri: bench.receiver.url, verify_token: 'secret word' }
    expect(bench.receiver.handshakes[0]?.get('hub.mode')).toBe('subscribe')
    const elsewhere = { ...good, override_callback_uri: `${bench.receiver.url}/elsewhere` }
    for (const answer of [
      { status: 403, body: '' },
      { status: 200, body: 'wrong' },
      { status: 201, body: '' },
    ]) {
      bench.receiver.challengeAnswer = (challenge) => ({ ...answer, body: answer.body || challenge })
      expect(errorIn(await bench.call('POST', path, elsewhere)).code).toBe(2200)
    }
    const { body } = await bench.call('GET', path)
    expect(record(list(body.data)[0]).override_callback_uri).toBe(bench.receiver.url)
    expect(bench.receiver.handshakes.at(-1)?.get('hub.verify_token')).toBe('secret word')
  })

  test('an override is refused with #100 until the app hears messages and is subscribed to the account', async () => {
    await using bench = await startBench()
    const fresh = bench.sandbox.control.createNumber()
    const asUser = { authorization: `Bearer ${fresh.access_token}` }
    const asApp = { authorization: `Bearer ${fresh.app_id}|${fresh.app_secret}` }
    const override = { override_callback_uri: bench.receiver.url, verify_token: 'v' }
    const path = `${fresh.waba_id}/subscribed_apps`
    const refused = async () => {
      const error = errorIn(await bench.call('POST', path, override, asUser))
      expect(error).toMatchObject({
        code: 100,
        message: expect.stringContaining('Before override the current callback'),
      })
    }
    const { body } = await bench.call('GET', `${fresh.app_id}/subscriptions`, undefined, asApp)
    expect(body.data).toEqual([])
    await bench.call('POST', path, undefined, asUser)
    await refused()
    await bench.call('DELETE', path, undefined, asUser)
    const app = { object: 'whatsapp_business_account', callback_url: bench.receiver.url, verify_token: 'v' }
    await bench.call('POST', `${fresh.app_id}/subscriptions`, { ...app, fields: 'messages,account_update' }, asApp)
    await refused()
    await bench.call('POST', path, undefined, asUser)
    expect((await bench.call('POST', path, override, asUser)).body).toEqual({ success: true })
  })

  test('only the fields of messages follow an override; templates and accounts go to the app', async () => {
    await using bench = await startBench()
    await using app = await disposable(startReceiver())
    const { app_id: id, app_secret: secret } = bench.number
    const address = { object: 'whatsapp_business_account', callback_url: app.url, verify_token: 'v' }
    await bench.call('POST', `${id}/subscriptions`, address, { authorization: `Bearer ${id}|${secret}` })
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    bench.sandbox.control.event({
      field: 'security',
      value: { display_phone_number: bench.number.phone_number.slice(1), event: 'PIN_CHANGED' },
    })
    await until('both', () => bench.receiver.messages().length === 1 && app.received.length === 1)
    expect(app.values('security')).toHaveLength(1)
    expect([app.messages(), bench.receiver.received.length]).toEqual([[], 1])
  })

  test('the number wins over the account, the account over the app', async () => {
    await using bench = await startBench()
    const { phone_number_id: id, waba_id: waba, app_id: app, app_secret: secret } = bench.number
    const appReceiver = await startReceiver()
    const numberReceiver = await startReceiver()
    try {
      const appAddress = { object: 'whatsapp_business_account', callback_url: appReceiver.url, verify_token: 'v' }
      const token = { authorization: `Bearer ${app}|${secret}` }
      await bench.call('POST', `${app}/subscriptions`, appAddress, token)
      const override = (url: string) => ({ webhook_configuration: { override_callback_uri: url, verify_token: 'v' } })
      await bench.call('POST', id, override(numberReceiver.url))
      const write = () => bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
      write()
      await until('the number', () => numberReceiver.messages().length === 1)
      await bench.call('POST', id, override(''))
      write()
      await until('the account', () => bench.receiver.messages().length === 1)
      await bench.call('POST', `${waba}/subscribed_apps`)
      write()
      await until('the app', () => appReceiver.messages().length === 1)
      await bench.call('DELETE', `${waba}/subscribed_apps`)
      write()
      expect(bench.sandbox.control.callbacks().dropped.not_subscribed).toBe(1)
    } finally {
      await appReceiver.close()
      await numberReceiver.close()
    }
  })

  test('an app hears only the fields it subscribed to', async () => {
    await using bench = await startBench()
    const { app_id: app, app_secret: secret } = bench.number
    const address = {
      object: 'whatsapp_business_account',
      callback_url: bench.receiver.url,
      verify_token: 'v',
      fields: 'account_update',
    }
    await bench.call('POST', `${app}/subscriptions`, address, { authorization: `Bearer ${app}|${secret}` })
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    bench.sandbox.control.event({ field: 'account_update', value: { event: 'ACCOUNT_RESTRICTION' } })
    await until('the event', () => bench.receiver.values('account_update').length === 1)
    expect(bench.receiver.messages()).toEqual([])
  })
})

async function disposable(starting: Promise<Receiver>): Promise<Receiver & AsyncDisposable> {
  const receiver = await starting
  return Object.assign(receiver, { [Symbol.asyncDispose]: () => receiver.close() })
}

function fail(): never {
  throw new Error('nothing was received')
}
