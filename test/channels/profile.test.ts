import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAudit } from '../../server/src/store/accounts/audit-log.ts'
import { pdf, png, samples } from '../media/media-samples.ts'
import { engines } from '../support/postgres/databases.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const path = '/v1/chat/profile'
const empty = { about: null, address: null, description: null, email: null, websites: [], photo_url: null }
const full = {
  about: 'Aberto todos os dias 🌱',
  address: 'شارع الملك فهد، الرياض',
  description: 'Plants and everything they need.',
  email: 'hello@acme.test',
  vertical: 'RETAIL',
  websites: ['https://acme.test', 'http://shop.acme.test'],
}

const refusals: [string, object, string, string][] = [
  ['an empty about', { about: ' ' }, 'about', 'too_short'],
  ['a long about', { about: 'x'.repeat(140) }, 'about', 'too_long'],
  ['a long address', { address: 'x'.repeat(257) }, 'address', 'too_long'],
  ['a long description', { description: 'x'.repeat(513) }, 'description', 'too_long'],
  ['no email address', { email: 'nobody' }, 'email', 'invalid_format'],
  [
    'three websites',
    { websites: ['https://a.test', 'https://b.test', 'https://c.test'] },
    'websites',
    'too_many_items',
  ],
  ['a website without scheme', { websites: ['a.test'] }, 'websites[0]', 'invalid_url'],
  ['an unknown category', { vertical: 'SPACE' }, 'vertical', 'invalid_value'],
  ['an unknown field', { motto: 'x' }, 'motto', 'unknown_field'],
  ['nothing', {}, 'about', 'one_of_required'],
  ['another number', { about: 'x', from: '+12025550111' }, 'from', 'invalid_value'],
  ['a photo from nowhere', { photo: {} }, 'photo', 'one_of_required'],
  ['a photo of two', { photo: { media_id: 'a', link: 'https://a.test' } }, 'photo', 'mutually_exclusive'],
]

describe.each(engines)('the business profile on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  })
  afterAll(() => world.stop())

  const put = (body: object) => world.call('PUT', path, { body })
  const upload = async (bytes: Uint8Array, name: string) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), name)
    const base = world.service.urls.base.replace('localhost', '127.0.0.1')
    const headers = { authorization: `Bearer ${world.token}` }
    const answer = await fetch(`${base}/v1/chat/media`, { method: 'POST', headers, body: form })
    return ((await answer.json()) as { data: { media_id: string } }).data.media_id
  }
  const audited = async () => {
    const { rt } = world.service
    const rows = await rt.store.read(readAudit, { account_id: world.accountId, after: 0, count: 100 })
    return rows.filter(({ action }) => action === 'profile.updated').map(({ entry }) => JSON.parse(entry))
  }

  test('is read and changed at Meta, field by field', async () => {
    const before = await world.get(path)
    expect(before.body.data).toEqual({ phone_number: expect.stringMatching(/^\+\d+$/), vertical: 'OTHER', ...empty })
    const changed = await put(full)
    expect(changed.body.data).toEqual({ ...before.body.data, ...full })
    expect((await put({ about: 'New', email: null })).body.data).toMatchObject({ ...full, about: 'New' })
    const removed = { address: '', description: '', email: '', vertical: '', websites: [] }
    expect((await put(removed)).body.data).toMatchObject({ ...empty, about: 'New', vertical: null })
    const { phone_number: from } = before.body.data
    expect((await world.get(`${path}?from=${encodeURIComponent(from)}`)).body.data.about).toBe('New')
  })

  test('a change leaves a line in the audit log, with the fields and without their texts', async () => {
    await put({ description: 'Confidential until noon' })
    const line = (await audited()).at(-1)
    expect(line).toMatchObject({
      actor: { type: 'api_key' },
      targets: [{ type: 'number' }],
      metadata: { fields: ['description'] },
    })
    expect(JSON.stringify(line)).not.toContain('Confidential')
  })

  test('takes an uploaded JPEG or PNG as its photo, and nothing else', async () => {
    const jpeg = samples.find(({ mime }) => mime === 'image/jpeg')?.file ?? png
    for (const bytes of [png, jpeg]) {
      const { photo_url } = (await put({ photo: { media_id: await upload(bytes, 'photo') } })).body.data
      expect(Buffer.from(await (await fetch(photo_url)).arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)
    }
    const document = await put({ photo: { media_id: await upload(pdf, 'a.pdf') } })
    expect(document.body.error).toMatchObject({ code: 'media_type_not_supported', status: 400 })
    const gone = await put({ photo: { media_id: 'med_none' } })
    expect(gone.body.error).toMatchObject({ code: 'media_not_found', status: 404 })
  })

  test.each(refusals)('refuses %s before Meta is asked', async (_, body, field, code) => {
    const answer: Answer = await put(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toMatchObject([{ field, code, location: 'body' }])
  })

  test('a number that is not ours is named where it was given', async () => {
    const { body } = await world.get(`${path}?from=%2B12025550111`)
    expect(body.error.details).toMatchObject([{ field: 'from', location: 'query' }])
  })

  test('what Meta refuses, throttles or does not answer is told as such', async () => {
    const failing = async (code: number) => {
      const when = { endpoint: 'whatsapp_business_profile' }
      await world.control('POST', '/_sandbox/rules', { when, do: { error: { code } }, count: 1 })
      return (await world.get(path)).body.error
    }
    expect(await failing(131009)).toMatchObject({ code: 'channel_rejected', upstream: { code: 131009 } })
    expect(await failing(80007)).toMatchObject({ code: 'channel_rate_limited', retryable: true })
    expect(await failing(131016)).toMatchObject({ code: 'upstream_unavailable', retryable: true })
    // For a send its outcome would be unknown.
    expect(await failing(131000)).toMatchObject({ code: 'upstream_unavailable', retryable: true })
  })
})
