import { describe, expect, test } from 'vitest'
import { errorIn, startBench } from '../test-support.ts'

const CUSTOMER = '+12025550100'
const hello = (to: string) => ({
  to,
  type: 'template',
  template: { name: 'hello_world', language: { code: 'en_US' } },
})

describe('limits, in force unless switched off', () => {
  test('45 messages to one customer at once, then one per 6 seconds repaid', async () => {
    let nowMs = Date.UTC(2026, 10, 1)
    await using bench = await startBench({ clock: () => nowMs })
    for (let i = 0; i < 45; i++) expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect(errorIn(await bench.text(CUSTOMER)).code).toBe(131056)
    expect((await bench.text('+12025550101')).status).toBe(200)
    nowMs += 12_000
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect(errorIn(await bench.text(CUSTOMER)).code).toBe(131056)
  })

  test.each([
    ['STANDARD', {}, 80],
    ['HIGH', { throughput: 'HIGH' }, 1000],
    ['of a number that the Business app uses too', { on_business_app: true }, 20],
  ])('the throughput %s', async (_level, change, perSecond) => {
    await using bench = await startBench({ clock: () => Date.UTC(2026, 10, 1) })
    const { phone_number_id: id } = bench.number
    await bench.control('PATCH', `/numbers/${id}`, { messaging_limit: 'TIER_UNLIMITED', ...change })
    const answers: unknown[] = []
    for (let i = 0; i <= perSecond; i++) answers.push(errorIn(await bench.send(hello(`1666${1_000_000 + i}`))).code)
    expect(answers.slice(0, perSecond).filter((code) => code !== undefined)).toEqual([])
    expect(answers[perSecond]).toBe(130429)
    const { throughput } = (await bench.call('GET', `${id}?fields=throughput`)).body
    expect(throughput).toEqual({ level: 'throughput' in change ? 'HIGH' : 'STANDARD' })
  })

  test('customers per 24 hours outside the window, shared by the numbers of the portfolio', async () => {
    let nowMs = Date.UTC(2026, 10, 1)
    await using bench = await startBench({ clock: () => nowMs, scenario: { throttle: { portfolio: 2 } } })
    const { control } = bench.sandbox
    const second = control.createNumber({ waba_id: bench.number.waba_id })
    const codeOf = async (to: string) => errorIn(await bench.send(hello(to))).code
    expect(await codeOf('16660000001')).toBeUndefined()
    nowMs += 3_600_000
    const body = { messaging_product: 'whatsapp', ...hello('16660000002') }
    expect((await bench.call('POST', `${second.phone_number_id}/messages`, body)).status).toBe(200)
    expect(await codeOf('16660000003')).toBe(131048)
    // One who counts already and one who wrote cost nothing.
    expect(await codeOf('16660000002')).toBeUndefined()
    expect(await codeOf(CUSTOMER)).toBeUndefined()
    nowMs += 23 * 3_600_000
    expect(await codeOf('16660000003')).toBeUndefined()
    expect(await codeOf('16660000004')).toBe(131048)
  })

  test('a new portfolio reaches 250, a verified one 2,000; the number says so', async () => {
    await using bench = await startBench({ approved: false, scenario: { throttle: { per_second: 10_000 } } })
    const { phone_number_id: id } = bench.number
    const limit = async () => (await bench.call('GET', `${id}?fields=whatsapp_business_manager_messaging_limit`)).body
    expect(await limit()).toMatchObject({ whatsapp_business_manager_messaging_limit: 'TIER_250' })
    for (let i = 0; i < 250; i++) expect((await bench.send(hello(`1666${2_000_000 + i}`))).status).toBe(200)
    expect(errorIn(await bench.send(hello('16663000000'))).code).toBe(131048)
    await bench.control('POST', `/numbers/${id}/approve`)
    expect(await limit()).toMatchObject({ whatsapp_business_manager_messaging_limit: 'TIER_2K' })
    expect((await bench.send(hello('16663000000'))).status).toBe(200)
  })

  test('200 calls about an account in an hour while no number is registered', async () => {
    await using bench = await startBench({ clock: () => Date.UTC(2026, 10, 1) })
    const { waba_id: waba } = bench.sandbox.control.createNumber({ registered: false })
    const { access_token: token } = bench.sandbox.numbers.find(({ waba_id }) => waba_id === waba) ?? {}
    const ask = () => bench.call('GET', waba, undefined, { authorization: `Bearer ${token}` })
    for (let i = 0; i < 200; i++) expect((await ask()).status).toBe(200)
    expect(errorIn(await ask()).code).toBe(80007)
  })

  test('none of them with `throttle: false`, and a reset keeps what the sandbox was started with', async () => {
    await using bench = await startBench({ clock: () => Date.UTC(2026, 10, 1), scenario: { throttle: false } })
    for (let i = 0; i < 100; i++) expect((await bench.text(CUSTOMER)).status).toBe(200)
    await bench.control('POST', '/reset')
    for (let i = 0; i < 100; i++) expect((await bench.text(CUSTOMER)).status).toBe(200)
    await bench.control('PUT', '/scenario', {})
    for (let i = 0; i < 45; i++) await bench.text(CUSTOMER)
    expect(errorIn(await bench.text(CUSTOMER)).code).toBe(131056)
  })
})
