import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { record } from '../http/json.ts'
import { type Bench, errorIn, startBench } from '../test-support.ts'

describe('media', () => {
  test('an upload comes back byte for byte over two hops, with its type', async () => {
    await using bench = await startBench()
    const bytes = randomBytes(300_000)
    const id = String((await upload(bench, bytes, 'image/jpeg')).id)
    expect(id).toMatch(/^\d+$/)
    const { body } = await bench.call('GET', id)
    expect(body).toMatchObject({
      mime_type: 'image/jpeg',
      file_size: 300_000,
      sha256: createHash('sha256').update(bytes).digest('base64'),
      id,
    })
    const response = await download(bench, String(body.url))
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('bytes full of boundaries-in-disguise survive', async () => {
    await using bench = await startBench()
    const bytes = Buffer.from('\r\n--\r\n----\r\n\r\n--x'.repeat(5000))
    const { body } = await bench.call('GET', String((await upload(bench, bytes, 'text/plain')).id))
    const response = await download(bench, String(body.url))
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('an address works for five minutes, needs the token and a User-Agent, and cannot be forged', async () => {
    await using bench = await startBench()
    const id = String((await upload(bench, randomBytes(10), 'image/png')).id)
    const url = String((await bench.call('GET', id)).body.url)
    expect((await fetch(url)).status).toBe(401)
    expect((await download(bench, url)).status).toBe(200)
    expect((await download(bench, url, { 'user-agent': '' })).status).toBe(403)
    expect((await download(bench, url.replace(/hash=.{4}/, 'hash=AAAA'))).status).toBe(404)
    bench.sandbox.control.advance(5 * 60_000 + 1000)
    expect((await download(bench, url)).status).toBe(404)
    const again = String((await bench.call('GET', id)).body.url)
    expect((await download(bench, again)).status).toBe(200)
  })

  test('uploads expire after 30 days', async () => {
    await using bench = await startBench()
    const id = String((await upload(bench, randomBytes(10), 'image/png')).id)
    bench.sandbox.control.advance(31 * 24 * 3_600_000)
    expect(errorIn(await bench.call('GET', id))).toMatchObject({ code: 100, error_subcode: 33 })
    expect(errorIn(await bench.send({ to: '+12025550100', type: 'image', image: { id } })).code).toBe(131009)
  })

  test('a deleted file is gone', async () => {
    await using bench = await startBench()
    const id = String((await upload(bench, randomBytes(10), 'image/png')).id)
    expect((await bench.call('DELETE', id)).body).toEqual({ success: true })
    expect(errorIn(await bench.call('GET', id)).error_subcode).toBe(33)
  })

  test('types outside the list and files over their size are refused', async () => {
    await using bench = await startBench()
    const strange = await upload(bench, randomBytes(10), 'image/tiff')
    expect(record(strange.error).code).toBe(100)
    const heavy = await upload(bench, randomBytes(5 * 1024 * 1024 + 1), 'image/jpeg')
    expect(record(heavy.error).code).toBe(131053)
  })

  test('an uploaded image can be sent as an image and as nothing else', async () => {
    await using bench = await startBench()
    const id = String((await upload(bench, randomBytes(10), 'image/png')).id)
    expect((await bench.send({ to: '+12025550100', type: 'image', image: { id } })).status).toBe(200)
    expect(errorIn(await bench.send({ to: '+12025550100', type: 'video', video: { id } })).code).toBe(131009)
  })

  test("another business cannot see or use one's files", async () => {
    await using bench = await startBench()
    const other = bench.sandbox.control.createNumber()
    const id = String((await upload(bench, randomBytes(10), 'image/png')).id)
    const headers = { authorization: `Bearer ${other.access_token}` }
    expect(errorIn(await bench.call('GET', id, undefined, headers)).error_subcode).toBe(33)
    const url = String((await bench.call('GET', id)).body.url)
    expect((await fetch(url, { headers })).status).toBe(404)
  })

  test("a number cannot send the files of another, not even of the same account's", async () => {
    await using bench = await startBench()
    const id = String((await upload(bench, randomBytes(10), 'image/png')).id)
    const sibling = bench.sandbox.control.createNumber({ waba_id: bench.number.waba_id })
    bench.sandbox.control.setCustomer({
      phone_number_id: sibling.phone_number_id,
      phone_number: '+12025550100',
      window: 'open',
    })
    const body = { messaging_product: 'whatsapp', to: '+12025550100', type: 'image', image: { id } }
    const headers = { authorization: `Bearer ${sibling.access_token}` }
    const answer = await bench.call('POST', `${sibling.phone_number_id}/messages`, body, headers)
    expect([answer.status, errorIn(answer).code]).toEqual([400, 131009])
    expect((await bench.send({ to: '+12025550100', type: 'image', image: { id } })).status).toBe(200)
  })

  test('a resumable upload gives a handle, and can be resumed', async () => {
    await using bench = await startBench()
    const { app_id: app, access_token: token } = bench.number
    const opened = await bench.call('POST', `${app}/uploads?file_name=a.png&file_length=10&file_type=image/png`)
    const session = String(opened.body.id)
    const put = (body: string, offset: number) =>
      fetch(`${bench.sandbox.url}/v26.0/${session}`, {
        method: 'POST',
        headers: { authorization: `OAuth ${token}`, file_offset: String(offset) },
        body,
      })
    await put('01234', 0)
    expect((await bench.call('GET', session)).body).toEqual({ id: session, file_offset: 5 })
    const done = record(await (await put('56789', 5)).json())
    expect(done.h).toMatch(/^4::/)
  })
})

async function upload(bench: Bench, bytes: Buffer<ArrayBuffer>, type: string) {
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', new Blob([bytes], { type }), 'file.bin')
  form.set('type', type)
  const response = await fetch(`${bench.sandbox.url}/v26.0/${bench.number.phone_number_id}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.number.access_token}` },
    body: form,
  })
  return record(await response.json())
}

function download(bench: Bench, url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${bench.number.access_token}`, ...headers } })
}
