import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Sandbox, startSandbox } from '@postern/sandbox/sandbox.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../../server/src/channels/require-number.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { AppError } from '../../server/src/contract/app-error.ts'
import { fetchInboundMedia } from '../../server/src/media/inbound-media.ts'
import { resolveMedia } from '../../server/src/media/resolve-media.ts'
import type { MediaKind } from '../../server/src/media/types/media-kinds.ts'
import { receiveMessages } from '../../server/src/messages/receive-messages.ts'
import { draftTemplate } from '../../server/src/messages/send/send-template.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { claimMediaJobs } from '../../server/src/store/jobs/jobs.ts'
import { container, samples, webpOf } from './media-samples.ts'
import { type Answer, aMediaWorld, type Login, type MediaWorld, megabyte, pdf } from './media-support.ts'

let world: MediaWorld
let owner: Login
let sandbox: Sandbox
let number: ChannelNumber
let files: Server
let answer: RequestListener

beforeAll(async () => {
  world = await aMediaWorld('sqlite')
  owner = await world.login()
  sandbox = await startSandbox({ approved: true, development: true, clock: () => world.clock.now() })
  const at = sandbox.control.createNumber({ approved: true })
  const { numberId } = await connectChannel(world.rt, {
    accountId: owner.accountId,
    kind: 'cloud',
    wabaId: at.waba_id,
    phoneNumberId: at.phone_number_id,
    accessToken: at.access_token,
    appSecret: at.app_secret,
    baseUrl: sandbox.url,
    graphVersion: at.graph_version,
    actor: operator,
  })
  number = await requireNumber(world.rt, owner.accountId, { from: numberId ?? '' })
  files = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
  await once(files, 'listening')
})
afterAll(async () => {
  files.closeAllConnections()
  await new Promise((resolve) => files.close(resolve))
  await sandbox.close()
  await world.dispose()
})

const link = (name: string) => `http://127.0.0.1:${(files.address() as AddressInfo).port}/${Math.random()}/${name}`
const resolve = (source: { media_id: string } | { link: string }, kind: MediaKind) =>
  resolveMedia(world.rt, number, source, { kind })
const codeOf = ({ json }: Answer) => json.error?.code
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? [error.code, error.message] : `not a refusal: ${error}`),
  )

/** What the sandbox, which takes what the platform takes, has stored under an id. */
async function atPlatform(reference: object): Promise<unknown> {
  const { accessToken } = number.credentials
  const id = (reference as { platformMediaId: string }).platformMediaId
  const response = await fetch(`${sandbox.url}/v26.0/${id}`, { headers: { authorization: `Bearer ${accessToken}` } })
  return ((await response.json()) as { mime_type: string }).mime_type
}

const sendable = samples.filter(({ kind }) => kind !== 'sticker')

describe('a file of every type that WhatsApp takes', () => {
  test.each(samples)('is accepted as an upload: $name', async ({ file, name, mime, kind }) => {
    const declared = await world.upload(owner, { file, name, type: mime })
    expect([declared.status, declared.json.data]).toEqual([
      201,
      expect.objectContaining({ type: kind, mime_type: mime, filename: name, size: file.length }),
    ])
    const bytes = await world.call('GET', `/v1/chat/media/${declared.json.data.media_id}/content`, owner)
    expect([bytes.headers['content-type'], bytes.body.equals(file)]).toEqual([mime, true])
    const bare = await world.upload(owner, { file, name })
    expect([bare.status, bare.json.data.mime_type]).toEqual([201, mime])
  })

  test.each(sendable)('is sent by id: $name', async ({ file, name, mime, kind }) => {
    const { media_id } = (await world.upload(owner, { file, name, type: mime })).json.data
    const { reference, record } = await resolve({ media_id: String(media_id) }, kind)
    expect([record.mime_type, await atPlatform(reference)]).toEqual([mime, mime])
  })

  test('is handed over with the codec named where WhatsApp wants it: Opus in Ogg', async () => {
    const { uploadMedia } = world.rt.platform
    const given: string[] = []
    const platform = {
      ...world.rt.platform,
      uploadMedia: (...call: Parameters<typeof uploadMedia>) => {
        given.push(call[1].mimeType)
        return uploadMedia(...call)
      },
    }
    const file = Buffer.concat([Buffer.from('OggS\0\x02OpusHead'), Buffer.from('another one')])
    const { media_id } = (await world.upload(owner, { file })).json.data
    await resolveMedia({ ...world.rt, platform }, number, { media_id: String(media_id) }, { kind: 'audio' })
    expect(given).toEqual(['audio/ogg; codecs=opus'])
  })

  test.each(sendable)('is sent by link: $name', async ({ file, name, mime, kind }) => {
    answer = (_, response) => void response.writeHead(200, { 'content-type': `${mime}; x=1` }).end(file)
    const { reference, record } = await resolve({ link: link(name) }, kind)
    expect([record.mime_type, record.filename, await atPlatform(reference)]).toEqual([mime, name, mime])
  })

  test.each(samples)('is received from a customer: $name', async ({ file, name, mime, kind }) => {
    const upload = { content: file, bytes: file.length, mimeType: mime, filename: name }
    const { platformMediaId } = await world.rt.platform.uploadMedia(number.credentials, upload)
    const media = { id: platformMediaId, mime_type: mime, filename: name }
    const message = { id: `wamid.${name}`, from: '15550001111', timestamp: '1790000000', type: kind, [kind]: media }
    const value = { metadata: { phone_number_id: number.credentials.phoneNumberId }, messages: [message] }
    const entry = [{ id: number.credentials.wabaId, changes: [{ field: 'messages', value }] }]
    const items = world.rt.platform.parseCallback(JSON.stringify({ object: 'whatsapp_business_account', entry }))
    const channel = { id: 'chn_test', kind: 'cloud' as const, wabaId: number.credentials.wabaId }
    const sender = { id: number.id, phoneNumber: '+15550009999', displayName: null }
    const context = { accountId: owner.accountId, channel, number: sender, receivedAt: world.clock.now() }
    const messages = items.flatMap((item) => (item.kind === 'message' ? [{ item, context }] : []))
    expect(await receiveMessages(world.rt, messages)).toEqual(['applied'])
    const mediaId = await fetched()
    const facts = (await world.call('GET', `/v1/chat/media/${mediaId}`, owner)).json.data
    expect(facts).toMatchObject({ type: kind, mime_type: mime, filename: name, size: file.length })
    if (kind !== 'sticker') expect((await resolve({ media_id: mediaId }, kind)).record.mime_type).toBe(mime)
  })

  async function fetched(): Promise<string> {
    const unit = new Unit()
    const now = world.clock.now()
    const claim = { account_id: owner.accountId, now, lease_until: now + 60_000, claim: 'test', count: 1 }
    const call = unit.add(claimMediaJobs, claim)
    const job = (await world.rt.store.write(unit)).first(call)
    if (!job) throw new Error('No job is due.')
    expect(await fetchInboundMedia(world.rt, job)).toBe('done')
    return job.subject
  }
})

describe('what WhatsApp would refuse', () => {
  const padded = (file: Buffer, bytes: number) => Buffer.concat([file, Buffer.alloc(bytes - file.length, 0x20)])
  test.each([
    [
      'a static sticker of 100 KB and a byte',
      webpOf({ bytes: 102_401 }),
      'A file of type sticker can have at most 100 KB.',
    ],
    [
      'an animated sticker of 500 KB and a byte',
      webpOf({ animated: true, bytes: 512_001 }),
      'A file of type sticker can have at most 500 KB.',
    ],
    [
      'a 3GP of 16 MB and a byte',
      padded(container('3gp5'), 16 * megabyte + 1),
      'A file of type video can have at most 16 MB.',
    ],
    [
      'AAC of 16 MB and a byte',
      padded(Buffer.from([0xff, 0xf1, 0x50]), 16 * megabyte + 1),
      'A file of type audio can have at most 16 MB.',
    ],
    [
      'a sticker of 41 megapixels',
      webpOf({ width: 4_100, height: 10_000 }),
      'An image can have at most 40 megapixels.',
    ],
  ])('is refused by its size: %s', async (_, file, sentence) => {
    const refused = await world.upload(owner, { file })
    expect([refused.status, codeOf(refused), refused.json.error?.message]).toEqual([400, 'media_too_large', sentence])
  })

  test('stickers of exactly 100 KB, and of 500 KB when they move, are accepted', async () => {
    const sizes = [webpOf({ bytes: 102_400 }), webpOf({ animated: true, bytes: 512_000 })]
    for (const file of sizes) expect((await world.upload(owner, { file })).status).toBe(201)
  })

  test('text is read to its end: control characters and half a character are refused behind the first bytes too', async () => {
    const long = Buffer.from('ä'.repeat(20_000))
    const upload = (file: Buffer) => world.upload(owner, { file, name: 'notes.txt', type: 'text/plain' })
    expect((await upload(long)).json.data.mime_type).toBe('text/plain')
    for (const end of [Buffer.from([0]), Buffer.from([0xc3]), Buffer.from('\u0085')]) {
      const refused = await upload(Buffer.concat([long, end]))
      expect([codeOf(refused), refused.json.error.message]).toEqual([
        'media_type_not_supported',
        expect.stringContaining('text must be UTF-8 without control characters.'),
      ])
    }
  })

  test('text under another name is refused with the way out, and a page behind a link is not sent as text', async () => {
    const page = Buffer.from('<!doctype html><p>Sign in</p>')
    for (const type of ['text/html', 'text/csv', 'application/octet-stream']) {
      const refused = await world.upload(owner, { file: page, type })
      expect(codeOf(refused)).toBe('media_type_not_supported')
      expect(refused.json.error.message).toContain('Text is accepted with the Content-Type text/plain.')
    }
    answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    expect(await refusalOf(resolve({ link: link('a.txt') }, 'document'))).toMatchObject([
      'media_type_not_supported',
      {},
    ])
  })

  test('an Office document that could be any is refused until its type is given', async () => {
    const old = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(2_000)])
    const refused = await world.upload(owner, { file: old, name: 'a.xls', type: 'application/octet-stream' })
    expect([codeOf(refused), refused.json.error.message]).toEqual([
      'media_type_not_supported',
      expect.stringContaining('set its Content-Type (application/msword, application/vnd.ms-excel,'),
    ])
    const taken = await world.upload(owner, { file: old, name: 'a.xls', type: 'application/vnd.ms-excel' })
    expect(taken.json.data).toMatchObject({ mime_type: 'application/vnd.ms-excel', filename: 'a.xls' })
  })

  test('a sticker is not sent as an image, and a header of a template takes no document but a PDF', async () => {
    const idOf = async (file: Buffer, type: string) =>
      String((await world.upload(owner, { file, type })).json.data.media_id)
    const sticker = await idOf(webpOf(), 'image/webp')
    expect(await refusalOf(resolve({ media_id: sticker }, 'image'))).toMatchObject(['media_content_mismatch', {}])
    const components = [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Your bill.' },
    ]
    const { wabaId } = number.credentials
    sandbox.control.addTemplates({ waba_id: wabaId, templates: [{ name: 'bill', components }] })
    const draft = async (media_id: string) => {
      const header = { type: 'header', parameters: [{ type: 'document', document: { media_id } }] }
      const template = { template: 'bill', language: 'en_US', components: [header] }
      const sender = { accountId: owner.accountId, phoneNumberIds: null, keyId: null }
      return draftTemplate(world.rt, sender, { to: '+12025550123', from: number.id, ...template })
    }
    const notes = await idOf(Buffer.from('Hello'), 'text/plain')
    expect(await refusalOf(draft(notes))).toEqual([
      'media_type_not_supported',
      'The file is text/plain; here WhatsApp accepts only application/pdf.',
    ])
    expect(await refusalOf(draft(await idOf(pdf, '')))).toBe('ok')
  })
})
