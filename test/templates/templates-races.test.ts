import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gateway, operator } from '../../server/src/audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../../server/src/channels/require-number.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { disconnectChannel } from '../../server/src/connect/console-channels.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import type { ChatPlatform } from '../../server/src/platform/chat-platform.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { addSandboxTemplates, postSandboxTemplates } from '../../server/src/platform/sandbox-templates.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { readTemplateChanges } from '../../server/src/store/templates/template-changes.ts'
import { seedCatalog, submitCatalog } from '../../server/src/templates/catalog/seed-catalog.ts'
import { requireAllowed } from '../../server/src/templates/check/check-draft.ts'
import { createTemplate } from '../../server/src/templates/create-template.ts'
import { editTemplate } from '../../server/src/templates/edit-template.ts'
import { getTemplate, listTemplates } from '../../server/src/templates/get-template.ts'
import { deleteTemplate } from '../../server/src/templates/submit-template.ts'
import { pollTemplates, syncTemplates } from '../../server/src/templates/sync/sync-templates.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

const everything = { statuses: null, category: null, language: null, name: null, search: null, source: null }

describe.each(engines)('templates on %s', (engine) => {
  let world: ChannelWorld
  let rt: Runtime
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    rt = world.rt
    world.sandbox.control.setScenario({ review_delay_ms: 600_000 })
  })
  afterAll(() => world.dispose())
  // Ten a minute may be created, and what changed at the very moment a list was asked for is newer than it.
  beforeEach(() => world.clock.advance(120_000))

  const list = async (accountId: string) =>
    (await listTemplates(rt, accountId, { filters: everything, limit: 100, cursor: null })).templates
  const creator = (accountId: string) => ({ accountId, phoneNumberIds: null })
  /** The same tools, with another platform where it is told so. */
  const withPlatform = (own: Partial<ChatPlatform>): Runtime => ({ ...rt, platform: { ...rt.platform, ...own } })
  const atPlatform = async (number: ChannelNumber) =>
    (await allOf(rt.platform.listTemplates(number.credentials))).map(({ content }) => content.name)
  const aCloudAccount = async () => {
    const accountId = await world.newAccount()
    return { accountId, number: await connectCloud(world, accountId) }
  }

  describe('of the catalog', () => {
    test('are in every account from its first moment, and move to its first real channel', async () => {
      const { account } = await createAccount(rt, { name: 'Fresh', plan: 'free', actor: operator })
      const waiting = await list(account.id)
      expect(waiting.map(({ status, channel, source }) => [status, channel, source])).toEqual(
        new Array(8).fill(['draft', null, 'catalog']),
      )
      const number = await connectCloud(world, account.id)
      const moved = await list(account.id)
      expect(moved.map(({ status, channel }) => [status, channel])).toEqual(new Array(8).fill(['draft', 'cloud']))
      const params = { account_id: account.id, template_id: waiting[0]?.id ?? '', count: 10 }
      expect(await rt.store.read(readTemplateChanges, params)).toEqual([])
      await deleteTemplate(rt, account.id, moved[0]?.id ?? '')
      await seedCatalog(rt, number, addSandboxTemplates)
      expect(await list(account.id)).toHaveLength(7)
    })

    test('make way also when the seeding before was cut off between its two halves', async () => {
      const accountId = await world.newAccount()
      await world.connect(accountId)
      const number = await requireNumber(rt, accountId)
      const cut: Runtime = { ...rt, store: { ...rt.store, write: failAfter(rt, 9) } }
      await expect(seedCatalog(cut, number, addSandboxTemplates)).rejects.toThrow('cut off')
      expect((await list(accountId)).length).toBeGreaterThan(9)
      await seedCatalog(rt, number, addSandboxTemplates)
      expect((await list(accountId)).map(({ channel }) => channel)).toEqual(new Array(9).fill('sandbox'))
    })

    test('are submitted on the channel that has them, also when another number is the default', async () => {
      const accountId = await world.newAccount()
      await world.connect(accountId)
      await seedCatalog(rt, await requireNumber(rt, accountId), addSandboxTemplates)
      world.clock.advance(1_000)
      const fresh = await openSandboxNumber(world.sandbox.url, { name: 'Acme' })
      const cloud = { ...fresh, accountId, kind: 'cloud', baseUrl: world.sandbox.url, actor: gateway } as const
      expect((await connectChannel(rt, cloud)).channel).not.toBeNull()
      expect((await requireNumber(rt, accountId)).kind).toBe('sandbox')
      const { templates, refused } = await submitCatalog(rt, accountId)
      expect(refused).toEqual([])
      expect(templates.map(({ status, channel }) => [status, channel])).toEqual(new Array(8).fill(['pending', 'cloud']))
    })
  })

  describe('that are created while the platform is away', () => {
    const down = (outcome: 'not_sent' | 'unknown') =>
      new PlatformError({ kind: 'unreachable', outcome, code: 'upstream_unavailable' })
    const draft = { body: 'Hello there.' }

    test('can be created again when nothing had reached it', async () => {
      const { accountId } = await aCloudAccount()
      const input = { ...draft, name: 'after_outage' }
      const away = withPlatform({ createTemplate: () => Promise.reject(down('not_sent')) })
      await expect(createTemplate(away, creator(accountId), input)).rejects.toMatchObject({
        code: 'upstream_unavailable',
      })
      expect((await list(accountId)).some(({ name }) => name === input.name)).toBe(false)
      expect((await createTemplate(rt, creator(accountId), input)).status).toBe('pending')
    })

    test('can be created again when nobody knows whether it arrived, and it did not', async () => {
      const { accountId } = await aCloudAccount()
      const input = { ...draft, name: 'lost_on_the_way' }
      const away = withPlatform({ createTemplate: () => Promise.reject(down('unknown')) })
      await expect(createTemplate(away, creator(accountId), input)).rejects.toMatchObject({
        code: 'upstream_unavailable',
      })
      expect((await list(accountId)).find(({ name }) => name === input.name)?.status).toBe('draft')
      const other = createTemplate(rt, creator(accountId), { ...input, body: 'Other words.' })
      await expect(other).rejects.toMatchObject({ code: 'template_already_exists' })
      expect((await createTemplate(rt, creator(accountId), input)).status).toBe('pending')
    })

    test('are found there when the call is made again and it did arrive', async () => {
      const { accountId } = await aCloudAccount()
      const input = { ...draft, name: 'answer_lost' }
      const deaf = withPlatform({
        async createTemplate(...call) {
          await rt.platform.createTemplate(...call)
          throw down('unknown')
        },
      })
      await expect(createTemplate(deaf, creator(accountId), input)).rejects.toMatchObject({
        code: 'upstream_unavailable',
      })
      world.clock.advance(1_000)
      const again = await createTemplate(rt, creator(accountId), input)
      expect(again).toMatchObject({ status: 'pending', version: 1, channel_template_id: expect.any(String) })
    })

    test('are kept when our own database fails after the platform said yes', async () => {
      const { accountId, number } = await aCloudAccount()
      const input = { ...draft, name: 'stored_there' }
      const broken: Runtime = { ...rt, store: { ...rt.store, write: failAfter(rt, 1, 1) } }
      await expect(createTemplate(broken, creator(accountId), input)).rejects.toThrow('cut off')
      expect(await atPlatform(number)).toContain(input.name)
      world.clock.advance(1_000)
      await syncTemplates(rt, number)
      expect((await list(accountId)).find(({ name }) => name === input.name)).toMatchObject({
        status: 'pending',
        source: 'api',
      })
    })

    test('are forgotten when the platform refuses them', async () => {
      const { accountId, number } = await aCloudAccount()
      const { baseUrl, wabaId } = number.credentials
      await postSandboxTemplates(baseUrl, wabaId, [
        { name: 'theirs', language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Theirs.' }] },
      ])
      const refused = createTemplate(rt, creator(accountId), { ...draft, name: 'theirs' })
      await expect(refused).rejects.toMatchObject({ code: 'template_already_exists' })
      expect((await list(accountId)).some(({ name }) => name === 'theirs')).toBe(false)
    })
  })

  describe('that are deleted', () => {
    test('at once by a dozen callers are deleted for all of them', async () => {
      const { accountId, number } = await aCloudAccount()
      const { id } = await createTemplate(rt, creator(accountId), { name: 'by_a_dozen', body: 'Hello there.' })
      // All have read the record before the first has deleted it at the platform.
      let arrived = 0
      const { promise: all, resolve: go } = Promise.withResolvers<void>()
      const meeting = withPlatform({
        async deleteTemplate(...call) {
          if (++arrived === 12) go()
          await all
          return rt.platform.deleteTemplate(...call)
        },
      })
      const answers = await Promise.all(Array.from({ length: 12 }, () => deleteTemplate(meeting, accountId, id)))
      expect(answers).toEqual(new Array(12).fill({ id, deleted: true }))
      expect(await atPlatform(number)).not.toContain('by_a_dozen')
    })

    test('while they are being submitted do not stay at the platform', async () => {
      const { accountId, number } = await aCloudAccount()
      const input = { name: 'overtaken', body: 'Hello there.' }
      const slow = withPlatform({
        async createTemplate(...call) {
          const known = (await list(accountId)).find(({ name }) => name === input.name)
          await deleteTemplate(rt, accountId, known?.id ?? '')
          return rt.platform.createTemplate(...call)
        },
      })
      expect((await createTemplate(slow, creator(accountId), input)).status).toBe('deleted')
      expect(await atPlatform(number)).not.toContain(input.name)
    })

    test('go also when their channel is gone', async () => {
      const { accountId, number } = await aCloudAccount()
      const { id } = await createTemplate(rt, creator(accountId), { name: 'left_behind', body: 'Hello there.' })
      await disconnectChannel(rt, { accountId, channelId: number.channelId, actor: operator })
      expect(await deleteTemplate(rt, accountId, id)).toEqual({ id, deleted: true })
      expect((await getTemplate(rt, accountId, id)).status).toBe('deleted')
    })
  })

  describe('that are edited', () => {
    test('as drafts while a member submits them are refused instead of lost', async () => {
      const { accountId } = await aCloudAccount()
      const input = { name: 'two_writers', body: 'First words.', submit: false }
      const { id } = await createTemplate(rt, creator(accountId), input)
      const racing: Runtime = { ...rt, store: { ...rt.store, write: rt.store.write } }
      let raced = false
      racing.store.write = async (unit) => {
        if (!raced) {
          raced = true
          await editTemplate(rt, accountId, id, { body: 'Other words.' })
        }
        return rt.store.write(unit)
      }
      const late = editTemplate(racing, accountId, id, { body: 'Late words.', submit: false })
      await expect(late).rejects.toMatchObject({ code: 'template_locked' })
      const [component] = (await getTemplate(rt, accountId, id)).components
      expect(component).toMatchObject({ text: 'Other words.' })
    })

    test('during a submission say in the end what was submitted', async () => {
      const { accountId, number } = await aCloudAccount()
      const input = { name: 'same_words', body: 'First words.', submit: false }
      const { id } = await createTemplate(rt, creator(accountId), input)
      const slow = withPlatform({
        async createTemplate(...call) {
          await editTemplate(rt, accountId, id, { body: 'Words in between.', submit: false })
          return rt.platform.createTemplate(...call)
        },
      })
      await editTemplate(slow, accountId, id, { body: 'Submitted words.' })
      const record = await getTemplate(rt, accountId, id)
      const there = await rt.platform.getTemplate(number.credentials, record.channel_template_id ?? '')
      expect(record.components).toMatchObject([{ type: 'body', text: 'Submitted words.' }])
      expect(there.content.components).toMatchObject([{ type: 'body', text: 'Submitted words.' }])
    })

    test('or deleted with a key that is limited to other numbers are left alone', async () => {
      const { accountId, number } = await aCloudAccount()
      const { id } = await createTemplate(rt, creator(accountId), { name: 'not_yours', body: 'Hi.', submit: false })
      const limited = (phoneNumberIds: string[]) => requireAllowed(rt, { accountId, phoneNumberIds }, id)
      await expect(limited(['pn_other'])).rejects.toMatchObject({ code: 'number_not_allowed' })
      expect(await limited([number.id])).toEqual({ accountId })
    })
  })

  describe('that are synced', () => {
    test('are found on a channel that has none yet', async () => {
      const { accountId, number } = await aCloudAccount()
      for (const { id } of await list(accountId)) await deleteTemplate(rt, accountId, id)
      const { baseUrl, wabaId } = number.credentials
      await postSandboxTemplates(baseUrl, wabaId, [
        { name: 'approved_long_ago', language: 'en', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hi.' }] },
      ])
      await pollUntilDone(rt)
      const found = (await list(accountId)).map(({ name, status, source }) => [name, status, source])
      expect(found).toContainEqual(['approved_long_ago', 'approved', 'platform'])
    })

    test('are polled however many channels were disconnected', async () => {
      await pollUntilDone(rt)
      const gone = await Promise.all(Array.from({ length: 51 }, () => aCloudAccount()))
      for (const { accountId, number } of gone) {
        await disconnectChannel(rt, { accountId, channelId: number.channelId, actor: operator })
      }
      const { accountId, number } = await aCloudAccount()
      const { id } = await createTemplate(rt, creator(accountId), { name: 'still_polled', body: 'Hello there.' })
      world.sandbox.control.review('still_polled', { decision: 'approve' })
      world.clock.advance(61_000)
      await pollTemplates(rt)
      expect((await getTemplate(rt, accountId, id)).status).toBe('approved')
      expect(number.kind).toBe('cloud')
    }, 60_000)

    test('keep what changed here while the list was on its way', async () => {
      const { accountId, number } = await aCloudAccount()
      const kept = await createTemplate(rt, creator(accountId), { name: 'edited_here', body: 'First words.' })
      const gone = await createTemplate(rt, creator(accountId), { name: 'deleted_here', body: 'Passing words.' })
      world.sandbox.control.review('edited_here', { decision: 'reject' })
      world.clock.advance(1_000)
      await syncTemplates(rt, number)
      world.clock.advance(1_000)
      const stale = withPlatform({
        async *listTemplates(...call) {
          const listed = await allOf(rt.platform.listTemplates(...call))
          world.clock.advance(10)
          await editTemplate(rt, accountId, kept.id, { body: 'Second words.' })
          await deleteTemplate(rt, accountId, gone.id)
          yield* listed
        },
      })
      await syncTemplates(stale, number)
      const names = (await list(accountId)).map(({ name }) => name)
      expect(names).not.toContain('deleted_here')
      expect(await getTemplate(rt, accountId, kept.id)).toMatchObject({
        status: 'pending',
        components: [{ type: 'body', text: 'Second words.' }],
      })
    })
  })

  test('that are approved by the answer to their submission have been reviewed', async () => {
    const { accountId } = await aCloudAccount()
    const quick = withPlatform({
      createTemplate: async (...call) => ({ ...(await rt.platform.createTemplate(...call)), status: 'APPROVED' }),
    })
    const created = await createTemplate(quick, creator(accountId), { name: 'at_once', body: 'Hello there.' })
    expect(created.status).toBe('approved')
    expect(created.reviewed_at).not.toBeNull()
  })
})

/** A store that takes this many writes, and then some or no more. */
function failAfter(rt: Runtime, writes: number, failures = Number.POSITIVE_INFINITY): Runtime['store']['write'] {
  let done = 0
  return async (unit) => {
    done++
    if (done > writes && done <= writes + failures) throw new Error('cut off')
    return rt.store.write(unit)
  }
}

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

async function pollUntilDone(rt: Runtime): Promise<void> {
  for (let rounds = 0; rounds < 20; rounds++) if ((await pollTemplates(rt)) === 'done') return
  throw new Error('The poll does not end.')
}

/** A number of the sandbox, connected as if its platform were the real one. */
async function connectCloud({ rt, sandbox }: ChannelWorld, accountId: string): Promise<ChannelNumber> {
  const fresh = await openSandboxNumber(sandbox.url, { name: 'Acme' })
  const request = { ...fresh, accountId, kind: 'cloud', baseUrl: sandbox.url, actor: gateway } as const
  const { channel, steps } = await connectChannel(rt, request)
  if (!channel) throw new Error(JSON.stringify(steps))
  return requireNumber(rt, accountId)
}
