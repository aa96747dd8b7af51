import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const draft = {
  name: 'Spring sale',
  template: 'order_confirmation',
  language: 'en_US',
  components: [
    {
      type: 'body',
      parameters: ['{{first_name|customer}}', '{{order}}', '9 EUR'].map((text) => ({ type: 'text', text })),
    },
  ],
}

describe.each(engines)('broadcasts, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  })
  afterAll(() => world.stop())

  const create = async (fields: object = {}): Promise<string> => {
    const { status, body } = await world.post('/v1/chat/broadcasts', { ...draft, ...fields })
    expect([status, body.error]).toEqual([201, undefined])
    return body.data.id
  }
  const upload = async (id: string, text: string, { query = '', type = 'text/csv' } = {}): Promise<Answer> => {
    const url = `${world.service.urls.base}/v1/chat/broadcasts/${id}/recipients${query}`
    const headers = { authorization: `Bearer ${world.token}`, 'content-type': type }
    const response = await fetch(url, { method: 'POST', headers, body: text })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const get = async (id: string) => (await world.get(`/v1/chat/broadcasts/${id}`)).body.data
  const text = async (path: string) => {
    const headers = { authorization: `Bearer ${world.token}` }
    return (await fetch(`${world.service.urls.base}${path}`, { headers })).text()
  }

  test('lines that are wrong are named with their column, and do not stop the others', async () => {
    const id = await create()
    const lines = [
      'Phone;first_name;order',
      '+351 912 345 001;Ana;A-1',
      '+3510912345002;Rui;A-2',
      '+351912345003;"Eva; Maria";"A-3',
      'of two lines"',
      '+351912345001;Ana;A-1',
      '+351912345004;;A-4',
      '+351912345005;Lia;',
      '+12025550199;Sam;A-6',
    ]
    const { status, body } = await upload(id, `\uFEFF${lines.join('\r\n')}`)
    expect([status, body.error]).toEqual([201, undefined])
    const { rows, accepted, invalid, duplicates, columns, countries, problems } = body.data
    expect({ rows, accepted, invalid, duplicates, columns }).toEqual({
      rows: 7,
      accepted: 3,
      invalid: 3,
      duplicates: 1,
      columns: ['Phone', 'first_name', 'order'],
    })
    expect(countries).toEqual([
      { country: 'PT', count: 2 },
      { country: 'US', count: 1 },
    ])
    expect(
      problems.map((one: { line: number; column: string; code: string }) => [one.line, one.column, one.code]),
    ).toEqual([
      [3, 'to', 'invalid_phone_number'],
      [4, 'order', 'invalid_format'],
      [6, 'to', 'duplicate'],
      [8, 'order', 'required'],
    ])
    expect((await get(id)).counts).toMatchObject({ accepted: 3, waiting: 3, under_way: 0 })
    const file = await text(`/v1/chat/broadcasts/${id}/uploads/${body.data.upload_id}/problems`)
    expect(file.split('\r\n')).toHaveLength(6)
    expect(file).not.toContain('91234')
  })

  test('a wrong quote costs one line, and a value that does not fit is named by its own column', async () => {
    const id = await create()
    const lines = [
      'phone,order',
      '+351912350001,5" pipe',
      '+351912350002,6" pipe',
      '+351912350003,"A" B',
      `+351912350004,${'x'.repeat(1_100)}`,
      '+351912350005,A     B',
      '+351912350006,A',
    ]
    const { body } = await upload(id, lines.join('\n'))
    expect(body.data).toMatchObject({ rows: 6, accepted: 3, invalid: 3 })
    expect(body.data.problems.map(({ line, column, code }: Record<string, unknown>) => [line, column, code])).toEqual([
      [4, null, 'invalid_format'],
      [5, 'order', 'too_long'],
      [6, 'order', 'invalid_format'],
    ])
  })

  test('a file of another type is rejected with what to send, however large it is', async () => {
    const id = await create()
    const file = `phone,order\n${'+351912350001,A\n'.repeat(40_000)}`
    const { status, body } = await upload(id, file, { type: 'application/x-www-form-urlencoded' })
    expect([status, body.error.code]).toEqual([400, 'unsupported_media_type'])
    expect(body.error.message).toContain('text/csv')
  })

  test('a plan that is asked for again stays, and another one needs a pause first', async () => {
    const id = await create()
    await upload(id, 'to,order\n+351912340001,A\n')
    const at = (minutes: number) => ({ start_at: new Date(Date.now() + minutes * 60_000).toISOString() })
    const start = (body: object) => world.post(`/v1/chat/broadcasts/${id}/start`, body)
    const plan = at(60)
    for (const answer of [await start(plan), await start(plan)]) {
      expect([answer.status, answer.body.data.status]).toEqual([200, 'scheduled'])
    }
    for (const other of [at(90), {}]) {
      const { status, body } = await start(other)
      expect([status, body.error.code, body.error.message]).toEqual([
        400,
        'broadcast_state',
        expect.stringContaining('Pause it first'),
      ])
    }
  })

  test('the same file again adds nothing, and replacing leaves only the new one', async () => {
    const id = await create()
    const file = 'to,order\n+351912340001,A\n+351912340002,B\n'
    await upload(id, file)
    const again = await upload(id, file)
    expect(again.body.data).toMatchObject({ accepted: 0, duplicates: 2 })
    // Whose answer was lost uploads again, and goes on with a preview.
    const preview = await world.post(`/v1/chat/broadcasts/${id}/preview`, { line: 3 })
    expect(preview.body.data).toMatchObject({ line: 3, to: '+351912340002' })
    await upload(id, 'to,order\n+351912340003,C\n', { query: '?replace=true' })
    const { recipients } = (await world.get(`/v1/chat/broadcasts/${id}/recipients`)).body.data
    expect(recipients.map((one: { to: string; result: string }) => [one.to, one.result])).toEqual([
      ['+351912340003', 'waiting'],
    ])
    expect((await get(id)).counts.accepted).toBe(1)
  })

  test('a dry run checks and stores nothing', async () => {
    const id = await create()
    const { body } = await upload(id, 'mobile,order\n+351912340001,A\n', { query: '?dry_run=true' })
    expect(body.data).toMatchObject({ upload_id: null, accepted: 1 })
    expect((await get(id)).counts.accepted).toBe(0)
  })

  test.each([
    ['no column of the pattern', 'to,other\n+351912340001,A\n', 'validation_failed'],
    ['no column with numbers', 'name,order\nAna,A\n', 'validation_failed'],
    ['a quote that never ends', 'to,order\n+351912340001,"A\n', 'validation_failed'],
    ['no line', 'to,order\n', 'validation_failed'],
    ['two columns of one name', 'to,order,order\n', 'validation_failed'],
  ])('a file with %s is rejected whole', async (_what, file, code) => {
    const id = await create()
    const { status, body } = await upload(id, file)
    expect([status, body.error.code]).toEqual([400, code])
    expect((await get(id)).counts.accepted).toBe(0)
    // It can be tried again at once.
    expect((await upload(id, 'to,order\n+351912340001,A\n')).status).toBe(201)
  })

  test('recipients come as one JSON object in each line, or as JSON', async () => {
    const id = await create()
    const lines = [
      {
        to: '+351912340001',
        values: { order: 'A', first_name: 'Ana' },
        client_reference: 'r-1',
        time_zone: 'Europe/Lisbon',
      },
      { to: '+351912340002', values: { order: 7 } },
      { to: '+351912340003', values: { order: 'C' }, time_zone: 'Nowhere/Else' },
      { to: '+351912340004', order: 'C' },
    ]
    const ndjson = await upload(id, lines.map((line) => JSON.stringify(line)).join('\n'), {
      type: 'application/x-ndjson',
    })
    expect(ndjson.body.data).toMatchObject({ rows: 4, accepted: 2, invalid: 2 })
    const recipients = [{ to: '+351912340005', values: { order: 'E' } }]
    const json = await world.post(`/v1/chat/broadcasts/${id}/recipients`, { recipients })
    expect(json.body.data).toMatchObject({ rows: 1, accepted: 1 })
    const preview = await world.post(`/v1/chat/broadcasts/${id}/preview`)
    expect([preview.status, JSON.stringify(preview.body.data.content)]).toEqual([
      200,
      expect.stringContaining('customer'),
    ])
  })

  test('an upload that breaks off leaves nothing behind', async () => {
    const id = await create()
    async function* broken() {
      yield new TextEncoder().encode('to,order\n')
      for (let line = 0; line < 2_000; line++) yield new TextEncoder().encode(`+35191${2_000_000 + line},A\n`)
      throw new Error('gone')
    }
    const url = `${world.service.urls.base}/v1/chat/broadcasts/${id}/recipients`
    const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'text/csv' }
    const body = ReadableStream.from(broken())
    const sending = fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    await expect(sending).rejects.toThrow()
    expect((await get(id)).counts.accepted).toBe(0)
    const { recipients } = (await world.get(`/v1/chat/broadcasts/${id}/recipients`)).body.data
    expect(recipients).toEqual([])
  })

  test('an estimate counts by country and says what limits it', async () => {
    const id = await create({ max_per_second: 2 })
    await upload(id, 'to,order\n+351912340001,A\n+351912340002,B\n+12025550100,C\n')
    const { body } = await world.get(`/v1/chat/broadcasts/${id}/estimate`)
    expect(body.data).toMatchObject({
      recipients: 3,
      countries: [
        { country: 'PT', count: 2 },
        { country: 'US', count: 1 },
      ],
      cost: null,
      per_second: 2,
      duration_seconds: 2,
      limited_by: 'max_per_second',
    })
  })

  test('template and values can be changed in a draft, as far as the columns are there', async () => {
    const id = await create()
    await upload(id, 'to,order\n+351912340001,A\n')
    const components = [
      { type: 'body', parameters: ['{{nick}}', '1', '2'].map((one) => ({ type: 'text', text: one })) },
    ]
    const refused = await world.call('PUT', `/v1/chat/broadcasts/${id}`, { body: { components } })
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'components'])
    const changed = await world.call('PUT', `/v1/chat/broadcasts/${id}`, { body: { name: 'Other', valid_for: 3_600 } })
    expect(changed.body.data).toMatchObject({ name: 'Other', valid_for: 3_600, columns: ['first_name', 'order'] })
  })

  test('what does not fit the template, or starts nobody, is rejected', async () => {
    const unfit = await world.post('/v1/chat/broadcasts', { ...draft, components: [] })
    expect([unfit.status, unfit.body.error.code]).toEqual([400, 'template_parameter_mismatch'])
    const id = await create()
    const empty = await world.post(`/v1/chat/broadcasts/${id}/start`)
    expect([empty.status, empty.body.error.code]).toEqual([400, 'broadcast_empty'])
    await upload(id, 'to,order\n+351912340001,A\n')
    const other = await world.post(`/v1/chat/broadcasts/${id}/start`, { recipients: 2 })
    expect([other.status, other.body.error.code]).toEqual([400, 'broadcast_changed'])
    const dear = await world.post(`/v1/chat/broadcasts/${id}/start`, { max_cost: { amount: '5', currency: 'EUR' } })
    expect([dear.status, dear.body.error.code]).toEqual([400, 'cost_limit_exceeded'])
    const paused = await world.post(`/v1/chat/broadcasts/${id}/pause`)
    expect([paused.status, paused.body.error.code]).toEqual([400, 'broadcast_state'])
    expect((await world.call('DELETE', `/v1/chat/broadcasts/${id}`)).body.data).toEqual({ id, deleted: true })
    expect((await world.get(`/v1/chat/broadcasts/${id}`)).body.error.code).toBe('broadcast_not_found')
  })

  test('the list shows the newest first', async () => {
    const [first, second] = [await create({ name: 'one' }), await create({ name: 'two' })]
    const { broadcasts } = (await world.get('/v1/chat/broadcasts?limit=2')).body.data
    expect(broadcasts.map((one: { id: string }) => one.id)).toEqual([second, first])
  })
})
