import { describe, expect, test } from 'vitest'
import { type Json, list, record } from '../http/json.ts'
import { type Bench, errorIn, startBench } from '../test-support.ts'

const whatsapp = { messaging_product: 'whatsapp' }
const pathOf = ({ number }: Bench) => `${number.phone_number_id}/whatsapp_business_profile`
const all = 'about,address,description,email,profile_picture_url,websites,vertical'
const read = async (bench: Bench) =>
  record(list((await bench.call('GET', `${pathOf(bench)}?fields=${all}`)).body.data)[0])

/** The two steps of an upload: the handle of a file. */
async function handleOf(bench: Bench, type: string, body: string): Promise<string> {
  const { app_id: app, access_token: token } = bench.number
  const session = await bench.call('POST', `${app}/uploads?file_length=${body.length}&file_type=${type}`)
  const headers = { authorization: `OAuth ${token}`, file_offset: '0' }
  const answer = await fetch(`${bench.sandbox.url}/v26.0/${session.body.id}`, { method: 'POST', headers, body })
  return String(record(await answer.json()).h)
}

describe('the business profile', () => {
  test('keeps what was given, leaves the rest, and leaves out what is empty', async () => {
    await using bench = await startBench()
    const websites = ['https://a.test', 'http://b.test']
    const first = { about: 'Open daily', address: '1 Main Street', email: 'a@b.test', vertical: 'RETAIL', websites }
    expect((await bench.call('POST', pathOf(bench), { ...whatsapp, ...first })).status).toBe(200)
    await bench.call('POST', pathOf(bench), { ...whatsapp, address: '', websites: [], description: 'Shop' })
    expect(await read(bench)).toEqual({
      ...whatsapp,
      about: 'Open daily',
      description: 'Shop',
      email: 'a@b.test',
      vertical: 'RETAIL',
    })
  })

  test.each<[string, Json]>([
    ['no product', { about: 'x' }],
    ['nothing to change', whatsapp],
    ['an empty about', { ...whatsapp, about: '' }],
    ['a long about', { ...whatsapp, about: 'x'.repeat(140) }],
    ['a long description', { ...whatsapp, description: 'x'.repeat(513) }],
    ['a text that is none', { ...whatsapp, address: 7 }],
    ['an email without @', { ...whatsapp, email: 'nobody' }],
    ['three websites', { ...whatsapp, websites: ['https://a.test', 'https://b.test', 'https://c.test'] }],
    ['a website without scheme', { ...whatsapp, websites: ['a.test'] }],
    ['an unknown category', { ...whatsapp, vertical: 'SPACE' }],
    ['an unknown field', { ...whatsapp, motto: 'x' }],
    ['a handle from nowhere', { ...whatsapp, about: 'new', profile_picture_handle: '4::aW1hZ2U:x' }],
  ])('refuses %s and changes nothing', async (_, body) => {
    await using bench = await startBench()
    expect((await bench.call('POST', pathOf(bench), body)).status).toBe(400)
    expect(await read(bench)).toEqual({ ...whatsapp, vertical: 'OTHER' })
  })

  test('takes the handle of an uploaded image as its photo, and serves it to everybody', async () => {
    await using bench = await startBench()
    const handle = await handleOf(bench, 'image/png', 'the bytes')
    await bench.call('POST', pathOf(bench), { ...whatsapp, profile_picture_handle: handle })
    const { profile_picture_url: url } = await read(bench)
    const picture = await fetch(String(url))
    expect([picture.headers.get('content-type'), await picture.text()]).toEqual(['image/png', 'the bytes'])
    const pdf = await handleOf(bench, 'application/pdf', 'the bytes')
    expect((await bench.call('POST', pathOf(bench), { ...whatsapp, profile_picture_handle: pdf })).status).toBe(400)
  })

  test('an unknown field of a read is an error', async () => {
    await using bench = await startBench()
    expect(errorIn(await bench.call('GET', `${pathOf(bench)}?fields=motto`)).code).toBe(100)
  })
})
