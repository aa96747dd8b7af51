import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { foldSteps } from '../../server/src/analytics/fold-steps.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { requireNumber } from '../../server/src/channels/require-number.ts'
import { connectSandboxChannel } from '../../server/src/connect/connect-channel.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { readAudit } from '../../server/src/store/accounts/audit-log.ts'
import { operation } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { syncTemplates } from '../../server/src/templates/sync/sync-templates.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const templates = '/v1/chat/templates'
const moved = {
  name: 'appointment_moved',
  components: [
    { type: 'header', format: 'text', text: 'Your appointment' },
    {
      type: 'body',
      text: 'Hi {{name}}, your appointment moved to {{date}} at {{time}}.',
      variables: [
        { name: 'name', example: 'Ana' },
        { name: 'date', example: '20 November' },
        { name: 'time', example: '14:30' },
      ],
    },
    { type: 'footer', text: 'Reply STOP to opt out' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Confirm' }] },
  ],
}

describe.each(engines)('templates on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
    await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 50 })
  })
  afterAll(() => world.stop())

  const create = (body: object, headers = {}) => world.post(templates, body, headers)
  const read = async (id: string) => (await world.get(`${templates}/${id}`)).body.data
  const reaches = async (id: string, status: string) => {
    await waitFor(async () => (await read(id)).status === status, 10_000)
    return read(id)
  }
  /** Approved at the platform, and known here. */
  const made = async (name: string): Promise<string> => {
    const components = [{ type: 'BODY', text: 'Hello there.' }]
    await world.control('POST', '/_sandbox/templates', { templates: [{ name, components }] })
    await syncTemplates(world.service.rt, await requireNumber(world.service.rt, world.accountId))
    return (await world.get(`${templates}?name=${name}`)).body.data.templates[0].id
  }
  const review = (name: string, decision: object) =>
    world.control('POST', `/_sandbox/templates/${name}/review`, decision)
  const eventsOf = async (id: string) => {
    const kinds = ['status_changed', 'quality_changed', 'category_changed', 'category_change_announced']
    const pages = await Promise.all(kinds.map((kind) => world.get(`/v1/events?type=template.${kind}&limit=100`)))
    return pages
      .flatMap(({ body }) => body.data.events as { type: string; data: Record<string, unknown> }[])
      .map(({ type, data }) => ({ ...data, type }) as Record<string, unknown>)
      .filter((data) => data.id === id)
      .sort((a, b) => Number(a.sequence) - Number(b.sequence))
  }
  const refusal = ({ status, body }: Answer) => [status, body.error?.code]
  /** What we say that we sent, which must be what the customer got. */
  const textSent = async (template: string): Promise<string> => {
    const request = { to: world.customer, template, language: 'en_US' }
    const { body } = await world.post('/v1/chat/messages/template', request)
    const { content } = (await world.get(`/v1/chat/messages/${encodeURIComponent(body.data.message_id)}`)).body.data
    const { data } = (await world.control('GET', `/_sandbox/messages?limit=1000`)).body
    expect(data.find((message: { id: string }) => message.id === body.data.message_id)?.text).toBe(content.text)
    return content.text
  }

  test('a template made elsewhere is found by the first send of it', async () => {
    const elsewhere = [
      { name: 'made_elsewhere', language: 'pt_BR', components: [{ type: 'BODY', text: 'Olá a todos.' }] },
    ]
    await world.control('POST', '/_sandbox/templates', { templates: elsewhere })
    const request = { to: world.customer, template: 'made_elsewhere', language: 'pt_BR' }
    expect((await world.post('/v1/chat/messages/template', request)).body.data.status).toBe('sent')
    const { body } = await world.get(`${templates}?name=made_elsewhere`)
    expect(body.data.templates).toMatchObject([{ source: 'platform', language: 'pt_BR', status: 'approved' }])
    const other = await world.post('/v1/chat/messages/template', { ...request, language: 'en' })
    expect(refusal(other)).toEqual([404, 'template_not_found'])
    expect(other.body.error.details[0].message).toContain('pt_BR')
  })

  describe('the catalog', () => {
    test('is in the account, approved, with its variables named and in the order of the specification', async () => {
      const { body } = await world.get(`${templates}?source=catalog&language=en`)
      const variables = body.data.templates.map(
        ({ name, status, variables: list }: { name: string; status: string; variables: { name: string }[] }) => [
          name,
          status,
          list.map((variable) => variable.name),
        ],
      )
      expect(variables).toEqual([
        ['appointment_reminder', 'approved', ['name', 'date', 'time']],
        ['order_confirmation', 'approved', ['name', 'order_id', 'total']],
        ['payment_received', 'approved', ['name', 'amount', 'invoice_id']],
        ['shipping_update', 'approved', ['name', 'tracking_number']],
      ])
    })

    test('can be sent at once, with its optional header and button or without them', async () => {
      const values = ['Ana', 'A-1001', '42'].map((text) => ({ type: 'text', text }))
      const body = { type: 'body', parameters: values }
      const header = {
        type: 'header',
        parameters: [{ type: 'image', image: { link: 'https://cdn.example.test/x.png' } }],
      }
      const button = { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'A-1001' }] }
      for (const components of [[body], [header, body, button]]) {
        const request = { to: world.customer, template: 'order_confirmation', language: 'en', components }
        const sent = await world.post('/v1/chat/messages/template', request)
        expect(sent.body).toMatchObject({ success: true, data: { template: 'order_confirmation', status: 'sent' } })
      }
      const { body: list } = await world.get(`${templates}?name=order_confirmation&language=en`)
      expect(list.data.templates[0].last_used_at).not.toBeNull()
      await foldSteps(world.service.rt)
      const again = await world.get(`${templates}?name=order_confirmation&language=en`)
      expect(again.body.data.templates[0].last_7_days).toMatchObject({ sent: 2, failed: 0 })
    })

    test('stays as it is when the platform lists it', async () => {
      const before = (await world.get(`${templates}?source=catalog&limit=100`)).body.data.templates
      await syncTemplates(world.service.rt, await requireNumber(world.service.rt, world.accountId))
      const after = (await world.get(`${templates}?source=catalog&limit=100`)).body.data.templates
      const stable = ({ last_7_days: _, last_used_at: __, ...template }: Record<string, unknown>) => template
      expect(after.map(stable)).toEqual(before.map(stable))
    })
  })

  describe('a new template', () => {
    test('answers 201 as pending, is approved by the review, and can then be sent', async () => {
      const created = await create(moved)
      expect(created.status).toBe(201)
      expect(created.body.data).toMatchObject({
        name: 'appointment_moved',
        language: 'en_US',
        category: 'utility',
        status: 'pending',
        status_reason: null,
        source: 'api',
        channel: 'sandbox',
        version: 1,
        variables: [
          { component: 'body', position: 1, name: 'name', example: 'Ana' },
          { component: 'body', position: 2, name: 'date', example: '20 November' },
          { component: 'body', position: 3, name: 'time', example: '14:30' },
        ],
        reviewed_at: null,
      })
      expect(created.body.data.components[1]).toEqual({
        type: 'body',
        text: 'Hi {{1}}, your appointment moved to {{2}} at {{3}}.',
      })
      const approved = await reaches(created.body.data.id, 'approved')
      expect(approved.reviewed_at).not.toBeNull()
      const sent = await world.post('/v1/chat/messages/template', {
        to: world.customer,
        template: 'appointment_moved',
        language: 'en_US',
        components: [{ type: 'body', parameters: ['Ana', 'Monday', '9:00'].map((text) => ({ type: 'text', text })) }],
      })
      expect(sent.body.data.status).toBe('sent')
      const history = approved.history.map(({ kind, cause, status }: Record<string, string>) => [kind, cause, status])
      expect(history).toEqual([
        ['status', 'callback', 'approved'],
        ['status', 'api', 'pending'],
        ['created', 'api', 'draft'],
      ])
      expect(
        (await eventsOf(approved.id)).map(({ previous_status, status, sequence }) => [
          previous_status,
          status,
          sequence,
        ]),
      ).toEqual([
        ['draft', 'pending', 1],
        ['pending', 'approved', 2],
      ])
      const { history: _, last_7_days: __, last_used_at: ___, ...record } = approved
      expect((await eventsOf(approved.id)).at(-1)).toMatchObject(record)
    })

    test('with reject in its name shows the reason and what to do about it', async () => {
      const { body } = await create({ name: 'please_reject_me', body: 'Hello there.' })
      const rejected = await reaches(body.data.id, 'rejected')
      expect(rejected.status_reason).toMatchObject({ code: 'invalid_format', until: null })
      expect(rejected.status_reason.message).toMatch(/\w+/)
      expect(rejected.status_reason.recommendation).toMatch(/\w+/)
      const sent = await world.post('/v1/chat/messages/template', {
        to: world.customer,
        template: 'please_reject_me',
        language: 'en_US',
      })
      expect(refusal(sent)).toEqual([400, 'template_not_approved'])
    })

    test('may be in another category than asked for', async () => {
      const { body } = await create({ name: 'winter_promo', body: 'Everything must go.' })
      expect(body.data.category).toBe('marketing')
    })

    test('is created once for one Idempotency-Key', async () => {
      const draft = { name: 'only_once', body: 'Hello there.', submit: false }
      const first = await create(draft, { 'idempotency-key': 'once' })
      const second = await create(draft, { 'idempotency-key': 'once' })
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      expect(second.body).toEqual(first.body)
    })

    test('is refused with a name and language that exist, also at the platform', async () => {
      expect(refusal(await create({ name: 'order_confirmation', language: 'en-US', body: 'Hi.' }))).toEqual([
        400,
        'template_already_exists',
      ])
      const elsewhere = [{ name: 'made_elsewhere_too', components: [{ type: 'BODY', text: 'Hi.' }] }]
      await world.control('POST', '/_sandbox/templates', { templates: elsewhere })
      expect(refusal(await create({ name: 'made_elsewhere_too', body: 'Hi.' }))).toEqual([
        400,
        'template_already_exists',
      ])
      expect((await world.get(`${templates}?name=made_elsewhere_too`)).body.data.templates).toEqual([])
    })

    test.each([
      ['a bad name', { name: 'Order Ready', body: 'Hi.' }, 'name', /order_ready/],
      ['no body', { name: 'no_body', components: [{ type: 'footer', text: 'Shop' }] }, 'components', /body/],
      ['a variable at the end', { name: 'ends', body: 'Hi {{1}}' }, 'body', /end with a variable/],
      ['a gap between variables', { name: 'gap', body: 'Hi {{1}} and {{3}}.' }, 'body', /\{\{2\}\} is missing/],
      [
        'a footer with a variable',
        { name: 'foot', body: 'Hi.', components: [{ type: 'footer', text: '{{1}} x' }] },
        'components[0].text',
        /no variables/,
      ],
    ])('is refused before any review with %s', async (_, draft, field, message) => {
      const refused = await create(draft)
      expect(refusal(refused)).toEqual([400, 'template_invalid'])
      expect(refused.body.error.details[0].field).toBe(field)
      expect(refused.body.error.details[0].message).toMatch(message)
    })

    test('with a misspelt field is told the right one', async () => {
      const refused = await create({ name: 'typo', componets: [] })
      expect(refusal(refused)).toEqual([400, 'validation_failed'])
      expect(refused.body.error.details[0]).toMatchObject({ field: 'componets', code: 'unknown_field' })
      expect(refused.body.error.details[0].message).toContain('components')
    })
  })

  describe('a draft', () => {
    test('stays here until it is submitted, and keeps its versions', async () => {
      const { body } = await create({ name: 'a_draft', body: 'First words.', submit: false })
      expect(body.data).toMatchObject({ status: 'draft', channel_template_id: null, submitted_at: null })
      const id: string = body.data.id
      const edited = await world.call('PUT', `${templates}/${id}`, { body: { body: 'Second words.', submit: false } })
      expect(edited.body.data).toMatchObject({ status: 'draft', version: 2 })
      const submitted = await world.call('PUT', `${templates}/${id}`, { body: {} })
      expect(submitted.body.data.status).toBe('pending')
      const approved = await reaches(id, 'approved')
      const content = approved.history.find(({ kind }: { kind: string }) => kind === 'content')
      expect(content.changes).toEqual([
        { field: 'body', from: { type: 'body', text: 'First words.' }, to: { type: 'body', text: 'Second words.' } },
      ])
    })

    test('is deleted without asking the platform', async () => {
      const { body } = await create({ name: 'short_life', body: 'Hi.', submit: false })
      const path = `${templates}/${body.data.id}`
      // A platform that is away cannot be asked.
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 50, rules: [{ do: { html_5xx: 503 } }] })
      expect(refusal(await world.call('PUT', path, { body: {} }))).toEqual([500, 'upstream_unavailable'])
      const deleted = await world.call('DELETE', path)
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 50 })
      expect(deleted.body).toEqual({ success: true, data: { id: body.data.id, deleted: true } })
      expect((await world.get(path)).body.data.status).toBe('deleted')
      expect(refusal(await world.call('DELETE', path))).toEqual([404, 'template_not_found'])
      expect((await world.get(`${templates}?name=short_life`)).body.data.templates).toEqual([])
      expect((await world.get(`${templates}?name=short_life&status=deleted`)).body.data.templates).toHaveLength(1)
      expect((await create({ name: 'short_life', body: 'Hi again.', submit: false })).status).toBe(201)
    })
  })

  describe('a submitted template', () => {
    test('is locked while it is reviewed, and may be corrected after a rejection', async () => {
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 600_000 })
      const { body } = await create({ name: 'under_review', body: 'First words.' })
      const path = `${templates}/${body.data.id}`
      const edit = () => world.call('PUT', path, { body: { category: 'marketing', body: 'Other words.' } })
      expect(refusal(await edit())).toEqual([400, 'template_locked'])
      await review('under_review', { decision: 'reject', reason: 'PROMOTIONAL' })
      expect((await reaches(body.data.id, 'rejected')).status_reason.code).toBe('promotional')
      const edited = await edit()
      expect(edited.body.data).toMatchObject({
        status: 'pending',
        status_reason: null,
        version: 2,
        category: 'marketing',
      })
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 50 })
    })

    test('is reviewed again after an edit, once a day while it is approved', async () => {
      const id = await made('approved_already')
      const put = (edit: object) => world.call('PUT', `${templates}/${id}`, { body: edit })
      expect(refusal(await put({ category: 'marketing', body: 'New words.' }))).toEqual([400, 'template_locked'])
      expect(refusal(await put({ body: 'New words.', submit: false }))).toEqual([400, 'template_locked'])
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 600_000 })
      const body = (text: string) => [{ type: 'body', text }]
      const edited = await put({ body: 'New words.' })
      expect(edited.body.data).toMatchObject({
        version: 1,
        status: 'approved',
        components: body('Hello there.'),
        pending_edit: { components: body('New words.'), variables: [], submitted_at: expect.any(String) },
      })
      expect(await textSent('approved_already')).toBe('Hello there.')
      expect((await world.post(`${templates}/${id}/preview`, {})).body.data.text).toBe('Hello there.')
      expect((await put({ body: 'Third words.' })).body.error.message).toContain('is being reviewed')
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 50 })
      await review('approved_already', { decision: 'approve' })
      await waitFor(async () => (await read(id)).pending_edit === null)
      expect(await read(id)).toMatchObject({ version: 2, status: 'approved', components: body('New words.') })
      expect(await textSent('approved_already')).toBe('New words.')
      expect(refusal(await put({ body: 'Third words.' }))).toEqual([400, 'template_locked'])
      const told = await eventsOf(id)
      expect(told.map(({ change, status, pending_edit: edit }) => [change, status, edit !== null])).toEqual([
        ['status', 'approved', true],
        ['content', 'approved', false],
        ['status', 'approved', false],
      ])
    })

    test('goes out of use when the review of its edit fails: the reason is told, and the history keeps what was approved', async () => {
      const id = await made('edit_fails')
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 600_000 })
      await world.call('PUT', `${templates}/${id}`, { body: { body: 'Worse words.' } })
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 50 })
      await review('edit_fails', { decision: 'reject', reason: 'PROMOTIONAL' })
      const rejected = await reaches(id, 'rejected')
      expect(rejected).toMatchObject({
        pending_edit: null,
        version: 2,
        status_reason: { code: 'promotional' },
        components: [{ type: 'body', text: 'Worse words.' }],
      })
      const request = { to: world.customer, template: 'edit_fails', language: 'en_US' }
      expect(refusal(await world.post('/v1/chat/messages/template', request))).toEqual([400, 'template_not_approved'])
      const [before] = rejected.history.flatMap(({ kind, changes }: { kind: string; changes: { from: unknown }[] }) =>
        kind === 'content' ? changes.map(({ from }) => from) : [],
      )
      expect(before).toEqual({ type: 'body', text: 'Hello there.' })
    })

    test('is paused by the platform with an end, refuses to be sent, and comes back', async () => {
      const id = await made('will_be_paused')
      await review('will_be_paused', { decision: 'pause' })
      const paused = await reaches(id, 'paused')
      expect(paused.status_reason).toMatchObject({ code: 'first_pause' })
      expect(Date.parse(paused.status_reason.until)).toBeGreaterThan(Date.now())
      const request = { to: world.customer, template: 'will_be_paused', language: 'en_US' }
      expect(refusal(await world.post('/v1/chat/messages/template', request))).toEqual([400, 'template_paused'])
      await review('will_be_paused', { decision: 'unpause' })
      expect((await reaches(id, 'approved')).status_reason).toBeNull()
      const told = await eventsOf(id)
      expect(told.map(({ status }) => status)).toEqual(['paused', 'approved'])
    })

    test('tells of a change of quality and of category, announced and done', async () => {
      const id = await made('moves_category')
      await review('moves_category', { decision: 'quality', quality_score: 'RED' })
      await waitFor(async () => (await read(id)).quality === 'low')
      await review('moves_category', { decision: 'category', category: 'MARKETING', after_ms: 600_000 })
      await waitFor(async () => (await read(id)).next_category === 'marketing')
      expect((await read(id)).category).toBe('utility')
      await review('moves_category', { decision: 'category', category: 'MARKETING' })
      await waitFor(async () => (await read(id)).category === 'marketing')
      expect(await read(id)).toMatchObject({ next_category: null, status: 'approved' })
      expect(await eventsOf(id)).toMatchObject([
        { type: 'template.quality_changed', quality: 'low', previous_quality: null },
        { type: 'template.category_change_announced', category: 'utility', next_category: 'marketing' },
        { type: 'template.category_changed', category: 'marketing', previous_category: 'utility' },
      ])
    })

    test('that is deleted leaves the platform too', async () => {
      const id = await made('to_be_deleted')
      const atPlatform = async () => {
        const { credentials } = await requireNumber(world.service.rt, world.accountId)
        const names: string[] = []
        for await (const { content } of world.service.rt.platform.listTemplates(credentials)) names.push(content.name)
        return names
      }
      expect(await atPlatform()).toContain('to_be_deleted')
      expect((await world.call('DELETE', `${templates}/${id}`)).body.data).toEqual({ id, deleted: true })
      expect(await atPlatform()).not.toContain('to_be_deleted')
      const request = { to: world.customer, template: 'to_be_deleted', language: 'en_US' }
      expect(refusal(await world.post('/v1/chat/messages/template', request))).toEqual([404, 'template_not_found'])
      const history = (await read(id)).history
      expect(history[0]).toMatchObject({ kind: 'status', cause: 'api', status: 'deleted' })
    })

    test('that is disabled cannot be deleted', async () => {
      const id = await made('for_good')
      await review('for_good', { decision: 'disable' })
      await reaches(id, 'disabled')
      expect(refusal(await world.call('DELETE', `${templates}/${id}`))).toEqual([400, 'template_locked'])
    })
  })

  test('the list is filtered, searched and paged by name and language', async () => {
    const { body: found } = await world.get(`${templates}?search=TRACKING&status=approved,pending`)
    expect(found.data.templates.map(({ name }: { name: string }) => name)).toEqual([
      'shipping_update',
      'shipping_update',
    ])
    expect((await world.get(`${templates}?search=100%25_`)).body.data.templates).toEqual([])
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const { body } = await world.get(`${templates}?source=catalog&limit=4${query}`)
      expect(body.data.pagination.limit).toBe(4)
      seen.push(...body.data.templates.map(({ name, language }: Record<string, string>) => `${name} ${language}`))
      cursor = body.data.pagination.next_cursor
      expect(body.data.pagination.has_more).toBe(cursor !== null)
    } while (cursor !== null)
    expect(seen).toHaveLength(9)
    expect(seen).toEqual([...seen].sort())
  })

  test('a cursor is refused when it is damaged, or used with other filters or by another account', async () => {
    const { body } = await world.get(`${templates}?source=catalog&limit=1`)
    const cursor: string = body.data.pagination.next_cursor
    const stranger = await anotherToken(world)
    const bad = [
      world.get(`${templates}?source=catalog&limit=1&cursor=nonsense`),
      world.get(`${templates}?source=api&limit=1&cursor=${cursor}`),
      world.get(`${templates}?source=catalog&limit=1&cursor=${cursor}`, stranger),
    ]
    for (const answer of await Promise.all(bad)) expect(refusal(answer)).toEqual([400, 'invalid_cursor'])
    expect((await world.get(`${templates}?source=catalog&limit=1&cursor=${cursor}`)).status).toBe(200)
  })

  test('wrong filters are refused by name', async () => {
    const answers = await Promise.all(
      ['status=live', 'category=ads', 'language=english', 'limit=0', 'limit=101', 'colour=red'].map((query) =>
        world.get(`${templates}?${query}`),
      ),
    )
    for (const answer of answers) expect(refusal(answer)).toEqual([400, 'validation_failed'])
    expect(answers.map(({ body }) => body.error.details[0].field)).toEqual([
      'status',
      'category',
      'language',
      'limit',
      'limit',
      'colour',
    ])
  })

  test('the template of another account is as unknown as a random id', async () => {
    const { body } = await world.get(`${templates}?limit=1`)
    const token = await anotherToken(world)
    const calls = [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/preview'],
    ] as const
    for (const [method, rest] of calls) {
      for (const id of [body.data.templates[0].id, 'tpl_00000000000000000000000000']) {
        const options = method === 'PUT' || method === 'POST' ? { token, body: {} } : { token }
        const answer = await world.call(method, `${templates}/${id}${rest}`, options)
        expect(refusal(answer)).toEqual([404, 'template_not_found'])
        expect(answer.body.error.message).toBe('No template has this id.')
      }
    }
  })

  test('a preview shows what the customer would see, and says what is missing', async () => {
    const { body } = await world.get(`${templates}?name=shipping_update&language=en`)
    const path = `${templates}/${body.data.templates[0].id}/preview`
    const values = ['{{2}}', 'PT1'].map((text) => ({ type: 'text', text }))
    const shown = await world.post(path, { components: [{ type: 'body', parameters: values }] })
    expect(shown.body.data).toMatchObject({
      text: 'Hi {{2}}, your order is on its way. Tracking number PT1, thank you.',
      header: null,
      footer: null,
    })
    expect((await world.post(path)).body.data.text).toContain('Hi Ana,')
    const short = await world.post(path, { components: [{ type: 'body', parameters: values.slice(1) }] })
    expect(refusal(short)).toEqual([400, 'template_parameter_mismatch'])
    expect(short.body.error.details[0].message).toBe('body needs 2 values (name, tracking_number), got 1')
    const unreadable = await world.post(path, { components: [{ type: 'body', parameters: [{ type: 'colour' }] }] })
    expect(refusal(unreadable)).toEqual([400, 'validation_failed'])
  })

  test('ten templates a minute may be created', async () => {
    const { token, accountId } = await anotherAccount(world)
    const draft = (name: string) => world.call('POST', templates, { token, body: { name, body: 'Hi.', submit: false } })
    const unconnected = await draft('x')
    expect(refusal(unconnected)).toEqual([403, 'channel_not_connected'])
    expect(unconnected.body.error.message).toMatch(/ Connect one at http\S+\/channel$/)
    await connectSandboxChannel(world.service.rt, accountId, { url: world.sandboxUrl, openNumber: openSandboxNumber })
    const answers: Answer[] = []
    for (let count = 0; count < 11; count++) answers.push(await draft(`burst_${count}`))
    expect(answers.map(({ status }) => status)).toEqual([...new Array(10).fill(201), 429])
    expect(answers.at(-1)?.body.error.code).toBe('rate_limit_exceeded')
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a key that is limited to other numbers changes and deletes nothing', async () => {
    const { token, accountId, keyId } = await anotherAccount(world)
    await connectSandboxChannel(world.service.rt, accountId, { url: world.sandboxUrl, openNumber: openSandboxNumber })
    const body = { name: 'someone_elses', body: 'Hi.', submit: false }
    const { id } = (await world.call('POST', templates, { token, body })).body.data
    await limitKey(world, keyId, ['pn_other'])
    const changes = [world.call('PUT', `${templates}/${id}`, { token, body: {} })]
    changes.push(world.call('DELETE', `${templates}/${id}`, { token }))
    for (const answer of await Promise.all(changes)) expect(refusal(answer)).toEqual([403, 'number_not_allowed'])
    const { id: numberId } = await requireNumber(world.service.rt, accountId)
    await limitKey(world, keyId, [numberId])
    expect((await world.call('DELETE', `${templates}/${id}`, { token })).status).toBe(200)
  })

  test('templates are counted by status where metrics are read', async () => {
    const text = await world.service.rt.metrics.render()
    expect(text).toMatch(/postern_templates\{status="approved"\} \d\d/)
    expect(text).toMatch(/postern_templates\{status="disabled"\} 1\n/)
  })

  test('every change of status, quality and category is counted by what it came to', async () => {
    const counted = async (kind: string, to: string) => {
      const line = new RegExp(`postern_template_changes_total\\{kind="${kind}",to="${to}"\\} (\\d+)`)
      return Number(line.exec(await world.service.rt.metrics.render())?.[1] ?? 0)
    }
    const changes = [
      { decision: 'pause' },
      { decision: 'quality', quality_score: 'YELLOW' },
      { decision: 'category', category: 'MARKETING' },
    ]
    const id = await made('counted')
    const kinds = [
      ['status', 'paused'],
      ['quality', 'medium'],
      ['category', 'marketing'],
    ] as const
    const counts = () => Promise.all(kinds.map(([kind, to]) => counted(kind, to)))
    const before = await counts()
    for (const change of changes) await review('counted', change)
    // Three callbacks, in any order; each is counted once it is stored.
    await waitFor(async () => (await counts()).every((count, index) => count > (before[index] ?? 0)))
    expect(await counts()).toEqual(before.map((count) => count + 1))
    expect(await read(id)).toMatchObject({ status: 'paused', quality: 'medium', category: 'marketing' })
  })
})

async function anotherToken(world: World): Promise<string> {
  return (await anotherAccount(world)).token
}

async function anotherAccount(world: World): Promise<{ token: string; accountId: string; keyId: string }> {
  const { rt } = world.service
  const { account, owner } = await createAccount(rt, { name: 'Stranger', plan: 'professional', actor: operator })
  const key = {
    accountId: account.id,
    name: 'k',
    scopes: ['templates:write', 'templates:read'] as const,
    createdBy: owner.id,
    actor: operator,
  }
  const { row, secret } = await createKey(rt, key)
  const issued = await world.call('POST', '/v1/auth/token', { body: { api_key: row.public_key, api_secret: secret } })
  return { token: issued.body.data.access_token, accountId: account.id, keyId: row.id }
}

const setKeyNumbers = operation({
  name: 'test.limit_key',
  input: { id: 'text', phone_number_ids: 'text' },
  sql: `update api_keys set phone_number_ids = rows.phone_number_ids, epoch = api_keys.epoch + 1 from rows
        where api_keys.id = rows.id`,
})

/** No verb sets this limit yet; the row is what every request is checked against. */
async function limitKey(world: World, id: string, numberIds: string[]): Promise<void> {
  const unit = new Unit()
  unit.add(setKeyNumbers, { id, phone_number_ids: JSON.stringify(numberIds) })
  await world.service.rt.store.write(unit)
}

describe.each(engines)('the audit log on %s', (engine) => {
  test('has a line for each thing a key did to a template, with the key', async () => {
    const world = await aWorld(engine)
    try {
      await world.control('PUT', '/_sandbox/scenario', { review_delay_ms: 50 })
      const { id } = (await world.post(templates, { ...moved, submit: false })).body.data
      const [, ...others] = moved.components
      await world.call('PUT', `${templates}/${id}`, { body: { components: others, submit: true } })
      await waitFor(async () => (await world.get(`${templates}/${id}`)).body.data.status === 'approved', 10_000)
      expect((await world.call('DELETE', `${templates}/${id}`)).status).toBe(200)
      const params = { account_id: world.accountId, after: 0, count: 1_000 }
      const rows = await world.service.rt.store.read(readAudit, params)
      const lines = rows.map(({ entry }) => JSON.parse(entry)).filter(({ targets }) => targets[0]?.id === id)
      const done = ['created', 'edited', 'submitted', 'deleted'].map((what) => `template.${what}`)
      expect(lines.map(({ action }) => action)).toEqual(done)
      expect(new Set(lines.map(({ actor }) => actor.type))).toEqual(new Set(['api_key']))
    } finally {
      await world.stop()
    }
  })
})

describe.each(engines)('a template that the platform refused, on %s', (engine) => {
  test('is refused again for the same Idempotency-Key, without asking', async () => {
    const world = await aWorld(engine)
    const create = (name: string) =>
      world.post(templates, { name, body: 'Hello to you.' }, { 'idempotency-key': 'refused' })
    const code = ({ status, body }: Answer) => [status, body.error?.code]
    try {
      const elsewhere = [{ name: 'taken_there', components: [{ type: 'BODY', text: 'Taken.' }] }]
      await world.control('POST', '/_sandbox/templates', { templates: elsewhere })
      expect(code(await create('taken_there'))).toEqual([400, 'template_already_exists'])
      await world.control('PUT', '/_sandbox/scenario', { rules: [{ do: { html_5xx: 503 } }] })
      const again = await create('taken_there')
      expect(code(again)).toEqual([400, 'template_already_exists'])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(code(await create('another_name'))).toEqual([400, 'idempotency_key_reused'])
    } finally {
      await world.stop()
    }
  })
})
