import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { changeOptions, deleteConnection, requireConnection } from '../../server/src/connections/change-connection.ts'
import { connectionOfKey } from '../../server/src/connections/connection.ts'
import { signMediaLink } from '../../server/src/connections/tool-media.ts'
import { findMedia } from '../../server/src/store/media/media.ts'
import { aGraphWorld, type GraphWorld, type Tool } from '../support/graph-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const unknown = [400, 100, 33]

describe.each(engines)('files in the dialect of Meta, on %s', { timeout: 60_000 }, (engine) => {
  let world: GraphWorld
  let tool: Tool
  const bearer = ({ token }: Tool) => ({ authorization: `Bearer ${token}` })
  const formOf = (fieldsFirst = true) => {
    const form = new FormData()
    const fields = () => {
      form.set('messaging_product', 'whatsapp')
      form.set('type', 'image/png')
    }
    if (fieldsFirst) fields()
    form.set('file', new Blob([png], { type: 'image/png' }), 'dot.png')
    if (!fieldsFirst) fields()
    return form
  }
  const upload = async (as = tool, form = formOf()) => {
    const init = { method: 'POST', headers: bearer(as), body: form }
    const answer = await world.fetchGraph(`/v20.0/${world.number}/media`, init)
    return { status: answer.status, body: (await answer.json()) as { id: string; error: Record<string, unknown> } }
  }
  const codeOf = ({ status, body }: { status: number; body: { error?: Record<string, unknown> } }) => [
    status,
    body.error?.code,
    body.error?.error_subcode,
  ]
  const received = async (): Promise<string> => {
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, type: 'image' })
    const newest = async () => (await world.get('/v1/events?type=message.received&limit=1')).body.data.events[0]
    await waitFor(async () => (await newest()) !== undefined, 10_000)
    const { media } = (await newest()).data.content
    const id = { account_id: world.accountId, id: media.media_id }
    const [row] = await world.service.rt.store.read(findMedia, id)
    return row?.platform_media_id ?? ''
  }

  beforeAll(async () => {
    world = await aGraphWorld(engine)
    tool = await world.connect()
  })
  afterAll(() => world.stop())

  test('are uploaded to Meta at once, and have the id that Meta gave', async () => {
    for (const fieldsFirst of [true, false]) {
      const { status, body } = await upload(tool, formOf(fieldsFirst))
      expect([status, body.id]).toEqual([200, expect.stringMatching(/^\d+$/)])
      const facts = (await world.graph('GET', `/v20.0/${body.id}`)).body
      expect(facts).toMatchObject({ id: body.id, mime_type: 'image/png', file_size: png.length })
      expect(facts.url).toMatch(`${world.service.urls.base}/graph/media/${body.id}?`)
    }
  })

  test('are sent by that id, and stored as what they are', async () => {
    const { id } = (await upload()).body
    const image = { id, caption: 'Your parcel' }
    const sent = await world.graph('POST', `/${world.number}/messages`, {
      messaging_product: 'whatsapp',
      to: world.customer,
      type: 'image',
      image,
    })
    expect(sent.status).toBe(200)
    const record = (await world.get(`/v1/chat/messages/${encodeURIComponent(sent.body.messages[0].id)}`)).body.data
    expect(record).toMatchObject({
      type: 'image',
      content: { media: { mime_type: 'image/png', caption: 'Your parcel' } },
    })
    expect(record.content.media.media_id).toMatch(/^med_/)
  })

  test('are downloaded by their link with the token and without one, as nothing a browser runs', async () => {
    const { id } = (await upload()).body
    const { url } = (await world.graph('GET', `/${id}`)).body
    for (const headers of [{}, bearer(tool)]) {
      const got = await world.fetchGraph(url, { headers })
      expect(got.status).toBe(200)
      expect(Buffer.from(await got.arrayBuffer())).toEqual(png)
      expect(Object.fromEntries(got.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': expect.stringMatching(/^attachment/),
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
      })
    }
    const plain = url.replace(/\?.*/, '')
    expect((await world.fetchGraph(plain, { headers: bearer(tool) })).status).toBe(200)
    expect((await world.fetchGraph(plain)).status).toBe(401)
  })

  test('have links that end after five minutes, with a change and with the connection', async () => {
    const own = await world.connect()
    const { rt } = world.service
    const { id } = (await upload(own)).body
    const link = async () => (await world.graph('GET', `/${id}`, undefined, own)).body.url as string
    const works = async (url: string) => (await world.fetchGraph(url)).status
    const url = await link()
    expect(await works(url)).toBe(200)
    expect(await works(url.replace(/e=\d+/, (part) => `${part.slice(0, -1)}${(Number(part.at(-1)) + 1) % 10}`))).toBe(
      400,
    )
    const connection = await connectionOfKey(rt, own.row.key_id)
    if (!connection) throw new Error('The connection is gone.')
    const earlier = { ...rt, clock: { now: () => rt.clock.now() - 300_001 } }
    const { epoch } = (await requireConnection(rt, world.accountId, own.row.id)).key
    const old = signMediaLink(earlier, connection, epoch, id)
    const query = new URLSearchParams({ a: old.app, e: old.expires, s: old.signature })
    expect(await works(`/media/${id}?${query}`)).toBe(400)
    const stored = () => requireConnection(rt, world.accountId, own.row.id)
    await changeOptions(rt, await stored(), { window: 'meta' }, { actor: operator })
    expect(await works(url)).toBe(400)
    const last = await link()
    expect(await works(last)).toBe(200)
    await deleteConnection(rt, await stored(), { actor: operator })
    expect(await works(last)).toBe(400)
  })

  test('that customers sent are read by Meta’s id with media:read, and cannot be deleted', async () => {
    const id = await received()
    const facts = (await world.graph('GET', `/${id}`)).body
    expect(facts).toMatchObject({ id, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const bytes = Buffer.from(await (await world.fetchGraph(facts.url)).arrayBuffer())
    expect(bytes.length).toBe(facts.file_size)
    const sender = await world.connect({ scopes: ['messages:send', 'media:write'] })
    expect(codeOf(await world.graph('GET', `/${id}`, undefined, sender))).toEqual([403, 10, undefined])
    expect(codeOf(await world.graph('DELETE', `/${id}`))).toEqual([403, 10, undefined])
  })

  test('are deleted here and at Meta', async () => {
    const { id } = (await upload()).body
    expect((await world.graph('DELETE', `/${id}`)).body).toEqual({ success: true })
    expect(codeOf(await world.graph('GET', `/${id}`))).toEqual(unknown)
    expect((await world.meta('GET', `/${id}`)).status).toBe(400)
  })

  test('of others look like those of nobody', async () => {
    const { id } = (await upload()).body
    const stranger = await world.connectStranger()
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['DELETE', `/${id}`],
      ['GET', `/media/${id}`],
      ['GET', '/123456'],
    ] as const) {
      expect([method, path, ...codeOf(await world.graph(method, path, undefined, stranger))]).toEqual([
        method,
        path,
        ...unknown,
      ])
    }
    const foreign = await upload(stranger)
    expect(codeOf(foreign)).toEqual(unknown)
  })

  test('that WhatsApp does not take are refused in Meta’s shape, and nothing of them stays', async () => {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('file', new Blob([Buffer.from('MZ\x90\0binary\0\0', 'latin1')]), 'setup.exe')
    const refused = await upload(tool, form)
    expect(codeOf(refused)).toEqual([400, 100, undefined])
    expect(refused.body.error.error_data).toMatchObject({ details: expect.stringContaining('x-msdownload') })
    const none = new FormData()
    none.set('messaging_product', 'whatsapp')
    expect(codeOf(await upload(tool, none))).toEqual([400, 131_008, undefined])
  })

  test('for samples and photos are uploaded in pieces, by the connection that began', async () => {
    const { app_id: app } = tool.row
    const opened = await world.graph(
      'POST',
      `/${app}/uploads?file_length=${png.length}&file_type=image/png&file_name=a.png`,
      undefined,
      tool,
    )
    expect([opened.status, opened.body.id]).toEqual([200, expect.stringMatching(/^upload:/)])
    const byAlias = `/app/uploads?file_length=${png.length}&file_type=image/png&file_name=b.png`
    expect((await world.graph('POST', byAlias, undefined, tool)).status).toBe(200)
    const path = `/v20.0/${opened.body.id}`
    const send = (offset: number, bytes: Buffer, as = tool) =>
      world.fetchGraph(path, {
        method: 'POST',
        headers: { authorization: `OAuth ${as.token}`, file_offset: String(offset), 'content-type': 'image/png' },
        body: bytes,
      })
    expect(await (await send(0, png.subarray(0, 20))).json()).toEqual({ id: opened.body.id, file_offset: 20 })
    expect((await world.graph('GET', path, undefined, tool)).body).toEqual({ id: opened.body.id, file_offset: 20 })
    const other = await world.connect()
    expect((await send(20, png.subarray(20), other)).status).toBe(400)
    const { h } = (await (await send(20, png.subarray(20))).json()) as { h: string }
    expect(h).toMatch(/^4::/)
    const editor = await world.connect({ scopes: ['profile:write'] })
    const photo = { messaging_product: 'whatsapp', profile_picture_handle: h }
    expect((await world.graph('POST', `/${world.number}/whatsapp_business_profile`, photo, editor)).status).toBe(200)
    expect(codeOf(await world.graph('POST', `/${other.row.app_id}/uploads?file_length=1&file_type=image/png`))).toEqual(
      unknown,
    )
  })
})
