import { describe, expect, test } from 'vitest'
import { type Answer, errorIn, startBench, until } from '../test-support.ts'
import type { Effects, Rule } from './scenario.ts'

const CUSTOMER = '+12025550100'
const DAY_MS = 86_400_000
const next = (effects: Effects): Rule => ({ when: { endpoint: 'messages' }, count: 1, do: effects })
const marked = { biz_opaque_callback_data: 'ours-1' }

describe('a message that is accepted, and whose answer says otherwise', () => {
  test.each([
    [1, 400],
    [2, 503],
    [131000, 500],
    [131016, 500],
    [133004, 503],
    [130429, 400],
    [131009, 400],
  ])('is answered with code %i as HTTP %i and delivered all the same', async (code, status) => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(next({ error_after_accept: { code } }))
    const answer = await bench.text(CUSTOMER, marked)
    expect([answer.status, errorIn(answer).code]).toEqual([status, code])
    await until('a read', () => bench.receiver.statuses().length === 3)
    expect(bench.receiver.statuses().map((item) => [item.status, item.biz_opaque_callback_data])).toEqual([
      ['sent', 'ours-1'],
      ['delivered', 'ours-1'],
      ['read', 'ours-1'],
    ])
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect(bench.sandbox.control.messages().data).toHaveLength(2)
  })

  test('takes its status, subcode and details from the rule', async () => {
    await using bench = await startBench()
    const error = { code: 999999, http_status: 502, subcode: 7, details: 'Out of order.' }
    bench.sandbox.control.addRule(next({ error_after_accept: error }))
    const answer = await bench.text(CUSTOMER)
    expect(answer.status).toBe(502)
    expect(errorIn(answer)).toMatchObject({
      code: 999999,
      error_subcode: 7,
      error_data: { details: 'Out of order.' },
    })
  })

  test('happens to a share of the requests, the same ones with the same seed', async () => {
    const failedOf = async () => {
      await using bench = await startBench({
        scenario: {
          seed: 7,
          throttle: false,
          rules: [{ when: { endpoint: 'messages', probability: 0.3 }, do: { error_after_accept: { code: 131016 } } }],
        },
      })
      const answers: Answer[] = []
      while (answers.length < 100) answers.push(await bench.text(CUSTOMER))
      expect(bench.sandbox.control.messages({ limit: 200 }).data).toHaveLength(100)
      return answers.flatMap(({ status }, index) => (status === 500 ? [index] : []))
    }
    const failed = await failedOf()
    expect(failed.length).toBeGreaterThan(15)
    expect(failed.length).toBeLessThan(45)
    expect(await failedOf()).toEqual(failed)
  })

  test('is refused as usual where it would be refused anyway', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(next({ error_after_accept: { code: 131016 } }))
    const answer = await bench.send({ to: CUSTOMER, type: 'text', text: {} })
    expect([answer.status, errorIn(answer).code]).toEqual([400, 131008])
    expect(bench.sandbox.control.messages().data).toEqual([])
  })

  test('is no read receipt: a rule for texts leaves those alone', async () => {
    await using bench = await startBench()
    const { message_id: id } = bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    const when = { endpoint: 'messages', type: 'text' }
    bench.sandbox.control.addRule({ when, count: 1, do: { error_after_accept: { code: 131016 } } })
    expect((await bench.send({ status: 'read', message_id: id })).status).toBe(200)
    expect((await bench.text(CUSTOMER)).status).toBe(500)
  })

  test('is a fault of every other call too: the template is there', async () => {
    await using bench = await startBench()
    const effects = { error_after_accept: { code: 2 } }
    bench.sandbox.control.addRule({ when: { endpoint: 'message_templates', method: 'POST' }, count: 1, do: effects })
    const path = `${bench.number.waba_id}/message_templates`
    const content = { language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'It is here.' }] }
    expect((await bench.call('POST', path, { name: 'arrived', ...content })).status).toBe(503)
    expect((await bench.call('GET', `${path}?name=arrived`)).body.data).toHaveLength(1)
  })

  test('needs a code', async () => {
    await using bench = await startBench()
    const answer = await bench.control('POST', '/rules', { do: { error_after_accept: { http_status: 500 } } })
    const said = 'error_after_accept needs "code", one of Meta\'s codes, as a number'
    expect([answer.status, answer.body.error]).toEqual([400, said])
  })
})

describe('statuses of a message whose answer is lost', () => {
  const losses: [string, Effects][] = [
    ['an error', { error_after_accept: { code: 131016 } }],
    ['a cut connection', { reset_after_accept: true }],
    ['a late answer', { delay_ms: 50 }],
  ]

  test.each(losses)('come before %s', async (_, effects) => {
    await using bench = await startBench({
      scenario: { delays: { sent_ms: 0, delivered_ms: 60_000, read_ms: 90_000 } },
    })
    bench.sandbox.control.addRule(next({ ...effects, statuses_before_answer: true }))
    await bench.text(CUSTOMER).catch(() => null)
    expect(bench.receiver.statuses().map((item) => item.status)).toEqual(['sent', 'delivered', 'read'])
  })

  test.each(losses)('come a day after %s, with the times at which they happened', async (_, effects) => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(next({ ...effects, statuses_after_ms: DAY_MS }))
    await bench.text(CUSTOMER, marked).catch(() => null)
    bench.sandbox.control.advance(DAY_MS - 3_600_000)
    await bench.text(CUSTOMER)
    await until('the statuses of the next message', () => bench.receiver.statuses().length === 3)
    bench.sandbox.control.advance(2 * 3_600_000)
    await until('the others', () => bench.receiver.statuses().length === 6)
    const late = bench.receiver.statuses().slice(3)
    expect(late.map((item) => [item.status, item.biz_opaque_callback_data])).toEqual([
      ['sent', 'ours-1'],
      ['delivered', 'ours-1'],
      ['read', 'ours-1'],
    ])
    const [accepted] = bench.sandbox.control.messages().data
    const happenedMs = Number(late[0]?.timestamp) * 1_000
    expect(Math.abs(happenedMs - Date.parse(String(accepted?.accepted_at)))).toBeLessThan(5_000)
  })

  test.each(losses)('never come after %s', async (_, effects) => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(next({ ...effects, no_callbacks: true }))
    await bench.text(CUSTOMER, marked).catch(() => null)
    bench.sandbox.control.advance(8 * DAY_MS)
    bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Anything for me?' })
    await bench.text(CUSTOMER)
    await until('the statuses of the next message', () => bench.receiver.statuses().length === 3)
    expect(bench.receiver.statuses().filter((item) => item.biz_opaque_callback_data === 'ours-1')).toEqual([])
    expect(bench.sandbox.control.messages({ direction: 'outbound' }).data).toHaveLength(2)
  })
})
