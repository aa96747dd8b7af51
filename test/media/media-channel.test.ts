import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect as dial } from 'node:net'
import { type Sandbox, startSandbox } from '@postern/sandbox/sandbox.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../../server/src/channels/require-number.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { AppError } from '../../server/src/contract/app-error.ts'
import { changeAccount } from '../../server/src/installation/account.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { createGuardedHttp } from '../../server/src/lib/guarded-http/guarded-http.ts'
import { deleteMedia, eraseMedia, tidyMedia } from '../../server/src/media/delete-media.ts'
import { enqueueInboundMedia, fetchInboundMedia, type InboundFile } from '../../server/src/media/inbound-media.ts'
import { openContent } from '../../server/src/media/open-content.ts'
import { type MediaSource, resolveMedia } from '../../server/src/media/resolve-media.ts'
import type { MediaKind } from '../../server/src/media/types/media-kinds.ts'
import { receiveMessages } from '../../server/src/messages/receive-messages.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { type ClaimedJob, claimMediaJobs } from '../../server/src/store/jobs/jobs.ts'
import { jobDefinitions } from '../../server/src/workers/jobs.ts'
import { startRunner } from '../../server/src/workers/runner.ts'
import { engines } from '../support/postgres/databases.ts'
import { countJobs } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  aMediaWorld,
  bytesStored,
  type Login,
  type MediaWorld,
  megabyte,
  pdf,
  png,
  storedBefore,
} from './media-support.ts'

const nothing = { blobs: 0, loose: 0, files: 0 }

describe.each(engines)('files and the channel, on %s', (engine) => {
  let world: MediaWorld
  let owner: Login
  let sandbox: Sandbox
  let number: ChannelNumber
  let uploads: string[]

  beforeAll(async () => {
    world = await aMediaWorld(engine)
    sandbox = await startSandbox({ approved: true, development: true, clock: () => world.clock.now() })
    const { uploadMedia } = world.rt.platform
    world.rt.platform.uploadMedia = async (...call) => {
      const uploaded = await uploadMedia(...call)
      uploads.push(uploaded.platformMediaId)
      return uploaded
    }
  })
  beforeEach(async () => {
    owner = await world.login()
    number = await connect('cloud')
    uploads = []
  })
  // Whatever a test has stored is gone a month later.
  afterEach(async () => {
    world.clock.advance(32 * dayMs)
    await tidyMedia(world.rt)
    expect(await world.stored()).toEqual(nothing)
  })
  afterAll(async () => {
    await sandbox.close()
    await world.dispose()
  })

  async function connect(kind: 'cloud' | 'sandbox'): Promise<ChannelNumber> {
    const at = sandbox.control.createNumber({ approved: true })
    const { numberId } = await connectChannel(world.rt, {
      accountId: owner.accountId,
      kind,
      wabaId: at.waba_id,
      phoneNumberId: at.phone_number_id,
      accessToken: at.access_token,
      appSecret: at.app_secret,
      baseUrl: sandbox.url,
      graphVersion: at.graph_version,
      actor: operator,
    })
    return requireNumber(world.rt, owner.accountId, { from: numberId ?? '' })
  }

  const resolve = (source: MediaSource, kind: MediaKind = 'image', rt = world.rt) =>
    resolveMedia(rt, number, source, { kind })
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'ok',
      (error: unknown) => (error instanceof AppError ? error.code : `not a refusal: ${error}`),
    )
  const upload = async (file: Buffer, name?: string) =>
    String((await world.upload(owner, { file, ...(name ? { name } : {}) })).json.data.media_id)
  const bytesAtPlatform = async (platformMediaId: string) => {
    const chunks: Uint8Array[] = []
    const write = async (chunk: Uint8Array) => void chunks.push(chunk)
    await world.rt.platform.downloadMedia(number.credentials, { platformMediaId, bytesMax: 1e9, write })
    return Buffer.concat(chunks)
  }

  describe('sending', () => {
    test('an upload goes to the platform once per number and is reused for 29 days', async () => {
      const media_id = await upload(png, 'a.png')
      const first = await resolve({ media_id })
      expect(first).toEqual({
        reference: { platformMediaId: uploads[0] },
        record: { media_id, mime_type: 'image/png', size: png.length, sha256: expect.any(String), filename: 'a.png' },
      })
      expect((await bytesAtPlatform(String(uploads[0]))).equals(png)).toBe(true)
      const twin = await upload(png, 'b.png')
      await Promise.all([resolve({ media_id }), resolve({ media_id: twin })])
      expect(uploads).toHaveLength(1)
      number = await connect('cloud')
      await Promise.all([resolve({ media_id }), resolve({ media_id }), resolve({ media_id: twin })])
      expect(uploads).toHaveLength(2)
      world.clock.advance(29 * dayMs)
      await resolve({ media_id })
      expect(uploads).toHaveLength(3)
    })

    test('an upload works on a sandbox channel too; a link is passed on there and never fetched', async () => {
      number = await connect('sandbox')
      const media_id = await upload(pdf)
      expect((await resolve({ media_id }, 'document')).reference).toEqual({ platformMediaId: uploads[0] })
      const link = 'https://files.invalid/a.png'
      expect(await resolve({ link })).toEqual({
        reference: { link },
        record: { media_id: null, mime_type: null, size: null, sha256: null, filename: null },
      })
    })

    test('a dry run checks what is there and fetches, stores and uploads nothing', async () => {
      const media_id = await upload(png)
      const dry = (source: MediaSource, kind: MediaKind) =>
        resolveMedia(world.rt, number, source, { kind, dryRun: true })
      expect((await dry({ media_id }, 'image')).record.media_id).toBe(media_id)
      expect(await codeOf(dry({ media_id }, 'audio'))).toBe('media_content_mismatch')
      expect((await dry({ link: 'https://files.invalid/a.png' }, 'image')).record.media_id).toBeNull()
      expect(uploads).toEqual([])
      expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 1 })
    })

    test('another account’s file, a deleted one and one of another kind are refused', async () => {
      const media_id = await upload(png)
      const other = await world.login()
      const theirs = String((await world.upload(other, { file: png })).json.data.media_id)
      expect(await codeOf(resolve({ media_id: theirs }))).toBe('media_not_found')
      expect(await codeOf(resolve({ media_id }, 'document'))).toBe('media_content_mismatch')
      await eraseMedia(world.rt, owner.accountId, [media_id, 'med_unknown'])
      expect(await codeOf(resolve({ media_id }))).toBe('media_not_found')
      expect(uploads).toEqual([])
    })

    test('a file that is deleted while it is sent or read is refused as one that is not there', async () => {
      /** The runtime of a request that reads the row of a file just before it is deleted. */
      const overtaken = async (lastRead: string) => {
        const id = String((await world.upload(owner, { file: png })).json.data.media_id)
        const read: Store['read'] = async (query, params) => {
          const rows = await world.rt.store.read(query, params)
          if (query.name === lastRead) await deleteMedia(world.rt, owner.accountId, id)
          return rows
        }
        return { id, rt: { ...world.rt, store: { ...world.rt.store, read } } }
      }
      const sent = await overtaken('media_uploads.find')
      const sending = resolveMedia(sent.rt, number, { media_id: sent.id }, { kind: 'image' })
      await expect(sending).rejects.toMatchObject({ code: 'media_not_found' })
      const opened = await overtaken('media.find')
      const caller = { accountId: owner.accountId, scopes: ['media:read'] as const }
      await expect(openContent(opened.rt, caller, opened.id)).rejects.toMatchObject({ code: 'media_not_found' })
    })

    test('a platform that is away or refuses is told as such, and nothing is remembered', async () => {
      const media_id = await upload(png)
      const { credentials } = number
      const away = { ...number, credentials: { ...credentials, baseUrl: 'http://127.0.0.1:9' } }
      const locked = { ...number, credentials: { ...credentials, accessToken: 'wrong' } }
      expect(await codeOf(resolveMedia(world.rt, away, { media_id }, { kind: 'image' }))).toBe('upstream_unavailable')
      expect(await codeOf(resolveMedia(world.rt, locked, { media_id }, { kind: 'image' }))).toBe('channel_auth_failed')
      expect(await codeOf(resolve({ media_id }))).toBe('ok')
    })
  })

  describe('links on a cloud channel', () => {
    let server: Server
    let hits: number
    let answer: RequestListener

    beforeEach(async () => {
      hits = 0
      answer = (_, response) => void response.end(png)
      server = createServer((request, response) => {
        hits++
        answer(request, response)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    })
    afterEach(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const link = (path = '/files/a%20b.png?key=1') =>
      `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

    test('are fetched by us, kept, uploaded, and fetched again only after ten minutes', async () => {
      const resolved = await Promise.all([resolve({ link: link() }), resolve({ link: link() })])
      const [first] = resolved
      expect(first?.reference).toEqual({ platformMediaId: uploads[0] })
      expect(first?.record).toMatchObject({ mime_type: 'image/png', size: png.length, filename: 'a b.png' })
      await resolve({ link: link() })
      expect([hits, uploads.length]).toEqual([1, 1])
      expect((await bytesAtPlatform(String(uploads[0]))).equals(png)).toBe(true)
      world.clock.advance(600_000)
      await resolve({ link: link() })
      expect([hits, uploads.length]).toEqual([2, 1])
      expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 1 })
    })

    test('are fetched anew for every account: what another one has is not reused', async () => {
      await resolve({ link: link() })
      const other = { ...number, accountId: (await world.login()).accountId }
      await resolveMedia(world.rt, other, { link: link() }, { kind: 'image' })
      expect(hits).toBe(2)
    })

    test('are fetched again when the file was deleted in between', async () => {
      const { record } = await resolve({ link: link() })
      await deleteMedia(world.rt, number.accountId, record.media_id ?? '')
      expect((await resolve({ link: link() })).reference).toEqual({ platformMediaId: uploads.at(-1) })
      expect([hits, uploads.length]).toEqual([2, 2])
    })

    test('that are slow are told as not ready; their transfer goes on, and the repeat uses it', async () => {
      const held: (() => void)[] = []
      answer = (_, response) => void held.push(() => response.end(png))
      const send = (waitMaxMs: number) =>
        resolveMedia(world.rt, number, { link: link() }, { kind: 'image', waitMaxMs }).catch((error: unknown) => error)
      const late = { code: 'service_unavailable', extras: { retryAfterSeconds: 5 } }
      expect(await send(20)).toMatchObject(late)
      await waitFor(() => held.length === 1)
      const repeat = send(10_000)
      for (const release of held) release()
      expect(await repeat).toMatchObject({ reference: { platformMediaId: uploads[0] } })
      expect([hits, uploads.length]).toEqual([1, 1])
    })

    test('that are slow use up no place of another account', async () => {
      answer = () => {}
      const slow = Array.from({ length: 33 }, (_, index) =>
        resolveMedia(world.rt, number, { link: link(`/slow/${index}`) }, { kind: 'image', waitMaxMs: 500 }),
      )
      const codes = await Promise.all(slow.map(codeOf))
      expect(new Set(codes)).toEqual(new Set(['service_unavailable']))
      expect(hits).toBe(32)
      answer = (_, response) => void response.end(png)
      const other = { ...number, accountId: (await world.login()).accountId }
      expect(await codeOf(resolveMedia(world.rt, other, { link: link() }, { kind: 'image' }))).toBe('ok')
    })

    const failures: [string, RequestListener, string][] = [
      [
        'a page instead of a picture',
        (_, res) => void res.end('<!doctype html><p>Sign in</p>'),
        'media_type_not_supported',
      ],
      ['a PDF instead of a picture', (_, res) => void res.end(pdf), 'media_content_mismatch'],
      ['a 404', (_, res) => void res.writeHead(404).end('no'), 'media_link_unreachable'],
      ['an empty body', (_, res) => void res.end(), 'media_link_unreachable'],
      [
        'a body that ends early',
        (_, res) => void res.writeHead(200, { 'content-length': 500_000 }).write(png, () => res.destroy()),
        'media_link_unreachable',
      ],
      [
        'an announced 6 MB',
        (_, res) => void res.writeHead(200, { 'content-length': 6 * megabyte }).end(png),
        'media_too_large',
      ],
      [
        '6 MB that were not announced',
        (_, res) => {
          res.write(png)
          res.end(Buffer.alloc(6 * megabyte))
        },
        'media_too_large',
      ],
      [
        'a redirect to a file address',
        (_, res) => void res.writeHead(302, { location: 'file:///etc/passwd' }).end(),
        'media_link_unreachable',
      ],
    ]
    test('refuse what is no picture, is not there or is too large, and keep nothing', async () => {
      const codes: Record<string, string> = {}
      for (const [name, behaviour] of failures) {
        answer = behaviour
        codes[name] = await codeOf(resolve({ link: link(`/files/a.png?key=${Object.keys(codes).length}`) }))
        await waitFor(async () => (await world.stored()).loose === 0)
        expect(await world.stored(), name).toEqual(nothing)
      }
      expect(codes).toEqual(Object.fromEntries(failures.map(([name, , code]) => [name, code])))
      expect([hits, uploads]).toEqual([failures.length, []])
    })

    test.each([
      ['an http link to a public address is fetched', 'http://files.example.test/a.png', [80]],
      ['an http link may lead to https', 'http://files.example.test/to-https', [80, 443]],
      ['an https link never leads to http', 'https://files.example.test/to-http', [443]],
    ])('%s', async (_, target, ports) => {
      const dialled: number[] = []
      const { port } = server.address() as AddressInfo
      const deliver = createGuardedHttp({
        allow: [],
        allowLoopback: false,
        resolver: { resolve4: async () => [{ address: '93.184.216.34', ttl: 60 }], resolve6: async () => [] },
        connector: async (to) => {
          dialled.push(to.port)
          const socket = dial(port, '127.0.0.1')
          await once(socket, 'connect')
          return { socket, remoteIp: '93.184.216.34' }
        },
      })
      answer = ({ url }, response) => {
        const location = url === '/to-https' ? 'https' : url === '/to-http' ? 'http' : null
        if (location) response.writeHead(302, { location: `${location}://files.example.test/a.png` }).end()
        else response.end(png)
      }
      const code = await codeOf(resolve({ link: target }, 'image', { ...world.rt, deliver }))
      expect([code, dialled]).toEqual([target.startsWith('https') ? 'media_link_unreachable' : 'ok', ports])
      await deliver.close()
    })

    const forbidden = [
      'http://files.example.test/a.png',
      'https://127.0.0.1/a.png',
      'https://[::ffff:10.0.0.1]/a.png',
      'https://2130706433/a.png',
      'https://metadata.google.internal/a.png',
      'https://user:pass@files.example.test/a.png',
      'https://files.example.test:22/a.png',
      'https://rebound.example.test/a.png',
      'file:///etc/passwd',
    ]
    test('never reach a private address, however it is written, another scheme or another port', async () => {
      const opened: unknown[] = []
      const deliver = createGuardedHttp({
        allow: [],
        allowLoopback: false,
        resolver: {
          resolve4: async () => [{ address: '169.254.169.254', ttl: 60 }],
          resolve6: async () => [{ address: 'fd00::1', ttl: 60 }],
        },
        connector: (...to) => {
          opened.push(to)
          throw new Error('No connection may be opened here.')
        },
      })
      const reach = (target: string) => codeOf(resolve({ link: target }, 'image', { ...world.rt, deliver }))
      for (const target of forbidden) expect([target, await reach(target)]).toEqual([target, 'media_link_unreachable'])
      expect(opened).toEqual([])
      await deliver.close()
    })
  })

  describe('what customers send', () => {
    async function receive(over: Partial<InboundFile> & { platformMediaId: string }) {
      const mediaId = world.rt.newId('med')
      const unit = new Unit()
      const file = {
        kind: 'image' as MediaKind,
        mimeType: 'image/png',
        filename: null,
        sha256: null,
        ...over,
      }
      enqueueInboundMedia(world.rt, unit, { ...file, mediaId, accountId: owner.accountId, numberId: number.id })
      await world.rt.store.write(unit)
      return mediaId
    }
    const atPlatform = async (content: Buffer, mimeType: string) => {
      const file = { content, bytes: content.length, mimeType, filename: 'f' }
      return (await world.rt.platform.uploadMedia(number.credentials, file)).platformMediaId
    }
    const read = (id: string, path = '', login = owner) => world.call('GET', `/v1/chat/media/${id}${path}`, login)
    async function claimed(): Promise<ClaimedJob> {
      const unit = new Unit()
      const now = world.clock.now()
      const account_id = owner.accountId
      const call = unit.add(claimMediaJobs, { account_id, now, lease_until: now, claim: 'test', count: 1 })
      const [job] = (await world.rt.store.write(unit)).rows(call)
      if (!job) throw new Error('No job is due.')
      return job
    }

    test('is fetched at once by its job, kept, and readable with media:read and messages:read alone', async () => {
      const id = await receive({
        platformMediaId: await atPlatform(pdf, 'application/pdf'),
        kind: 'document',
        mimeType: 'application/pdf',
        filename: '../in\r\nvoice.pdf',
      })
      const waiting = await read(id)
      expect(waiting.json.data).toMatchObject({ media_id: id, type: 'document', size: null, sha256: null })
      expect((await read(id, '/content')).status).toBe(404)
      const runner = startRunner(
        world.rt,
        jobDefinitions.filter(({ kind }) => kind === 'media.fetch'),
      )
      await waitFor(async () => (await read(id)).json.data.size !== null)
      await runner.drain(5_000)
      expect((await read(id)).json.data).toMatchObject({ size: pdf.length, filename: 'invoice.pdf' })
      expect((await read(id, '/content')).body.equals(pdf)).toBe(true)
      expect(await world.rt.store.read(countJobs, { kind: 'media.fetch' })).toEqual([{ total: 0 }])
      const writer = await world.login(['media:write'], owner.accountId)
      const refused = await read(id, '', writer)
      expect([refused.status, refused.json.error?.required_scope]).toEqual([403, 'media:read'])
      const reader = await world.login(['media:read'], owner.accountId)
      for (const path of ['', '/content']) {
        const { status, json } = await read(id, path, reader)
        expect([status, json.error?.required_scope]).toEqual([403, 'messages:read'])
      }
    })

    test('is asked for by its id: an address in a callback, forged or not, is fetched by nobody', async () => {
      const image = {
        id: await atPlatform(png, 'image/png'),
        mime_type: 'image/png',
        // Answers with the tokens of every number of the sandbox.
        url: `${sandbox.url}/_sandbox`,
      }
      const message = { id: 'wamid.forged', from: '15550001111', timestamp: '1790000000', type: 'image', image }
      const value = { metadata: { phone_number_id: number.credentials.phoneNumberId }, messages: [message] }
      const entry = [{ id: number.credentials.wabaId, changes: [{ field: 'messages', value }] }]
      const items = world.rt.platform.parseCallback(JSON.stringify({ object: 'whatsapp_business_account', entry }))
      const channel = { id: 'chn_test', kind: 'cloud' as const, wabaId: number.credentials.wabaId }
      const sender = { id: number.id, phoneNumber: '+15550009999', displayName: null }
      const context = { accountId: owner.accountId, channel, number: sender, receivedAt: world.clock.now() }
      const messages = items.flatMap((item) => (item.kind === 'message' ? [{ item, context }] : []))
      expect(await receiveMessages(world.rt, messages)).toEqual(['applied'])
      const job = await claimed()
      expect(job.payload).not.toContain('_sandbox')
      expect(await fetchInboundMedia(world.rt, job)).toBe('done')
      expect((await read(job.subject, '/content')).body.equals(png)).toBe(true)
    })

    test('is kept when the plan has no room left, and counted', async () => {
      const before = 2 ** 40
      await storedBefore(world, owner.accountId, before)
      await changeAccount(world.rt, owner.accountId, { plan: 'free' }, operator)
      const id = await receive({ platformMediaId: await atPlatform(png, 'image/png') })
      expect(await fetchInboundMedia(world.rt, await claimed())).toBe('done')
      expect((await read(id, '/content')).body.equals(png)).toBe(true)
      expect(await bytesStored(world, owner.accountId)).toBe(before + png.length)
      expect((await world.upload(owner, { file: pdf })).json.error.code).toBe('plan_not_sufficient')
    })

    test('whose hash differs from the announced one is kept, and logged', async () => {
      const platformMediaId = await atPlatform(png, 'image/png')
      const id = await receive({ platformMediaId, sha256: 'ab'.repeat(32) })
      expect(await fetchInboundMedia(world.rt, await claimed())).toBe('done')
      expect((await read(id, '/content')).body.equals(png)).toBe(true)
      const told = world.logLines.filter((line) => line.includes('media.hash_differs'))
      expect([told.length, told.join().includes(id)]).toEqual([1, true])
    })

    test('shares its blob with an upload of the same bytes, and can be sent on', async () => {
      await upload(png)
      const id = await receive({ platformMediaId: await atPlatform(png, 'image/png') })
      expect(await fetchInboundMedia(world.rt, await claimed())).toBe('done')
      expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 1 })
      expect(await codeOf(resolve({ media_id: id }))).toBe('ok')
    })

    test('is never served as something a browser would run, and cannot be sent on when the channel does not take it', async () => {
      const page = Buffer.from('<script>alert(1)</script>')
      const id = await receive({
        platformMediaId: await atPlatform(page, 'text/plain'),
        kind: 'document',
        mimeType: 'text/html; charset=utf-8',
      })
      await fetchInboundMedia(world.rt, await claimed())
      const { headers } = await read(id, '/content')
      expect(headers['content-type']).toBe('application/octet-stream')
      expect(headers['content-disposition']).toContain('attachment')
      expect(await codeOf(resolve({ media_id: id }, 'document'))).toBe('media_type_not_supported')
    })

    test('is kept whatever it unpacks to: a camera takes more megapixels than the channel lets us send', async () => {
      const header = Buffer.from(png)
      header.writeUInt32BE(12_000, 16)
      header.writeUInt32BE(9_000, 20)
      const id = await receive({ platformMediaId: await atPlatform(header, 'image/png') })
      expect(await fetchInboundMedia(world.rt, await claimed())).toBe('done')
      expect((await read(id)).json.data).toMatchObject({ size: header.length })
      expect((await read(id, '/content')).body.equals(header)).toBe(true)
    })

    test('is tried again while the platform fails, for 7 days, and is lost then', async () => {
      const id = await receive({ platformMediaId: '404404404404' })
      const job = await claimed()
      await expect(fetchInboundMedia(world.rt, job)).rejects.toThrow('media_not_found')
      world.clock.advance(7 * dayMs - 1)
      await expect(fetchInboundMedia(world.rt, job)).rejects.toThrow('media_not_found')
      world.clock.advance(1)
      expect(await fetchInboundMedia(world.rt, job)).toBe('done')
      expect(await fetchInboundMedia(world.rt, job)).toBe('done')
      const login = await world.login(undefined, owner.accountId)
      const content = await read(id, '/content', login)
      expect([content.status, content.json.error.message]).toEqual([404, expect.stringContaining('lost')])
      expect(await world.stored()).toEqual(nothing)
    })

    test('that is erased before or while it is fetched leaves nothing', async () => {
      const platformMediaId = await atPlatform(pdf, 'application/pdf')
      const id = await receive({ platformMediaId })
      const job = await claimed()
      const { downloadMedia } = world.rt.platform
      onTestFinished(() => void Object.assign(world.rt.platform, { downloadMedia }))
      world.rt.platform.downloadMedia = async (...call) => {
        await eraseMedia(world.rt, owner.accountId, [id])
        return downloadMedia(...call)
      }
      expect(await fetchInboundMedia(world.rt, job)).toBe('done')
      expect((await read(id)).status).toBe(404)
      expect(await fetchInboundMedia(world.rt, job)).toBe('done')
      expect(await world.stored()).toEqual(nothing)
    })
  })
})
