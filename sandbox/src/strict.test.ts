import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import selfsigned from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { record } from './http/json.ts'
import { isBillable } from './messages/prices.ts'
import { errorIn, idIn, startBench, until } from './test-support.ts'
import type { PhoneNumber } from './world.ts'

const CUSTOMER = '+12025550100'
const HELLO = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }

describe('the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rules = readme.split('\n').slice(readme.split('\n').indexOf('| rule | source | how to relax it |') + 2)
  const table = rules.slice(0, rules.indexOf('')).map((row) => row.split('|').map((cell) => cell.trim()))

  test('names a source for every rule, and says where the sandbox is stricter and kinder', () => {
    expect(table.length).toBeGreaterThan(15)
    expect(table.filter(([, rule, source]) => !rule || !/^pages? "|reported/.test(source ?? ''))).toEqual([])
    expect(readme).toMatch(/Possibly stricter than Meta:\n\n- [\s\S]*Less strict than Meta:\n\n- /)
  })
})

describe('as strict as the platform', () => {
  test('a new account waits for its reviews, and one call ends them', async () => {
    await using bench = await startBench({ approved: false })
    const { phone_number_id: id, waba_id: waba } = bench.number
    const facts = async () => {
      const fields = 'name_status,code_verification_status,health_status'
      const number = (await bench.call('GET', `${id}?fields=${fields}`)).body
      const business = (await bench.call('GET', `${waba}?fields=business_verification_status,health_status`)).body
      return [
        number.name_status,
        number.code_verification_status,
        record(number.health_status).can_send_message,
        business.business_verification_status,
        record(business.health_status).can_send_message,
      ]
    }
    expect(await facts()).toEqual(['PENDING_REVIEW', 'NOT_VERIFIED', 'LIMITED', 'not_verified', 'LIMITED'])
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect((await bench.control('POST', `/numbers/${id}/approve`)).status).toBe(200)
    expect(await facts()).toEqual(['APPROVED', 'VERIFIED', 'AVAILABLE', 'verified', 'AVAILABLE'])
  })

  test('utility costs inside the window too, and free-form messages cost nothing at first', async () => {
    await using bench = await startBench({ clock: () => Date.UTC(2026, 9, 30) })
    const priceOf = async (content: object) => {
      const id = idIn(await bench.send({ to: CUSTOMER, ...content }))
      const priced = () => bench.receiver.statuses().find((one) => one.id === id && one.pricing !== undefined)
      bench.sandbox.control.advance(1_000)
      await until('a price', () => priced() !== undefined)
      return priced()?.pricing
    }
    const price = { pricing_model: 'PMP' }
    const free = { ...price, category: 'service', billable: false, type: 'free_customer_service' }
    expect(await priceOf({ type: 'text', text: { body: 'Hello' } })).toEqual(free)
    expect(await priceOf(HELLO)).toEqual({ ...price, category: 'utility', billable: true, type: 'regular' })
  })

  test('1,000 free-form messages of a number are free in a month', () => {
    const number = { service: { month: '2026-10', count: 999 } } as PhoneNumber
    const at = (day: number) => isBillable(number, { template: null, type: 'text' }, true, Date.UTC(2026, 9, day))
    expect([at(30), at(30), at(31), at(32)]).toEqual([false, true, true, false])
    const full = { service: { month: '2026-10', count: 1_000 } } as PhoneNumber
    expect(isBillable(full, { template: null, type: 'reaction' }, true, Date.UTC(2026, 9, 30))).toBe(false)
    expect(full.service?.count).toBe(1_000)
  })

  test('until September 2026 both were free', async () => {
    await using bench = await startBench({ clock: () => Date.UTC(2026, 8, 30) })
    await bench.send({ to: CUSTOMER, ...HELLO })
    await until('a price', () => bench.receiver.statuses().some((one) => one.pricing))
    expect(bench.receiver.statuses()[0]?.pricing).toMatchObject({ billable: false, type: 'free_customer_service' })
  })

  test.each([
    ['audio', 'audio/ogg', Buffer.from('OggS\0\x02\x01vorbis')],
    ['image', 'image/jpeg', Buffer.from('GIF89a')],
    ['video', 'video/mp4', Buffer.from('\0\0\0\x18ftypisom....moov....hvc1....')],
    ['sticker', 'image/webp', Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(100 * 1024)])],
  ])('an %s its receiver could not open is taken, and the message fails with 131053', async (type, mime, bytes) => {
    await using bench = await startBench()
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('type', mime)
    form.set('file', new Blob([new Uint8Array(bytes)], { type: mime }), 'file')
    const url = `${bench.sandbox.url}/v26.0/${bench.number.phone_number_id}/media`
    const headers = { authorization: `Bearer ${bench.number.access_token}` }
    const upload = await fetch(url, { method: 'POST', headers, body: form })
    const { id } = record(await upload.json())
    expect(upload.status).toBe(200)
    expect((await bench.send({ to: CUSTOMER, type, [type]: { id } })).status).toBe(200)
    await until('a status', () => bench.receiver.statuses().length > 0)
    expect(bench.receiver.statuses()).toMatchObject([{ status: 'failed', errors: [{ code: 131053 }] }])
  })

  test('a closed window is told by a status, or in the answer', async () => {
    await using bench = await startBench()
    expect((await bench.text('+12025550199')).status).toBe(200)
    await until('a status', () => bench.receiver.statuses().length > 0)
    expect(bench.receiver.statuses()).toMatchObject([{ status: 'failed', errors: [{ code: 131047 }] }])
    await bench.control('PUT', '/scenario', { closed_window: 'answer' })
    const answer = await bench.text('+12025550199')
    expect([answer.status, errorIn(answer).code]).toEqual([400, 131047])
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect((await bench.control('PUT', '/scenario', { closed_window: 'never' })).status).toBe(400)
  })

  test('callbacks need https and a certificate of a public authority, unless started for development', async () => {
    const { private: key, cert } = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
    })
    const receiver = createServer({ key, cert }, (req, res) => {
      res.end(new URL(req.url ?? '/', 'https://receiver.test').searchParams.get('hub.challenge'))
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const subscribe = async (development: boolean, callbackUrl: string) => {
      await using bench = await startBench({ development })
      const { app_id: app, app_secret: secret } = bench.number
      const body = {
        object: 'whatsapp_business_account',
        callback_url: callbackUrl,
        verify_token: 'v',
        fields: 'messages',
      }
      return await bench.call('POST', `${app}/subscriptions`, body, { authorization: `Bearer ${app}|${secret}` })
    }
    try {
      expect(errorIn(await subscribe(false, url.replace('https', 'http'))).message).toContain('must use https')
      const untrusted = errorIn(await subscribe(false, url))
      expect([untrusted.code, untrusted.message]).toEqual([2200, expect.stringContaining('self-signed')])
      expect((await subscribe(true, url)).body).toEqual({ success: true })
    } finally {
      receiver.closeAllConnections()
      receiver.close()
    }
  })

  test('the library is searched, and a template made from it is approved at once', async () => {
    await using bench = await startBench()
    const names = async (query: string) => {
      const { data } = (await bench.call('GET', `message_template_library?${query}`)).body
      return (data as { name: string }[]).map(({ name }) => name)
    }
    expect(await names('')).toHaveLength(3)
    expect(await names('topic=ORDER_MANAGEMENT&language=en_US')).toEqual(['delivery_update_1'])
    expect(await names('search=bill')).toEqual(['payment_reminder_1'])
    expect((await bench.call('GET', `${bench.number.waba_id}/message_template_library`)).status).toBe(400)
    const create = (more: object) =>
      bench.call('POST', `${bench.number.waba_id}/message_templates`, {
        name: 'our_delivery',
        language: 'en_US',
        category: 'UTILITY',
        library_template_name: 'delivery_update_1',
        ...more,
      })
    expect(errorIn(await create({})).message).toContain('library_template_button_inputs')
    const url = { base_url: 'https://shop.test/orders/{{1}}', url_suffix_example: 'https://shop.test/orders/7' }
    const made = await create({ library_template_button_inputs: [{ type: 'URL', url }] })
    expect(made.body).toMatchObject({ status: 'APPROVED', category: 'UTILITY' })
    const read = await bench.call('GET', `${made.body.id}?fields=library_template_name,status`)
    expect(read.body).toMatchObject({ library_template_name: 'delivery_update_1', status: 'APPROVED' })
  })
})
