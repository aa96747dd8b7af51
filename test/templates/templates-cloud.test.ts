import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gateway } from '../../server/src/audit/audit.ts'
import { dispatchItems } from '../../server/src/channels/callbacks/callback-items.ts'
import { type ChannelNumber, requireNumber } from '../../server/src/channels/require-number.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { keepMedia } from '../../server/src/media/keep-media.ts'
import { stageUpload } from '../../server/src/media/upload-media.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { addSandboxTemplates, postSandboxTemplates } from '../../server/src/platform/sandbox-templates.ts'
import { seedCatalog, submitCatalog } from '../../server/src/templates/catalog/seed-catalog.ts'
import { createTemplate } from '../../server/src/templates/create-template.ts'
import { checkTemplateSoon, findTemplate, requireSendableTemplate } from '../../server/src/templates/find-template.ts'
import { getTemplate, listTemplates } from '../../server/src/templates/get-template.ts'
import { pollTemplates } from '../../server/src/templates/sync/sync-templates.ts'
import { templateItemHandlers } from '../../server/src/templates/sync/template-item-handlers.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const everything = { statuses: null, category: null, language: null, name: null, search: null, source: null }

describe.each(engines)('the templates of a real channel on %s', (engine) => {
  let world: ChannelWorld
  let accountId: string
  let number: ChannelNumber
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    world.sandbox.control.setScenario({ review_delay_ms: 600_000 })
    accountId = await world.newAccount()
  })
  afterAll(() => world.dispose())

  const list = async () =>
    (await listTemplates(world.rt, accountId, { filters: everything, limit: 100, cursor: null })).templates
  /** Approved at the platform and here. */
  async function approvedHere(name: string) {
    const form = {
      name,
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: `Words of ${name}.` }],
    }
    await postSandboxTemplates(number.credentials.baseUrl, number.credentials.wabaId, [form])
    const { id, channel_template_id } = await requireSendableTemplate(world.rt, number, { name, language: 'en' })
    return { id, templateId: channel_template_id ?? '', name, language: 'en' }
  }
  const byStatus = async () =>
    Object.fromEntries(
      [...Map.groupBy(await list(), ({ status }) => status)].map(([status, all]) => [status, all.length]),
    )

  test('wait as drafts while the account has no channel', async () => {
    expect(await byStatus()).toEqual({ draft: 8 })
    expect(new Set((await list()).map(({ channel }) => channel))).toEqual(new Set([null]))
  })

  test('move to the channel when it is connected, as plain drafts, and only once', async () => {
    number = await connectCloud(world, accountId)
    expect(await byStatus()).toEqual({ draft: 8 })
    await Promise.all([1, 2, 3].map(() => seedCatalog(world.rt, number, addSandboxTemplates)))
    expect(await byStatus()).toEqual({ draft: 8 })
    expect(new Set((await list()).map(({ channel }) => channel))).toEqual(new Set(['cloud']))
    const draft = await findTemplate(world.rt, accountId, 'shipping_update', 'en')
    expect(draft?.components).toHaveLength(1)
    const wanted = { name: 'shipping_update', language: 'en' }
    await expect(requireSendableTemplate(world.rt, number, wanted)).rejects.toMatchObject({
      code: 'template_not_approved',
    })
  })

  test('of the catalog are all submitted by one action; one refusal holds none of the others back', async () => {
    const { name, language, id } = (await list())[0] ?? { name: '', language: '', id: '' }
    await postSandboxTemplates(number.credentials.baseUrl, number.credentials.wabaId, [
      { name, language, category: 'UTILITY', components: [{ type: 'BODY', text: 'Made elsewhere.' }] },
    ])
    const { templates, refused } = await submitCatalog(world.rt, accountId)
    expect(templates.map(({ status }) => status)).toEqual(new Array(7).fill('pending'))
    expect(refused).toMatchObject([{ name, language, code: 'template_already_exists' }])
    expect(await byStatus()).toEqual({ pending: 7, draft: 1 })
    expect((await getTemplate(world.rt, accountId, id)).status).toBe('draft')
  })

  test('become what the platform lists, by the poll alone', async () => {
    // No callback is applied in this world: nobody runs the worker.
    for (const name of ['shipping_update', 'payment_received'])
      world.sandbox.control.review(name, { decision: 'approve' })
    world.sandbox.control.review('order_confirmation', { decision: 'reject', reason: 'SCAM' })
    world.clock.advance(61_000)
    await pollTemplates(world.rt)
    const record = async (name: string) => (await list()).find((template) => template.name === name)
    expect(await record('shipping_update')).toMatchObject({ status: 'approved', source: 'catalog' })
    expect(await record('order_confirmation')).toMatchObject({ status: 'rejected', status_reason: { code: 'scam' } })
    expect(await record('appointment_reminder')).toMatchObject({ status: 'approved', version: 2 })
    const { history } = await getTemplate(world.rt, accountId, (await record('appointment_reminder'))?.id ?? '')
    expect(history.find(({ kind }) => kind === 'content')).toMatchObject({ cause: 'sync', version: 2 })
  })

  test('that vanish from the platform are deleted here, drafts are not', async () => {
    const approved = await findTemplate(world.rt, accountId, 'payment_received', 'en')
    const credentials = { ...number.credentials }
    await world.rt.platform.deleteTemplate(credentials, {
      name: 'payment_received',
      templateId: approved?.channel_template_id ?? '',
    })
    const caller = { accountId, phoneNumberIds: null }
    const draft = await createTemplate(world.rt, caller, { name: 'still_a_draft', body: 'Hi.', submit: false })
    world.clock.advance(16 * 60_000)
    await pollTemplates(world.rt)
    expect((await getTemplate(world.rt, accountId, approved?.id ?? '')).status).toBe('deleted')
    expect((await getTemplate(world.rt, accountId, draft.id)).status).toBe('draft')
  })

  test('need examples for every variable, and a sample for a media header', async () => {
    const caller = { accountId, phoneNumberIds: null }
    const create = (input: object) => createTemplate(world.rt, caller, { name: 'with_sample', ...input })
    await expect(create({ body: 'Hi {{1}}, welcome.' })).rejects.toMatchObject({
      code: 'template_invalid',
      extras: { details: [{ field: 'components', code: 'required' }] },
    })
    const picture = await servePicture()
    try {
      const components = [
        { type: 'header', format: 'image', example: { link: picture.url } },
        { type: 'body', text: 'Look at this.' },
      ]
      const created = await create({ components })
      expect(created.status).toBe('pending')
      const there = await world.rt.platform.getTemplate(number.credentials, created.channel_template_id ?? '')
      const [header] = there.content.components
      const example = { handle: expect.stringMatching(/^4::/) }
      expect(header).toMatchObject({ type: 'header', format: 'image', example })
      expect(picture.hits()).toBe(1)
      const paper = { type: 'header', format: 'document', example: { media_id: await keepText(world.rt, accountId) } }
      await expect(
        create({ name: 'with_text', components: [paper, { type: 'body', text: 'Read this.' }] }),
      ).rejects.toMatchObject({
        code: 'media_type_not_supported',
        message: 'The sample of a header with format document must be application/pdf; this file is text/plain.',
      })
    } finally {
      await picture.close()
    }
  })

  test('are read from the platform again when a report says that their parts changed', async () => {
    const [known] = (await list()).filter(({ status }) => status === 'approved')
    const { id = '', channel_template_id: templateId = null, name = '', language = '' } = known ?? {}
    const { content } = await world.rt.platform.getTemplate(number.credentials, templateId ?? '')
    const elsewhere = [{ type: 'body' as const, text: 'New words from elsewhere.' }]
    await world.rt.platform.editTemplate(number.credentials, templateId ?? '', {
      content: { ...content, components: elsewhere, variables: [] },
    })
    const { wabaId } = number.credentials
    const channel = { id: number.channelId, kind: number.kind, wabaId }
    const context = { accountId, channel, number: null, receivedAt: world.clock.now() }
    const common = { dedupeKey: 'x', wabaId, phoneNumberId: null, templateId, name, language, at: null }
    const item = { ...common, kind: 'template_components' as const }
    const handle = templateItemHandlers.template_components
    for (const _ of [1, 2]) expect(await handle?.(world.rt, [{ item, context }], true)).toEqual(['applied'])
    const changed = await getTemplate(world.rt, accountId, id)
    expect(changed).toMatchObject({
      status: 'approved',
      pending_edit: { components: [{ type: 'body', text: 'New words from elsewhere.' }] },
    })
    expect(changed.components).toEqual(known?.components)
    expect(changed.history.filter(({ kind, cause }) => kind === 'status' && cause === 'callback')).toHaveLength(1)
    world.sandbox.control.review(name, { decision: 'approve' })
    await handle?.(world.rt, [{ item, context }], true)
    expect(await getTemplate(world.rt, accountId, id)).toMatchObject({
      status: 'approved',
      pending_edit: null,
      components: [{ type: 'body', text: 'New words from elsewhere.' }],
    })
  })

  test('that are deleted at the platform are marked so by a report about their parts, with one line and no failure', async () => {
    const { id, templateId, name, language } = await approvedHere('gone_with_a_report')
    await world.rt.platform.deleteTemplate(number.credentials, { name, templateId })
    const { wabaId } = number.credentials
    const channel = { id: number.channelId, kind: number.kind, wabaId }
    const context = { accountId, channel, number: null, receivedAt: world.clock.now() }
    const common = { dedupeKey: 'z', wabaId, phoneNumberId: null, templateId, name, language, at: null }
    const item = { ...common, kind: 'template_components' as const }
    const before = world.logLines.length
    for (const _ of [1, 2, 3])
      expect(await dispatchItems(world.rt, templateItemHandlers, [{ item, context }], true)).toEqual(['applied'])
    expect((await getTemplate(world.rt, accountId, id)).status).toBe('deleted')
    const lines = world.logLines.slice(before)
    expect(lines.filter((line) => line.includes('template.deleted_at_platform') && line.includes(id))).toHaveLength(1)
    expect(lines.join('')).not.toContain('"stack"')
  })

  test('that are deleted at the platform are marked so soon after a send was refused for it', async () => {
    const { id, templateId, name, language } = await approvedHere('gone_before_a_send')
    await world.rt.platform.deleteTemplate(number.credentials, { name, templateId })
    world.clock.advance(61_000)
    checkTemplateSoon(world.rt, number, { name, language })
    await waitFor(async () => (await getTemplate(world.rt, accountId, id)).status === 'deleted')
    const wanted = requireSendableTemplate(world.rt, number, { name, language })
    await expect(wanted).rejects.toMatchObject({ code: 'template_not_found' })
  })

  test('are not asked for again before a throttle ends', async () => {
    const { listTemplates: real } = world.rt.platform
    let asked = 0
    const throttle = { kind: 'throttled', outcome: 'refused', code: 'channel_rate_limited' } as const
    world.rt.platform.listTemplates = async function* () {
      asked++
      yield* []
      throw new PlatformError({ ...throttle, retryAfterMs: 45 * 60_000 })
    }
    try {
      const poll = async (ms: number) => {
        world.clock.advance(ms)
        await pollTemplates(world.rt)
        return asked
      }
      expect(await poll(16 * 60_000)).toBe(1)
      expect([await poll(16 * 60_000), await poll(16 * 60_000)]).toEqual([1, 1])
      expect(world.logLines.filter((line) => line.includes('templates.sync_throttled'))).toHaveLength(1)
      expect(await poll(30 * 60_000)).toBe(2)
    } finally {
      world.rt.platform.listTemplates = real
    }
  })

  test('that nobody knows leave a report unmatched', async () => {
    const { wabaId } = number.credentials
    const channel = { id: number.channelId, kind: number.kind, wabaId }
    const context = { accountId, channel, number: null, receivedAt: world.clock.now() }
    const common = {
      dedupeKey: 'y',
      wabaId,
      phoneNumberId: null,
      templateId: '1',
      name: 'nobody',
      language: 'en',
      at: null,
    }
    const item = { ...common, kind: 'template_quality' as const, previousQuality: null, quality: 'RED' }
    expect(await templateItemHandlers.template_quality?.(world.rt, [{ item, context }], true)).toEqual(['unmatched'])
  })
})

/** A number of the sandbox, connected as if its platform were the real one. */
async function connectCloud({ rt, sandbox }: ChannelWorld, accountId: string): Promise<ChannelNumber> {
  const fresh = await openSandboxNumber(sandbox.url, { name: 'Acme' })
  const { channel, steps } = await connectChannel(rt, {
    ...fresh,
    accountId,
    kind: 'cloud',
    baseUrl: sandbox.url,
    actor: gateway,
  })
  if (!channel) throw new Error(JSON.stringify(steps))
  return requireNumber(rt, accountId)
}

/** A file that can be sent as a document, but that no reviewer is shown. */
async function keepText(rt: ChannelWorld['rt'], accountId: string): Promise<string> {
  const content = [Buffer.from('Hello')]
  const staged = await stageUpload(rt, accountId, { content: Readable.from(content), declaredType: 'text/plain' })
  return (await keepMedia(rt, staged, { filename: 'hello.txt' })).id
}

/** The smallest PNG there is, behind a link. */
async function servePicture(): Promise<{ url: string; hits(): number; close(): Promise<void> }> {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  let hits = 0
  const server = createServer((_, response) => {
    hits++
    response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`,
    hits: () => hits,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
