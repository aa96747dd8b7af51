import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { StreamRequest } from '../../lib/guarded-http/guarded-http-stream.ts'
import type { NumberCredentials, PlatformClient } from '../chat-platform.ts'
import { createCloudApi } from './cloud-api.ts'
import type { MediaAccess } from './cloud-media.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const bytes = Buffer.from('a picture')
const digest = createHash('sha256').update(bytes).digest()

describe('The User-Agent', () => {
  test('goes with every call and above all with the download of a file', async () => {
    const { seen, number, platform } = await start((request, response) => {
      if (request.url?.startsWith('/file')) response.writeHead(200).end(bytes)
      else json({ id: '77', url: `${ownUrl(request)}/file` })(request, response)
    })
    await platform.getNumber(number)
    const file = wanted()
    await platform.downloadMedia(number, file)
    expect(Buffer.concat(file.chunks).equals(bytes)).toBe(true)
    expect(seen.map(({ headers }) => headers['user-agent'])).toEqual(['Postern/1.2', 'Postern/1.2', 'Postern/1.2'])
  })
})

describe('The token', () => {
  test('goes with every call, below the version', async () => {
    const { seen, number, platform } = await start(json({ id: '77' }))
    await platform.getNumber(number)
    expect(seen[0]?.headers.authorization).toBe('Bearer tok-12345678')
    expect(seen[0]?.url).toMatch(/^\/v26\.0\/1065\?fields=/)
  })

  test.each(['', '/', '/meta', '/meta/'])('goes below a base URL that ends in %j', async (end) => {
    const { seen, number, platform } = await start(json({ id: '77', success: true }))
    await platform.markRead({ ...number, baseUrl: `${number.baseUrl}${end}` }, 'wamid.1')
    expect(seen[0]?.url).toBe(`${end.replace(/\/$/, '')}/v26.0/1065/messages`)
  })

  test('is proven with the app secret on every call once that is known, as the platform computes it', async () => {
    const { seen, number, platform } = await start(json({ id: '77', success: true }))
    const proven = { ...number, appSecret: 'app-secret-1' }
    await platform.getNumber(proven)
    await platform.markRead(proven, 'wamid.1')
    await platform.getNumber(number)
    const proof = createHmac('sha256', 'app-secret-1').update('tok-12345678').digest('hex')
    expect(
      seen.map(({ url }) => new URL(url ?? '', 'http://platform.test').searchParams.get('appsecret_proof')),
    ).toEqual([proof, proof, null])
  })

  const named = [
    'https://internal.test/latest/meta-data',
    'http://files.cdn.test/a',
    'https://files.cdn.test.attacker.test/a',
    'https://files.cdn.test:8443/a',
    'https://evilcdn.test/a',
    'https://169.254.169.254/a',
    'ftp://files.cdn.test/a',
    'file:///etc/passwd',
    'not a url',
  ]
  test.each(named)('never goes to %s, not even when the platform names it for a file', async (url) => {
    const { number, platform, seen, guarded } = await start(json({ url }))
    await expect(platform.downloadMedia(number, wanted())).rejects.toMatchObject({ code: 'channel_rejected' })
    expect([seen.length, guarded.length]).toEqual([1, 0])
  })

  test('never goes to another origin on this machine', async () => {
    const elsewhere = await start(() => {})
    const { number, platform, seen } = await start(json({ url: `${elsewhere.number.baseUrl}/file` }))
    await expect(platform.downloadMedia(number, wanted())).rejects.toMatchObject({ code: 'channel_rejected' })
    expect([seen.length, elsewhere.seen.length]).toEqual([1, 0])
  })

  test.each([
    ['a media host', 'https://files.cdn.test/f?oh=1'],
    ['a host below a listed name', 'https://scontent.eu.cdn.test/f'],
  ])('goes to %s through the guard, with our name, and to redirects on that list only', async (_, url) => {
    const { number, platform, guarded } = await start(json({ url, sha256: digest.toString('hex') }))
    const file = wanted()
    const facts = await platform.downloadMedia(number, file)
    expect(facts).toEqual({ mimeType: null, sha256: digest.toString('hex'), bytes: null })
    expect(Buffer.concat(file.chunks).equals(bytes)).toBe(true)
    const [request] = guarded
    expect(request).toMatchObject({
      url,
      headers: { authorization: 'Bearer tok-12345678', 'user-agent': 'Postern/1.2' },
    })
    const hops = ['https://a.cdn.test/x', 'https://internal.test/x', 'http://a.cdn.test/x', number.baseUrl]
    expect(hops.map((hop) => request?.permits?.(new URL(hop)))).toEqual([true, false, false, false])
  })

  test.each(['..', '.', ''])('never climbs out of its version with an id such as %j', async (platformMediaId) => {
    const { number, platform, seen } = await start(json({}))
    await expect(platform.downloadMedia(number, { ...wanted(), platformMediaId })).rejects.toThrow()
    await expect(platform.getTemplate(number, platformMediaId)).rejects.toThrow()
    expect(seen).toEqual([])
  })

  test('does not follow a redirect of the file', async () => {
    const elsewhere = await start(() => {})
    const { number, platform } = await start((request, response) => {
      if (request.url?.startsWith('/v26.0/')) json({ url: `${ownUrl(request)}/file` })(request, response)
      else response.writeHead(302, { location: `${elsewhere.number.baseUrl}/stolen` }).end()
    })
    await expect(platform.downloadMedia(number, wanted())).rejects.toMatchObject({ code: 'channel_rejected' })
    expect(elsewhere.seen).toEqual([])
  })

  test('does not follow the next page to where the answer points', async () => {
    const elsewhere = await start(() => {})
    const { number, platform, seen } = await start((request, response) => {
      const first = !request.url?.includes('after=')
      const paging = { cursors: { after: 'c1' }, next: `${elsewhere.number.baseUrl}/next` }
      json({ data: [{ id: first ? 1 : '2', name: 'a', language: 'en-US' }], paging })(request, response)
    })
    const found: string[] = []
    for await (const { templateId, content } of platform.listTemplates(number))
      found.push(templateId + content.language)
    // The cursor stands still on the second page, so the list ends there.
    expect(found).toEqual(['1en_US', '2en_US'])
    expect(seen).toHaveLength(2)
    expect(elsewhere.seen).toEqual([])
  })
})

describe('Shapes that vary', () => {
  test.each([
    [String(bytes.length), digest.toString('base64')],
    [bytes.length, digest.toString('hex')],
    [bytes.length, digest.toString('hex').toUpperCase()],
  ])('file_size %j and sha256 %s read the same', async (file_size, hash) => {
    const { number, platform } = await start(json({ url: 'https://files.test/1', file_size, sha256: hash, id: 5 }))
    expect(await platform.mediaUrl(number, '5')).toEqual({
      url: 'https://files.test/1',
      mimeType: null,
      sha256: digest.toString('hex'),
      bytes: bytes.length,
    })
  })

  test('an upload id may be a number', async () => {
    const { number, platform } = await start(json({ id: 1037543291543636 }))
    const upload = { content: bytes, bytes: bytes.length, mimeType: 'image/png', filename: 'a.png' }
    expect(await platform.uploadMedia(number, upload)).toEqual({ platformMediaId: '1037543291543636' })
  })

  test('a token that ends has its time in milliseconds', async () => {
    const { number, platform } = await start(json({ data: { is_valid: true, expires_at: 1750030073, scopes: 'x' } }))
    expect(await platform.debugToken(number)).toMatchObject({ valid: true, expiresAt: 1750030073000, scopes: [] })
  })

  test('an answer without anything useful is not taken for a success', async () => {
    const { number, platform } = await start(json({}))
    const upload = { content: bytes, bytes: bytes.length, mimeType: 'image/png', filename: 'a.png' }
    await expect(platform.uploadMedia(number, upload)).rejects.toMatchObject({ code: 'upstream_unavailable' })
    await expect(platform.mediaUrl(number, '5')).rejects.toMatchObject({ code: 'upstream_unavailable' })
    await expect(platform.getTemplate(number, '5')).rejects.toMatchObject({ code: 'upstream_unavailable' })
    expect(await platform.getNumber(number)).toMatchObject({ phoneNumberId: '1065', status: null, health: null })
  })

  test('success: false is a refusal', async () => {
    const { number, platform } = await start(json({ success: false }))
    await expect(platform.register(number, '123456')).rejects.toMatchObject({ code: 'channel_rejected' })
  })

  test('a template message answered with paused was not sent', async () => {
    const { number, platform } = await start(json({ messages: [{ id: 'wamid.A', message_status: 'paused' }] }))
    const content = { type: 'template' as const, name: 'a', language: 'en', components: [] }
    const sending = platform.send(number, { to: { phone: '+15550001111' }, content }, { correlation: 'c' })
    await expect(sending).rejects.toMatchObject({ code: 'template_paused', outcome: 'refused' })
  })
})

describe('Samples', () => {
  test('need the id of the app, and say so', async () => {
    const { number, platform, seen } = await start(json({}))
    const { appId: _without, ...bare } = number
    const uploading = platform.uploadSample(bare, { content: bytes, mimeType: 'image/png', filename: 'a.png' })
    await expect(uploading).rejects.toMatchObject({ upstream: { title: 'The channel has no app id.' } })
    expect(seen).toEqual([])
  })

  test('go to the session as it was named, signature included', async () => {
    const { number, platform, seen } = await start((request, response) => {
      json(request.url?.includes('/uploads') ? { id: 'upload:MTphd==?sig=ARZq_-1' } : { h: '4::aW' })(request, response)
    })
    const sample = { content: bytes, mimeType: 'image/png', filename: 'a b.png' }
    expect(await platform.uploadSample(number, sample)).toEqual({ handle: '4::aW' })
    expect(seen.map(({ url }) => url)).toEqual([
      `/v26.0/44/uploads?file_name=a+b.png&file_length=${bytes.length}&file_type=image%2Fpng`,
      '/v26.0/upload:MTphd==?sig=ARZq_-1',
    ])
    expect(seen[1]?.headers).toMatchObject({ file_offset: '0', authorization: 'OAuth tok-12345678' })
  })
})

describe('A download', () => {
  test('that breaks off is a failure that may be repeated', async () => {
    const { number, platform } = await start((request, response) => {
      if (request.url?.startsWith('/v26.0/')) return json({ url: `${ownUrl(request)}/file` })(request, response)
      response.writeHead(200, { 'content-length': '5000' })
      response.write('half', () => response.destroy())
    })
    await expect(platform.downloadMedia(number, wanted(10_000))).rejects.toMatchObject({
      code: 'upstream_unavailable',
      retryable: true,
    })
  })

  test('without an announced length is cut off at the cap', async () => {
    const { number, platform } = await start((request, response) => {
      if (request.url?.startsWith('/v26.0/')) return json({ url: `${ownUrl(request)}/file` })(request, response)
      response.writeHead(200)
      for (let count = 0; count < 50; count++) response.write(Buffer.alloc(1_000))
      response.end()
    })
    await expect(platform.downloadMedia(number, wanted(10_000))).rejects.toMatchObject({ code: 'media_too_large' })
  })

  test('that stands still ends at the deadline', async () => {
    const { number, platform } = await start((request, response) => {
      if (request.url?.startsWith('/v26.0/')) json({ url: `${ownUrl(request)}/file` })(request, response)
      else response.writeHead(200).write('start')
    })
    await expect(platform.downloadMedia(number, wanted(10_000))).rejects.toMatchObject({ code: 'upstream_unavailable' })
  })
})

function json(value: object): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
}

function wanted(bytesMax = 100) {
  const chunks: Uint8Array[] = []
  return { platformMediaId: '5', bytesMax, chunks, write: async (chunk: Uint8Array) => void chunks.push(chunk) }
}

function ownUrl(request: IncomingMessage): string {
  return `http://${request.headers.host}`
}

type Started = {
  platform: PlatformClient
  number: NumberCredentials
  seen: IncomingMessage[]
  guarded: StreamRequest[]
}

async function start(answer: RequestListener): Promise<Started> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    request.resume().on('end', () => answer(request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const guarded: StreamRequest[] = []
  const fetchStream: MediaAccess['fetchStream'] = async (request) => {
    guarded.push(request)
    await request.write(bytes, {})
    const outcome = { statusCode: 200, headers: {}, bytes: bytes.length, remoteIp: '', durationMs: 0 }
    return { kind: 'response', ...outcome }
  }
  const platform = createCloudApi(
    { totalMs: 750, transferMs: 1_500, repeatPauseMs: 10, userAgent: 'Postern/1.2' },
    { hosts: ['files.cdn.test', '.cdn.test'], fetchStream },
  )
  closers.push(async () => {
    await platform.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const number = { phoneNumberId: '1065', wabaId: '9001', accessToken: 'tok-12345678', appId: '44', baseUrl }
  return { platform, number: { ...number, graphVersion: 'v26.0' }, seen, guarded }
}
