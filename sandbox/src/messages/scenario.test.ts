import { describe, expect, test } from 'vitest'
import { record } from '../http/json.ts'
import { errorIn, startBench, until } from '../test-support.ts'
import { type Effects, type Rule, ruleProblem, scenarioProblem } from './scenario.ts'

const CUSTOMER = '+12025550100'
const once = (effects: Effects, when: Rule['when'] = { endpoint: 'messages' }): Rule => ({
  when,
  count: 1,
  do: effects,
})

describe('a scenario with a mistake is rejected with a sentence that names it', () => {
  test.each([
    [{ rules: {} }, 'rules takes a list'],
    [{ rules: [{ do: {} }, { when: {} }] }, 'rules[1] needs "do", an object'],
    [{ rules: [{ do: { fail: { code: 131_049 } } }] }, "fail takes one of Meta's codes, as a number"],
    [{ rules: [{ do: { error: {} } }] }, 'error needs "code", one of Meta\'s codes, as a number'],
    [{ rules: [{ do: { error: { code: 'x' } } }] }, "code takes one of Meta's codes, as a number"],
    [{ rules: [{ when: { probability: 2 }, do: { hang: true } }] }, 'probability takes a number from 0 to 1'],
    [{ rules: [{ do: { html_5xx: 200 } }] }, 'html_5xx takes an HTTP status from 400 to 599'],
    [{ rules: [{ do: { hold: 'on' } }] }, 'hold takes "release" or "drop"'],
    [{ throttle: 'no' }, 'throttle takes an object, or false'],
    [{ delays: { sent: 1 } }, 'delays does not know "sent"; it knows sent_ms, delivered_ms, read_ms'],
    [{ allow_list: [1] }, 'allow_list takes a list of texts, or null'],
    [[], 'scenario takes an object'],
  ])('%j', (scenario, sentence) => {
    expect(scenarioProblem(scenario)).toBe(sentence)
  })

  test('and one without is accepted', () => {
    expect(scenarioProblem({ throttle: false, allow_list: null, rules: [{ count: 1, do: { fail: 131_049 } }] })).toBe(
      null,
    )
    expect(ruleProblem({ when: { to: '+1' }, do: { error: { code: 1, http_status: 500 } } })).toBe(null)
    expect(ruleProblem({ do: { error: { code: 0 } } })).toBe(null)
  })
})

describe('misbehaviour on request', () => {
  test.each([
    [1, 400],
    [2, 503],
    [4, 400],
    [131000, 500],
    [131016, 500],
    [131057, 500],
    [131045, 500],
  ])('the next message fails with code %i and its own HTTP status %i, the one after does not', async (code, status) => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ error: { code } }))
    const answer = await bench.text(CUSTOMER)
    expect([answer.status, errorIn(answer).code]).toEqual([status, code])
    expect((await bench.text(CUSTOMER)).status).toBe(200)
  })

  test('a rule can overrule the HTTP status', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ error: { code: 130429, http_status: 429 } }))
    expect((await bench.text(CUSTOMER)).status).toBe(429)
  })

  test('a reset before acceptance leaves no message; one after leaves a message and its callbacks', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ reset_before_accept: true }))
    await expect(bench.text(CUSTOMER)).rejects.toThrow(/fetch failed/)
    expect(bench.sandbox.control.messages().data).toEqual([])
    bench.sandbox.control.addRule(once({ reset_after_accept: true }))
    await expect(bench.text(CUSTOMER, { biz_opaque_callback_data: 'lost' })).rejects.toThrow(/fetch failed/)
    await until('a read', () => bench.receiver.statuses().some((item) => item.status === 'read'))
    expect(bench.receiver.statuses()[0]?.biz_opaque_callback_data).toBe('lost')
  })

  test('a page of HTML can stand where JSON is expected', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ html_5xx: 502 }))
    const answer = await bench.text(CUSTOMER)
    expect(answer.status).toBe(502)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.text).toContain('<html>')
  })

  test('a late answer can be overtaken by its callbacks', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ delay_ms: 1500 }))
    let answered = false
    const answer = bench.text(CUSTOMER).then((result) => {
      answered = true
      return result
    })
    await until('a status', () => bench.receiver.statuses().length > 0)
    expect(answered).toBe(false)
    expect((await answer).status).toBe(200)
  })

  test('a slow body arrives whole in the end', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ slow_body_ms: 60 }))
    const started = performance.now()
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect(performance.now() - started).toBeGreaterThan(40)
  })

  test('a request can hang after it was accepted', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ hang_after_accept: true }))
    const lost = bench.text(CUSTOMER).catch((error: unknown) => error)
    await until('a read', () => bench.receiver.statuses().some((item) => item.status === 'read'))
    await bench.sandbox.close()
    expect(await lost).toBeInstanceOf(Error)
  })

  test('an expired token and a lost registration can be played for one call', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ expired_token: true }))
    expect(errorIn(await bench.text(CUSTOMER)).error_subcode).toBe(463)
    bench.sandbox.control.addRule(once({ not_registered: true }))
    expect(errorIn(await bench.text(CUSTOMER)).code).toBe(133010)
  })

  test('rules look at number, recipient, type, endpoint and count', async () => {
    await using bench = await startBench()
    const error = { error: { code: 131000 } }
    const id = bench.number.phone_number_id
    await bench.control('PUT', '/scenario', {
      rules: [
        { when: { to: '+1 202 555 0100', type: 'image', phone_number_id: id }, do: error },
        { when: { endpoint: 'messages', to: '+12025550199', nth: 2 }, do: error },
        { when: { endpoint: 'message_templates', method: 'GET' }, do: error },
      ],
    })
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect((await bench.send({ to: CUSTOMER, type: 'image', image: { link: 'https://a.test' } })).status).toBe(500)
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await bench.text('+12025550199')).status)
    expect(statuses).toEqual([200, 500, 200])
    expect((await bench.call('GET', `${bench.number.waba_id}/message_templates`)).status).toBe(500)
  })

  test('one seed gives one sequence of misfortunes', async () => {
    const run = async (seed: number) => {
      await using bench = await startBench({ seed })
      bench.sandbox.control.addRule({ when: { probability: 0.5 }, do: { error: { code: 131000 } } })
      const statuses: number[] = []
      for (let i = 0; i < 12; i++) statuses.push((await bench.text(CUSTOMER)).status)
      return statuses
    }
    const first = await run(7)
    expect(await run(7)).toEqual(first)
    expect(await run(8)).not.toEqual(first)
    expect(new Set(first)).toEqual(new Set([200, 500]))
  })

  test('the next message can be made to fail later, or never to be read', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ fail_after_sent: 131053 }))
    await bench.text(CUSTOMER)
    await until('a failure', () => bench.receiver.statuses().some((item) => item.status === 'failed'))
    bench.sandbox.control.addRule(once({ never_read: true }))
    await bench.text(CUSTOMER)
    await bench.text(CUSTOMER)
    await until('a read', () => bench.receiver.statuses().some((item) => item.status === 'read'))
    expect(bench.receiver.statuses().filter((item) => item.status === 'read')).toHaveLength(1)
  })

  test('a rule adds to the fate of a magic recipient', async () => {
    await using bench = await startBench()
    bench.sandbox.control.addRule(once({ duplicate: true }))
    await bench.text('+12025550102')
    await until('both copies', () => bench.receiver.statuses().length === 2)
    expect(bench.receiver.statuses().map((item) => item.status)).toEqual(['failed', 'failed'])
  })

  test('a typing error in a scenario is refused and named', async () => {
    await using bench = await startBench()
    const answer = await bench.control('PUT', '/scenario', { rules: [{ when: { endpiont: 'messages' }, do: {} }] })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain('"endpiont"')
  })
})

describe('limits', () => {
  test('80 messages a second per number, then 130429 as HTTP 400', async () => {
    let nowMs = 1_800_000_000_000
    await using bench = await startBench({ clock: () => nowMs, scenario: { throttle: { pair_burst: 1000 } } })
    for (let i = 0; i < 80; i++) expect((await bench.text(CUSTOMER)).status).toBe(200)
    const refused = await bench.text(CUSTOMER)
    expect([refused.status, errorIn(refused).code]).toEqual([400, 130429])
    nowMs += 100
    for (let i = 0; i < 8; i++) expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect((await bench.text(CUSTOMER)).status).toBe(400)
  })

  test('management calls beyond the hourly limit get 80007 and a usage header', async () => {
    await using bench = await startBench()
    bench.sandbox.control.setScenario({ throttle: { management_per_hour: 3 } })
    const path = `${bench.number.waba_id}/phone_numbers`
    const answers = [await bench.call('GET', path), await bench.call('GET', path), await bench.call('GET', path)]
    const last = answers.at(-1)
    expect(last?.status).toBe(400)
    expect(last && errorIn(last).code).toBe(80007)
    const usage = record(JSON.parse(last?.headers.get('x-business-use-case-usage') ?? '{}'))
    expect(JSON.stringify(usage)).toContain('"estimated_time_to_regain_access":')
  })
})
