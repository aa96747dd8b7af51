import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { scopes } from '../../server/src/contract/scopes.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { eraseMedia, tidyMedia } from '../../server/src/media/delete-media.ts'
import { createIntake } from '../../server/src/media/keep-media.ts'
import { openContent } from '../../server/src/media/open-content.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  type Answer,
  aMediaWorld,
  bytesStored,
  exchange,
  type Form,
  fileHead,
  type Login,
  type MediaWorld,
  megabyte,
  pdf,
  pdfOf,
  png,
  pngOf,
  storedBefore,
} from './media-support.ts'

// Node marks the whole heap anew for every few tens of megabytes of buffers, 60 times for the files of 100 MB here. This
// counts buffers with the heap, whose limit grows. A Node without the flag says so and goes on.
setFlagsFromString('--external-memory-accounted-in-global-limit')

const nothing = { blobs: 0, loose: 0, files: 0 }
const codeOf = ({ json }: Answer) => json.error?.code
const problemOf = ({ json }: Answer) => json.error?.details?.map(({ field, code }) => `${field}: ${code}`)
const idOf = ({ json }: Answer) => String(json.data.media_id)

describe.each(engines)('uploads on %s', (engine) => {
  let world: MediaWorld
  let owner: Login

  beforeAll(async () => {
    world = await aMediaWorld(engine)
  })
  beforeEach(async () => {
    owner = await world.login()
  })
  // Whatever a test has stored is gone a month later.
  afterEach(async () => {
    world.clock.advance(32 * dayMs)
    await tidyMedia(world.rt)
    expect(await world.stored()).toEqual(nothing)
  })
  afterAll(() => world.dispose())

  const read = (id: string, login = owner) => world.call('GET', `/v1/chat/media/${id}`, login)
  const content = (id: string, login = owner) => world.call('GET', `/v1/chat/media/${id}/content`, login)

  test('an upload answers with what its bytes are, and gives back the same bytes', async () => {
    const now = world.clock.now()
    const answer = await world.upload(owner, { file: png, type: 'image/png', name: 'receipt.png' })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      success: true,
      data: {
        media_id: expect.stringMatching(/^med_[0-9a-z]{26}$/),
        type: 'image',
        mime_type: 'image/png',
        filename: 'receipt.png',
        size: png.length,
        sha256: createHash('sha256').update(png).digest('hex'),
        created_at: new Date(now).toISOString(),
        expires_at: new Date(now + 30 * dayMs).toISOString(),
      },
    })
    const facts = await read(idOf(answer))
    expect([facts.status, facts.json]).toEqual([200, answer.json])
    const bytes = await content(idOf(answer))
    expect(bytes.body.equals(png)).toBe(true)
    expect(bytes.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'content-disposition': `attachment; filename="receipt.png"; filename*=UTF-8''receipt.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'cache-control': 'no-store',
    })
    expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 1 })
    expect(await world.rt.metrics.render()).toContain('postern_media_uploads_total{kind="image",outcome="stored"} 1')
  })

  test('the same bytes twice are one blob with two ids, and live until the last id is deleted', async () => {
    const [first, second] = await Promise.all([
      world.upload(owner, { file: pdf, name: 'a.pdf' }),
      world.upload(owner, { file: pdf, name: 'b.pdf' }),
    ])
    expect([first.status, second.status]).toEqual([201, 201])
    expect(idOf(first)).not.toBe(idOf(second))
    expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 1 })
    const gone = await world.call('DELETE', `/v1/chat/media/${idOf(first)}`, owner)
    expect([gone.status, gone.json.data]).toEqual([200, { media_id: idOf(first), deleted: true }])
    expect((await content(idOf(second))).body.equals(pdf)).toBe(true)
    await world.call('DELETE', `/v1/chat/media/${idOf(second)}`, owner)
    expect(await world.stored()).toEqual(nothing)
  })

  test('many uploads and deletions of the same bytes at once lose no reference and leave no bytes', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => world.upload(owner, { file: pdf })))
    const again = answers.slice(0, 6).map((answer) => world.call('DELETE', `/v1/chat/media/${idOf(answer)}`, owner))
    const more = Array.from({ length: 6 }, () => world.upload(owner, { file: pdf }))
    await Promise.all([...again, ...more])
    const left = [...answers.slice(6), ...(await Promise.all(more))]
    expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 1 })
    for (const answer of left) expect((await content(idOf(answer))).body.equals(pdf)).toBe(true)
    await Promise.all(left.map((answer) => world.call('DELETE', `/v1/chat/media/${idOf(answer)}`, owner)))
    expect(await world.stored()).toEqual(nothing)
  })

  test('a PNG called .jpg is taken as what it is, and its name corrected', async () => {
    const { status, json } = await world.upload(owner, { file: png, type: 'image/jpeg', name: 'photo.JPG' })
    expect([status, json.data.mime_type, json.data.filename]).toEqual([201, 'image/png', 'photo.png'])
  })

  test('stored bytes are counted once per content, and no more when the last file is gone', async () => {
    const used = () => bytesStored(world, owner.accountId)
    const ids = (await Promise.all([png, png, pdf].map((file) => world.upload(owner, { file })))).map(idOf)
    expect(await used()).toBe(png.length + pdf.length)
    await world.call('DELETE', `/v1/chat/media/${ids[0]}`, owner)
    expect(await used()).toBe(png.length + pdf.length)
    await Promise.all(ids.slice(1).map((id) => world.call('DELETE', `/v1/chat/media/${id}`, owner)))
    expect(await used()).toBe(0)
  })

  test.each([
    ['free', 1],
    ['starter', 5],
    ['professional', 50],
  ] as const)('the plan %s stores %i GiB; an upload beyond is refused and leaves nothing', async (plan, gibibytes) => {
    const login = await world.login(scopes, undefined, plan)
    const room = (bytes: number) => storedBefore(world, login.accountId, gibibytes * 1_073_741_824 - bytes)
    await room(pdf.length - 1)
    const refused = await world.upload(login, { file: pdf })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'plan_not_sufficient'])
    expect(refused.json.error.message).toContain(`${gibibytes} GiB`)
    expect(await world.stored()).toEqual(nothing)

    await room(pdf.length)
    const other = Buffer.from(pdf)
    other[other.length - 1] = 0x20
    const both = await Promise.all([pdf, other].map((file) => world.upload(login, { file })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 403])
    expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 1 })

    const full = await world.upload(login, { file: png })
    expect([full.status, codeOf(full)]).toEqual([403, 'plan_not_sufficient'])
  })

  test('the largest plan stores without a limit', async () => {
    await storedBefore(world, owner.accountId, 2 ** 50)
    expect((await world.upload(owner, { file: png })).status).toBe(201)
  })

  test('two accounts never share a blob', async () => {
    const other = await world.login()
    await world.upload(owner, { file: pdf })
    await world.upload(other, { file: pdf })
    expect(await world.stored()).toEqual({ blobs: 2, loose: 0, files: 2 })
  })

  test('what is another account’s, deleted, expired or made up is one and the same 404', async () => {
    const other = await world.login()
    const [id, deleted] = await Promise.all([png, pdf].map(async (file) => idOf(await world.upload(owner, { file }))))
    await world.call('DELETE', `/v1/chat/media/${deleted}`, owner)
    const answers = await Promise.all([
      read(String(id), other),
      content(String(id), other),
      world.call('DELETE', `/v1/chat/media/${id}`, other),
      read(String(deleted)),
      content(String(deleted)),
      world.call('DELETE', `/v1/chat/media/${deleted}`, owner),
      read('med_00000000000000000000000000'),
    ])
    const shapes = answers.map(({ status, json }) => [status, json.error.code, json.error.message])
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
    expect(shapes[0]?.slice(0, 2)).toEqual([404, 'media_not_found'])
    expect((await read(String(id))).status).toBe(200)
  })

  test('an upload expires after 30 days, and the next round removes its bytes', async () => {
    const id = idOf(await world.upload(owner, { file: png }))
    world.clock.advance(30 * dayMs - 1)
    const login = await world.login(undefined, owner.accountId)
    expect((await read(id, login)).status).toBe(200)
    await tidyMedia(world.rt)
    expect(await world.rt.metrics.render()).toContain(`postern_media_bytes_stored{kind="image"} ${png.length}`)
    world.clock.advance(1)
    expect((await read(id, login)).status).toBe(404)
    await tidyMedia(world.rt)
    expect(await world.stored()).toEqual(nothing)
  })

  test.each([
    [
      Buffer.from(`OggS\0\x02${' '.repeat(22)}\x01vorbis`, 'latin1'),
      'audio/ogg',
      'audio/ogg with Vorbis; WhatsApp accepts Opus only',
    ],
    [Buffer.from('OggS\0\x02Speex   ', 'latin1'), 'audio/ogg', 'audio/ogg with Speex; WhatsApp accepts Opus only'],
    [Buffer.from('#!AMR-WB\n\x04\0', 'latin1'), 'audio/amr', 'audio/amr-wb; WhatsApp accepts narrow-band AMR only'],
  ])('a file in the right container says which codec it has (%#)', async (file, type, really) => {
    const { status, json } = await world.upload(owner, { file, type })
    expect([status, json.error.code, json.error.message]).toEqual([
      400,
      'media_content_mismatch',
      `The file is declared as ${type}, but its bytes are ${really}.`,
    ])
  })

  const refusals: [string, Form, string][] = [
    ['bytes that are not what they are declared as', { file: pdf, type: 'image/png' }, 'media_content_mismatch'],
    [
      'a zip that calls itself a picture',
      { file: Buffer.from('PK\u0003\u0004rest'), type: 'image/png' },
      'media_content_mismatch',
    ],
    ['a picture declared as an archive', { file: png, type: 'application/zip' }, 'media_content_mismatch'],
    ['a page of HTML', { file: Buffer.from('<script>1</script>'), type: 'text/html' }, 'media_type_not_supported'],
    [
      'an SVG',
      { file: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), type: 'image/svg+xml' },
      'media_type_not_supported',
    ],
    [
      'a picture of 5 MB and a byte',
      { file: Buffer.concat([png, Buffer.alloc(5 * megabyte - png.length + 1)]) },
      'media_too_large',
    ],
    [
      'sound of 16 MB and a byte',
      { file: Buffer.concat([Buffer.from('OggSOpusHead'), Buffer.alloc(16 * megabyte - 11)]) },
      'media_too_large',
    ],
    ['a picture of 41 megapixels', { file: pngOf(41_000, 1_000) }, 'media_too_large'],
  ]
  test.each(refusals)('refuses %s and keeps nothing', async (_, form, code) => {
    const answer = await world.upload(owner, form)
    expect([answer.status, codeOf(answer)]).toEqual([400, code])
    expect(await world.stored()).toEqual(nothing)
  })

  test('takes a picture of exactly 5 MB, and one of 40 megapixels', async () => {
    const full = await world.upload(owner, { file: Buffer.concat([png, Buffer.alloc(5 * megabyte - png.length)]) })
    const wide = await world.upload(owner, { file: pngOf(40_000, 1_000) })
    expect([full.status, full.json.data.size, wide.status]).toEqual([201, 5 * megabyte, 201])
  })

  const wrongForms: [string, Form, string][] = [
    ['no file', { after: [['filename', 'a.png']] }, 'file: required'],
    ['an empty file', { file: Buffer.alloc(0) }, 'file: too_short'],
    ['a file under another name', { file: png, part: 'fiel' }, 'fiel: unknown_field'],
    ['the file as a plain field', { after: [['file', 'text']] }, 'file: invalid_type'],
    ['an unknown field after the file', { file: png, after: [['fileName', 'x']] }, 'fileName: unknown_field'],
    ['a name with a path', { file: png, after: [['filename', '../x.png']] }, 'filename: invalid_format'],
    ['a name with a line break', { file: png, after: [['filename', 'a\r\nX-Evil: 1']] }, 'filename: invalid_format'],
    ['a name of 241 characters', { file: png, before: [['filename', 'x'.repeat(241)]] }, 'filename: too_long'],
    ['a name twice', { file: png, before: [['filename', 'a']], after: [['filename', 'b']] }, 'filename: duplicate'],
    ['a field of the prototype', { file: png, before: [['__proto__', 'a']] }, 'file: unknown_field'],
  ]
  test.each(wrongForms)('says what is wrong with %s and keeps nothing', async (_, form, problem) => {
    const answer = await world.upload(owner, form)
    expect([answer.status, codeOf(answer), problemOf(answer)]).toEqual([400, 'validation_failed', [problem]])
    expect(await world.stored()).toEqual(nothing)
  })

  test('a part of another name is told which parts the form takes', async () => {
    const { json } = await world.upload(owner, { file: png, part: 'document' })
    expect(json.error.message).toBe("There is no field 'document'. Known: file, filename.")
  })

  test('a second file in one form is refused and the first is not kept', async () => {
    const two = Buffer.concat([png, Buffer.from(`\r\n${fileHead({ name: 'b.png' })}`), png])
    const answer = await world.upload(owner, { file: two })
    expect([answer.status, problemOf(answer)]).toEqual([400, ['file: duplicate']])
    expect(await world.stored()).toEqual(nothing)
  })

  test('the field names the file, else the part does; no name leaves its header', async () => {
    const byField = await world.upload(owner, { file: png, name: 'part.png', after: [['filename', 'Zoë "1".png']] })
    const byPart = await world.upload(owner, { file: png, name: 'C:\\\\tmp\\\\%0d%0aevil\u202e.png' })
    expect(byField.json.data.filename).toBe('Zoë "1".png')
    expect(byPart.json.data.filename).not.toMatch(/[\\/\r\n\u202e]/)
    const { headers } = await content(idOf(byField))
    expect(headers['content-disposition']).toBe(
      `attachment; filename="Zo_ _1_.png"; filename*=UTF-8''Zo%C3%AB%20%221%22.png`,
    )
  })

  test('a body that is no form is refused by its type, also as JSON', async () => {
    const json = await world.call(
      'POST',
      '/v1/chat/media',
      owner,
      { 'content-type': 'application/json' },
      Buffer.from('{}'),
    )
    const raw = await world.call('POST', '/v1/chat/media', owner, { 'content-type': 'image/png' }, png)
    const none = await world.call('POST', '/v1/chat/media', owner)
    expect([json, raw, none].map(codeOf)).toEqual(Array(3).fill('unsupported_media_type'))
  })

  test('a form without an end, without a boundary or cut short is refused and leaves nothing', async () => {
    const unfinished = await world.upload(owner, { file: pdf, open: true })
    const boundless = await world.upload(owner, { file: pdf }, { 'content-type': 'multipart/form-data' })
    expect([codeOf(unfinished), codeOf(boundless)]).toEqual(['malformed_request', 'malformed_request'])
    expect(await world.stored()).toEqual(nothing)
  })

  test('a client that goes away in the middle leaves nothing behind', async () => {
    const request = world.begin(owner)
    request.on('error', () => {})
    request.write(fileHead({ name: 'big.pdf' }))
    for await (const piece of pdfOf(4 * megabyte)) request.write(piece)
    await waitFor(async () => (await world.stored()).files === 1)
    request.destroy()
    await waitFor(async () => (await world.stored()).files === 0)
    await waitFor(async () => (await world.stored()).loose === 0)
    expect(await world.stored()).toEqual(nothing)
  })

  test('a client that stops sending is cut off after the body time-out and leaves nothing behind', async () => {
    const hasty = await aMediaWorld(engine, { POSTERN_BODY_TIMEOUT_MS: '500' })
    const request = hasty.begin(await hasty.login())
    request.write(fileHead({ name: 'big.pdf' }))
    request.write(Buffer.concat([pdf, Buffer.alloc(megabyte)]))
    const answer = await new Promise<{ code: string }>((resolve, reject) => {
      request.on('error', reject).on('response', async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve(JSON.parse(Buffer.concat(chunks).toString()).error)
      })
    })
    request.destroy()
    expect(answer.code).toBe('malformed_request')
    expect(await hasty.stored()).toEqual(nothing)
    await hasty.dispose()
  })

  test('bytes of a gateway that died while writing are removed an hour later, and not before', async () => {
    const verdict = { kind: 'document', mimeType: 'application/pdf', bytesMax: 100 * megabyte }
    const intake = createIntake(world.rt, owner.accountId, async () => verdict)
    for await (const piece of pdfOf(megabyte)) await intake.write(piece)
    world.clock.advance(3_599_999)
    await tidyMedia(world.rt)
    expect(await world.stored()).toEqual({ blobs: 0, loose: 1, files: 1 })
    world.clock.advance(1)
    await tidyMedia(world.rt)
    expect(await world.stored()).toEqual(nothing)
    // A writer that was only asleep cannot make a file of what is gone.
    const late = async () => {
      for await (const piece of pdfOf(megabyte)) await intake.write(piece)
      await intake.finish()
    }
    await expect(late()).rejects.toThrow()
    await intake.discard()
    expect(await world.stored()).toEqual(nothing)
  })

  test('a file that is removed while a client reads it ends with an error, not as a shorter file', async () => {
    const { media_id } = (await world.upload(owner, { file: pdfOf(3 * megabyte), name: 'long.pdf' })).json.data
    const { bytes, content } = await openContent(world.rt, { ...owner, scopes }, String(media_id))
    let read = 0
    const download = async () => {
      for await (const chunk of content) {
        if (read === 0) await eraseMedia(world.rt, owner.accountId, [String(media_id)])
        read += chunk.length
      }
    }
    // An open file outlives its name; rows of a database do not.
    if (engine === 'postgres') await expect(download()).rejects.toThrow('missing')
    else await download().then(() => expect(read).toBe(bytes))
    expect(read <= bytes).toBe(true)
  })

  test('100 MB and a byte is stopped while it streams, and nothing of it stays', async () => {
    const answer = await world.upload(owner, { file: pdfOf(100 * megabyte + 1), name: 'big.pdf' })
    expect([answer.status, codeOf(answer), answer.headers.connection]).toEqual([400, 'media_too_large', 'close'])
    expect(await world.stored()).toEqual(nothing)
  })

  test('a body announced as larger than any file is refused before it is read', async () => {
    const request = world.begin(owner, { 'content-length': String(200 * megabyte), expect: '100-continue' })
    const answer = await exchange(request.once('continue', () => {}))
      .catch((error: Error) => error)
      .finally(() => request.destroy())
    if (answer instanceof Error) throw answer
    expect(codeOf(answer)).toBe('media_too_large')
    expect(await world.stored()).toEqual(nothing)
  })

  test('100 MB go in and out while less than 8 MB are held at any moment', async () => {
    const limit = 8 * megabyte
    const memory = watchMemory(limit)
    const sent = createHash('sha256')
    const file = (async function* () {
      for await (const piece of pdfOf(100 * megabyte, memory.note)) {
        sent.update(piece)
        yield piece
      }
    })()
    const answer = await world.upload(owner, { file, name: 'big.pdf' })
    expect([answer.status, answer.json.data.size]).toEqual([201, 100 * megabyte])
    const sha256 = sent.digest('hex')
    expect(answer.json.data.sha256).toBe(sha256)
    const upBytes = memory.peak()
    const received = await hashOfContent(world, owner, idOf(answer), memory.note)
    expect(received).toEqual({ sha256, bytes: 100 * megabyte })
    console.info(`${engine}: held at most ${mb(upBytes)} MB going in, ${mb(memory.peak())} MB in all`)
    expect(memory.peak()).toBeLessThan(limit)
  }, 120_000)

  test('the same key and file give the first answer again; another file under the key is refused', async () => {
    const key = { 'idempotency-key': 'order-118' }
    const first = await world.upload(owner, { file: png, name: 'a.png' }, key)
    const again = await world.upload(owner, { file: png, name: 'a.png' }, key)
    expect([again.status, again.json, again.headers['idempotent-replayed']]).toEqual([201, first.json, 'true'])
    const otherFile = await world.upload(owner, { file: pdf, name: 'a.png' }, key)
    const otherName = await world.upload(owner, { file: png, name: 'b.png' }, key)
    expect([otherFile, otherName].map(codeOf)).toEqual(['idempotency_key_reused', 'idempotency_key_reused'])
    expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 1 })
  })

  test('eight uploads at once under one key make one file', async () => {
    const file = Buffer.concat([pdf, randomBytes(2_000)])
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.upload(owner, { file }, { 'idempotency-key': '"same"' })),
    )
    expect(new Set(answers.map(idOf)).size).toBe(1)
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    await world.call('DELETE', `/v1/chat/media/${idOf(answers[0] as Answer)}`, owner)
    expect(await world.stored()).toEqual(nothing)
  })

  test('a refused upload does not use up its key', async () => {
    const key = { 'idempotency-key': 'retry-me' }
    expect(codeOf(await world.upload(owner, { file: Buffer.from('GIF89a\0') }, key))).toBe('media_type_not_supported')
    expect((await world.upload(owner, { file: png }, key)).status).toBe(201)
  })

  test('each route asks for its scope', async () => {
    const id = idOf(await world.upload(owner, { file: png }))
    const [writer, reader, sender] = await Promise.all([
      world.login(['media:write'], owner.accountId),
      world.login(['media:read'], owner.accountId),
      world.login(['messages:send'], owner.accountId),
    ])
    expect((await read(id, writer)).status).toBe(200)
    expect((await content(id, reader)).status).toBe(200)
    const refused = await Promise.all([
      read(id, sender),
      content(id, sender),
      world.upload(reader, { file: png }),
      world.call('DELETE', `/v1/chat/media/${id}`, reader),
    ])
    expect(refused.map(({ status, json }) => [status, json.error.required_scope])).toEqual([
      [403, 'media:read'],
      [403, 'media:read'],
      [403, 'media:write'],
      [403, 'media:write'],
    ])
  })
})

const mb = (bytes: number) => (bytes / megabyte).toFixed(1)

/** At most this is held, counted anew with each third of 100 MB. */
function watchMemory(limit: number) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  const usedNow = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  // Garbage counts until it is collected, and all of it only when with the rest it would be too much: that takes 0.2 s.
  // The second of each waits until what the first one freed has been given back.
  const used = (enough: number) => {
    for (const type of ['minor', 'major', 'minor', 'major'] as const) {
      if (usedNow() < enough) break
      if (type === 'minor') collect({ type })
      else collect()
    }
    return usedNow()
  }
  const before = used(0)
  let peak = 0
  const every = 33 * megabyte
  let next = every
  return {
    note(bytes: number): void {
      if (bytes < next - every) next = bytes // a new file began
      if (bytes < next) return
      next = bytes + every
      peak = Math.max(peak, used(before + limit) - before)
    },
    peak: () => peak,
  }
}

/** Reads a download piece by piece, so that the test itself holds nothing. */
async function hashOfContent(world: MediaWorld, login: Login, id: string, onPiece: (bytes: number) => void) {
  const headers = { authorization: `Bearer ${login.token}` }
  const request = httpRequest(`${world.base}/v1/chat/media/${id}/content`, { headers, agent: false }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of response) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
    onPiece(bytes)
  }
  return { sha256: hash.digest('hex'), bytes }
}
