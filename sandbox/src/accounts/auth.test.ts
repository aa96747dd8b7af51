import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { list, record } from '../http/json.ts'
import { errorIn, startBench } from '../test-support.ts'

describe('Graph basics', () => {
  test('any version prefix, and none, leads to the same node', async () => {
    await using bench = await startBench()
    const id = bench.number.phone_number_id
    const headers = { authorization: `Bearer ${bench.number.access_token}` }
    for (const prefix of ['', '/v19.0', '/v26.0', '/v99.1']) {
      const response = await fetch(`${bench.sandbox.url}${prefix}/${id}?fields=status`, { headers })
      expect(await response.json()).toEqual({ status: 'CONNECTED', id })
    }
  })

  test('a token in the query is as good as one in the header', async () => {
    await using bench = await startBench()
    const { phone_number_id: id, access_token: token } = bench.number
    const response = await fetch(`${bench.sandbox.url}/v26.0/${id}?access_token=${token}`)
    expect(response.status).toBe(200)
  })

  test('a missing or unknown token is refused with 401 and code 190', async () => {
    await using bench = await startBench()
    const url = `${bench.sandbox.url}/v26.0/${bench.number.phone_number_id}`
    for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
      const response = await fetch(url, { headers })
      const { error } = (await response.json()) as { error: Record<string, unknown> }
      expect(response.status).toBe(401)
      expect(error).toMatchObject({ code: 190, type: 'OAuthException' })
      expect(error.fbtrace_id).toMatch(/^A/)
    }
  })

  test('an expired token is refused with subcode 463, until it is renewed', async () => {
    await using bench = await startBench()
    const { phone_number_id: id } = bench.number
    bench.sandbox.control.updateNumber(id, { token_expired: true })
    const refused = await bench.call('GET', id)
    expect(refused.status).toBe(401)
    expect(errorIn(refused)).toMatchObject({ code: 190, error_subcode: 463 })
    bench.sandbox.control.updateNumber(id, { token_expired: false })
    expect((await bench.call('GET', id)).status).toBe(200)
  })

  test("an unknown id and another business's id look the same: 400, code 100, subcode 33", async () => {
    await using bench = await startBench()
    const other = bench.sandbox.control.createNumber()
    for (const id of ['123456789', other.phone_number_id, other.waba_id]) {
      const answer = await bench.call('GET', id)
      expect(answer.status).toBe(400)
      expect(errorIn(answer)).toMatchObject({ code: 100, error_subcode: 33, type: 'GraphMethodException' })
      expect(String(errorIn(answer).message)).toContain(`Unsupported get request. Object with ID '${id}'`)
    }
    const sent = await bench.call('POST', `${other.phone_number_id}/messages`, { messaging_product: 'whatsapp' })
    expect(String(errorIn(sent).message)).toContain('Unsupported post request')
  })

  test('every answer carries the headers of Graph, and a refusal says so in WWW-Authenticate', async () => {
    await using bench = await startBench()
    const answer = await bench.call('GET', bench.number.phone_number_id)
    expect(answer.headers.get('facebook-api-version')).toBe('v26.0')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    const refused = await bench.send({ to: '+12025550100', type: 'text' })
    expect(refused.headers.get('www-authenticate')).toMatch(/^OAuth "Facebook Platform" "invalid_request" /)
    expect(refused.headers.get('x-app-usage')).toContain('call_count')
  })

  test('debug_token, asked by the app, tells what a token may do and that garbage is not valid', async () => {
    await using bench = await startBench()
    const { app_id: app, app_secret: secret, access_token: token } = bench.number
    const itself = await bench.call('GET', `debug_token?input_token=${token}`)
    expect(errorIn(itself)).toMatchObject({ code: 100, message: expect.stringContaining('app access token') })
    const asApp = { authorization: `Bearer ${app}|${secret}` }
    const good = await bench.call('GET', `debug_token?input_token=${token}`, undefined, asApp)
    expect(record(good.body.data)).toMatchObject({ is_valid: true, app_id: bench.number.app_id, expires_at: 0 })
    expect(list(record(good.body.data).scopes)).toContain('whatsapp_business_messaging')
    const bad = await bench.call('GET', 'debug_token?input_token=garbage', undefined, asApp)
    expect(record(bad.body.data).is_valid).toBe(false)
  })

  test('an app that requires its secret refuses calls without a proof, and every app refuses a wrong one', async () => {
    await using bench = await startBench()
    const { phone_number_id: id, access_token: token, app_id: app, app_secret: secret } = bench.number
    const proof = createHmac('sha256', secret).update(token).digest('hex')
    expect((await bench.call('GET', `${id}?appsecret_proof=${proof}`)).status).toBe(200)
    const wrong = await bench.call('GET', `${id}?appsecret_proof=${'0'.repeat(64)}`)
    expect(errorIn(wrong)).toMatchObject({ code: 100, message: expect.stringContaining('Invalid appsecret_proof') })
    bench.sandbox.control.updateNumber(id, { require_app_secret: true })
    const send = { messaging_product: 'whatsapp', to: '+12025550100', type: 'text', text: { body: 'Hi' } }
    for (const refused of [await bench.call('GET', id), await bench.call('POST', `${id}/messages`, send)]) {
      expect(errorIn(refused)).toMatchObject({
        code: 100,
        message: expect.stringContaining('require an appsecret_proof'),
      })
    }
    expect((await bench.call('POST', `${id}/messages?appsecret_proof=${proof}`, send)).status).toBe(200)
    const asApp = { authorization: `Bearer ${app}|${secret}` }
    expect((await bench.call('GET', `${app}/subscriptions`, undefined, asApp)).status).toBe(200)
  })

  test('an app trades its secret for an app token', async () => {
    await using bench = await startBench()
    const { app_id: id, app_secret: secret } = bench.number
    const answer = await bench.call(
      'GET',
      `oauth/access_token?client_id=${id}&client_secret=${secret}&grant_type=client_credentials`,
    )
    expect(answer.body).toEqual({ access_token: `${id}|${secret}`, token_type: 'bearer' })
  })
})
