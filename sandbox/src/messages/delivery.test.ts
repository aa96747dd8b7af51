import { describe, expect, test } from 'vitest'
import { type Json, list, record } from '../http/json.ts'
import { errorIn, idIn, startBench, until } from '../test-support.ts'

const CUSTOMER = '+12025550100'

describe('what becomes of a message', () => {
  test('it is sent, delivered and read, and every status echoes the opaque data', async () => {
    await using bench = await startBench()
    const id = idIn(await bench.text(CUSTOMER, { biz_opaque_callback_data: 'ours-1' }))
    await until('three statuses', () => bench.receiver.statuses().length === 3)
    expect(bench.receiver.statuses().map((item) => item.status)).toEqual(['sent', 'delivered', 'read'])
    for (const item of bench.receiver.statuses()) {
      expect(item).toMatchObject({ id, recipient_id: '12025550100', biz_opaque_callback_data: 'ours-1' })
      expect(item.timestamp).toMatch(/^\d{10}$/)
      expect(item).not.toHaveProperty('conversation')
    }
  })

  test('the price is on sent and on delivered alone', async () => {
    await using bench = await startBench()
    await bench.text(CUSTOMER)
    await until('three statuses', () => bench.receiver.statuses().length === 3)
    expect(bench.receiver.statuses().map((item) => item.pricing !== undefined)).toEqual([true, true, false])
    expect(bench.receiver.statuses()[0]?.pricing).toMatchObject({ pricing_model: 'PMP', category: 'service' })
  })

  test('without delivered, the price moves to read', async () => {
    await using bench = await startBench({ scenario: { callbacks: { skip_delivered: true } } })
    await bench.text(CUSTOMER)
    await until('two statuses', () => bench.receiver.statuses().length === 2)
    expect(bench.receiver.statuses().map((item) => [item.status, item.pricing !== undefined])).toEqual([
      ['sent', true],
      ['read', true],
    ])
  })

  test('in the payloads of v23 a conversation comes along and the price has no type', async () => {
    await using bench = await startBench({ scenario: { callbacks: { payload_version: 'v23' } } })
    await bench.text(CUSTOMER)
    await until('a status', () => bench.receiver.statuses().length > 0)
    expect(bench.receiver.statuses()[0]?.conversation).toHaveProperty('expiration_timestamp')
    expect(bench.receiver.statuses()[0]?.pricing).not.toHaveProperty('type')
  })

  test('outside the window a text is accepted with 200 and later fails with 131047', async () => {
    await using bench = await startBench()
    const answer = await bench.text('+12025550190')
    expect(answer.status).toBe(200)
    await until('a failure', () => failures(bench.receiver.statuses()).length === 1)
    expect(failures(bench.receiver.statuses())).toEqual([131047])
    expect(bench.receiver.statuses()).toHaveLength(1)
  })

  test('the window opens when the customer writes and closes 24 hours later', async () => {
    await using bench = await startBench()
    bench.sandbox.control.inbound({ from: '+12025550190', text: 'Hi' })
    await bench.text('+12025550190')
    await until('a read', () => bench.receiver.statuses().some((item) => item.status === 'read'))
    bench.sandbox.control.advance(24 * 3_600_000)
    await bench.text('+12025550190')
    await until('a failure', () => failures(bench.receiver.statuses()).includes(131047))
  })

  test('the window is open for 24 hours to the millisecond, and no longer', async () => {
    let nowMs = 1_800_000_000_000
    await using bench = await startBench({ clock: () => nowMs, scenario: { closed_window: 'answer' } })
    bench.sandbox.control.setCustomer({ phone_number: '+12025550190', window: 'open' })
    nowMs += 24 * 3_600_000 - 1
    expect((await bench.text('+12025550190')).status).toBe(200)
    nowMs += 1
    expect(errorIn(await bench.text('+12025550190')).code).toBe(131047)
  })

  test('a template crosses a closed window', async () => {
    await using bench = await startBench()
    const template = { name: 'hello_world', language: { code: 'en_US' } }
    const answer = await bench.send({ to: '+12025550190', type: 'template', template })
    expect(record(list(answer.body.messages)[0]).message_status).toBe('accepted')
    await until('a read', () => bench.receiver.statuses().some((item) => item.status === 'read'))
  })

  test('a reaction is only ever sent, and one to an unknown message fails with 131009', async () => {
    await using bench = await startBench()
    const { message_id: target } = bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    const good = await bench.send({ to: CUSTOMER, type: 'reaction', reaction: { message_id: target, emoji: '👍' } })
    const bad = await bench.send({ to: CUSTOMER, type: 'reaction', reaction: { message_id: 'wamid.no', emoji: '👍' } })
    await until('both statuses', () => bench.receiver.statuses().length === 2)
    const byId = new Map(bench.receiver.statuses().map((item) => [item.id, item]))
    expect(byId.get(idIn(good))?.status).toBe('sent')
    expect(list(byId.get(idIn(bad))?.errors)[0]).toMatchObject({ code: 131009 })
  })

  test('a reaction to another chat, to a reaction or to a message of 31 days ago fails with 131009', async () => {
    await using bench = await startBench()
    const { message_id: target } = bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    const { message_id: foreign } = bench.sandbox.control.inbound({ from: '+12025550190', text: 'Hi' })
    const react = (id: unknown) =>
      bench.send({ to: CUSTOMER, type: 'reaction', reaction: { message_id: String(id), emoji: '👍' } })
    const reaction = idIn(await react(target))
    await react(foreign)
    await react(reaction)
    await until('three statuses', () => bench.receiver.statuses().length === 3)
    bench.sandbox.control.advance(31 * 24 * 3_600_000)
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Still there?' })
    await react(target)
    await until('four statuses', () => bench.receiver.statuses().length === 4)
    expect(failures(bench.receiver.statuses())).toEqual([131009, 131009, 131009])
    expect(bench.receiver.statuses().filter((item) => item.status === 'sent')).toMatchObject([{ id: reaction }])
  })

  test('statuses can come in reverse, keeping their own times', async () => {
    await using bench = await startBench({
      scenario: { delays: { sent_ms: 0, delivered_ms: 20, read_ms: 2000 }, callbacks: { reorder: 1 } },
    })
    await bench.text(CUSTOMER)
    bench.sandbox.control.advance(2000)
    await until('three statuses', () => bench.receiver.statuses().length === 3)
    expect(bench.receiver.statuses().map((item) => item.status)).toEqual(['read', 'delivered', 'sent'])
    const [read, , sent] = bench.receiver.statuses()
    expect(Number(read?.timestamp)).toBeGreaterThan(Number(sent?.timestamp))
  })

  test('statuses can come twice', async () => {
    await using bench = await startBench({ scenario: { callbacks: { duplicate: 1 } } })
    await bench.text(CUSTOMER)
    await until('six statuses', () => bench.receiver.statuses().length === 6)
    expect(bench.receiver.statuses().filter((item) => item.status === 'read')).toHaveLength(2)
  })

  test('a held template is released, or dropped and paused', async () => {
    await using bench = await startBench()
    const template = { name: 'hello_world', language: { code: 'en_US' } }
    bench.sandbox.control.addRule({ count: 1, do: { hold: 'release', hold_ms: 10 } })
    const held = await bench.send({ to: CUSTOMER, type: 'template', template })
    expect(record(list(held.body.messages)[0]).message_status).toBe('held_for_quality_assessment')
    await until('a read', () => bench.receiver.statuses().some((item) => item.status === 'read'))
    bench.sandbox.control.addRule({ count: 1, do: { hold: 'drop', hold_ms: 10 } })
    await bench.send({ to: CUSTOMER, type: 'template', template })
    await until('a drop', () => failures(bench.receiver.statuses()).includes(132015))
    expect(errorIn(await bench.send({ to: CUSTOMER, type: 'template', template })).code).toBe(132015)
  })
})

describe('magic recipients', () => {
  const fates: [string, string[], number[]][] = [
    ['+12025550100', ['sent', 'delivered', 'read'], []],
    ['+12025550101', ['sent', 'delivered'], []],
    ['+12025550102', ['failed'], [131026]],
    ['+12025550103', ['sent', 'failed'], [131049]],
    ['+12025550104', ['failed'], [131047]],
  ]

  test.each(fates)('%s goes through %j', async (to, statuses, codes) => {
    await using bench = await startBench()
    bench.sandbox.control.setCustomer({ phone_number: to, window: 'open' })
    expect((await bench.text(to)).status).toBe(200)
    const [sentinel] = [await bench.text(CUSTOMER)]
    const ours = () => bench.receiver.statuses().filter((item) => item.id !== idIn(sentinel))
    await until('the sentinel to be read', () =>
      bench.receiver.statuses().some((item) => item.id === idIn(sentinel) && item.status === 'read'),
    )
    await until('all statuses', () => ours().length === statuses.length)
    expect(ours().map((item) => item.status)).toEqual(statuses)
    expect(failures(ours())).toEqual(codes)
    // A failure to a phone does not say whose it is.
    expect(ours().map((item) => 'recipient_user_id' in item)).toEqual(statuses.map((status) => status !== 'failed'))
  })

  test('+12025550104 takes templates', async () => {
    await using bench = await startBench()
    const template = { name: 'hello_world', language: { code: 'en_US' } }
    await bench.send({ to: '+12025550104', type: 'template', template })
    await until('a read', () => bench.receiver.statuses().some((item) => item.status === 'read'))
  })

  test('+12025550105 is refused at once with 130429 as HTTP 400', async () => {
    await using bench = await startBench()
    const answer = await bench.text('+12025550105')
    expect(answer.status).toBe(400)
    expect(errorIn(answer)).toMatchObject({ code: 130429, error_subcode: 2494055 })
  })

  test('+12025550106 is never answered and nothing is accepted', async () => {
    await using bench = await startBench()
    const body = { messaging_product: 'whatsapp', to: '+12025550106', type: 'text', text: { body: 'x' } }
    const url = `${bench.sandbox.url}/v26.0/${bench.number.phone_number_id}/messages`
    const headers = { authorization: `Bearer ${bench.number.access_token}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(150)
    await expect(fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })).rejects.toThrow(/timeout/)
    expect(bench.sandbox.control.messages().data).toEqual([])
  })

  test('+12025550107 answers Hello after a second', async () => {
    await using bench = await startBench()
    const template = { name: 'hello_world', language: { code: 'en_US' } }
    await bench.send({ to: '+12025550107', type: 'template', template })
    expect(bench.receiver.messages()).toEqual([])
    bench.sandbox.control.advance(1100)
    await until('the reply', () => bench.receiver.messages().length === 1)
    expect(bench.receiver.messages()[0]).toMatchObject({ from: '12025550107', text: { body: 'Hello' } })
  })
})

function failures(statuses: Json[]): unknown[] {
  return statuses.flatMap((item) => list(item.errors).map((error) => record(error).code))
}
