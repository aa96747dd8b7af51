import { describe, expect, test } from 'vitest'
import { list, record } from '../http/json.ts'
import { errorIn, startBench } from '../test-support.ts'

describe('bringing a number to life', () => {
  test('create, request a code, verify it, register, send', async () => {
    await using bench = await startBench()
    const { waba_id: waba } = bench.number
    const created = await bench.call('POST', `${waba}/phone_numbers`, {
      cc: '1',
      phone_number: '4195551518',
      verified_name: 'Shop',
    })
    const id = String(created.body.id)
    const state = async () => (await bench.call('GET', `${id}?fields=status,code_verification_status`)).body
    const register = (pin: string) => bench.call('POST', `${id}/register`, { messaging_product: 'whatsapp', pin })
    const text = { messaging_product: 'whatsapp', to: '+12025550100', type: 'text', text: { body: 'Hi' } }
    expect(await state()).toMatchObject({ status: 'PENDING', code_verification_status: 'NOT_VERIFIED' })
    expect(errorIn(await register('123456')).code).toBe(133006)
    expect(errorIn(await bench.call('POST', `${id}/messages`, text)).code).toBe(133010)
    await bench.call('POST', `${id}/request_code?code_method=SMS&language=en_US`)
    expect(errorIn(await bench.call('POST', `${id}/verify_code?code=000000`)).code).toBe(131009)
    const code = bench.number.verification_code
    expect((await bench.call('POST', `${id}/verify_code?code=${code}`)).body).toEqual({ success: true })
    expect((await register('123456')).body).toEqual({ success: true })
    expect(await state()).toMatchObject({ status: 'CONNECTED', code_verification_status: 'VERIFIED' })
    expect((await bench.call('POST', `${id}/messages`, text)).status).toBe(200)
  })

  test('the PIN of the first registration must match later', async () => {
    await using bench = await startBench()
    const id = bench.number.phone_number_id
    const register = (pin: string) => bench.call('POST', `${id}/register`, { messaging_product: 'whatsapp', pin })
    await register('111111')
    expect((await bench.call('POST', `${id}/deregister`)).body).toEqual({ success: true })
    expect(errorIn(await bench.text('+12025550100')).code).toBe(133010)
    expect(errorIn(await register('222222')).code).toBe(133005)
    expect((await register('111111')).status).toBe(200)
  })

  test('the eleventh registration in 72 hours is refused with 133016', async () => {
    await using bench = await startBench()
    const id = bench.number.phone_number_id
    const register = () => bench.call('POST', `${id}/register`, { messaging_product: 'whatsapp', pin: '111111' })
    for (let i = 0; i < 10; i++) expect((await register()).status).toBe(200)
    expect(errorIn(await register()).code).toBe(133016)
    bench.sandbox.control.advance(73 * 3_600_000)
    expect((await register()).status).toBe(200)
  })
})

describe('reading accounts and numbers', () => {
  test('a number shows its state, its health and only the fields asked for', async () => {
    await using bench = await startBench()
    const { phone_number_id: id, waba_id: waba } = bench.number
    const numbers = await bench.call('GET', `${waba}/phone_numbers`)
    expect(list(numbers.body.data).map((item) => record(item).id)).toEqual([id])
    const health = record((await bench.call('GET', `${id}?fields=health_status`)).body.health_status)
    expect(health.can_send_message).toBe('AVAILABLE')
    bench.sandbox.control.updateNumber(id, { status: 'BANNED' })
    const ill = record((await bench.call('GET', `${id}?fields=health_status`)).body.health_status)
    expect(ill.can_send_message).toBe('BLOCKED')
    expect(errorIn(await bench.call('GET', `${id}?fields=shoe_size`)).code).toBe(100)
  })

  test('the account answers its fields and its analytics', async () => {
    await using bench = await startBench()
    const { waba_id: waba } = bench.number
    await bench.text('+12025550100')
    const now = Math.floor(Date.now() / 1000)
    const fields = `name,analytics.start(${now - 100}).end(${now + 100}).granularity(DAY)`
    const { body } = await bench.call('GET', `${waba}?fields=${encodeURIComponent(fields)}`)
    expect(body.name).toBe('Sandbox Business')
    expect(list(record(body.analytics).data_points)).toHaveLength(1)
    const refused = await bench.call(
      'GET',
      `${waba}/template_analytics?template_ids=[1]&granularity=daily&start=1&end=2`,
    )
    expect(errorIn(refused).code).toBe(200007)
  })
})
