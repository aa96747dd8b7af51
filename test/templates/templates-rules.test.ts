import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gateway } from '../../server/src/audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../../server/src/channels/require-number.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { changeTemplate } from '../../server/src/templates/change-template.ts'
import { checkDraft } from '../../server/src/templates/check/check-draft.ts'
import { createTemplate, type NewTemplate } from '../../server/src/templates/create-template.ts'
import { editTemplate } from '../../server/src/templates/edit-template.ts'
import { getTemplate } from '../../server/src/templates/get-template.ts'
import { deleteTemplate } from '../../server/src/templates/submit-template.ts'
import { applyReport } from '../../server/src/templates/sync/merge-listed.ts'
import { syncTemplates } from '../../server/src/templates/sync/sync-templates.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

describe.each(engines)('the rules for templates that exist, on %s', (engine) => {
  let world: ChannelWorld
  let rt: Runtime
  let accountId: string
  let number: ChannelNumber
  /** Calls that changed something at the platform. */
  let calls: string[]
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    world.sandbox.control.setScenario({ review_delay_ms: 600_000 })
    accountId = await world.newAccount()
    const fresh = await openSandboxNumber(world.sandbox.url, { name: 'Acme' })
    const request = { ...fresh, accountId, kind: 'cloud', baseUrl: world.sandbox.url, actor: gateway } as const
    expect((await connectChannel(world.rt, request)).channel).not.toBeNull()
    number = await requireNumber(world.rt, accountId)
    const { platform } = world.rt
    const noted = <Call extends unknown[], Result>(name: string, run: (...call: Call) => Result) => {
      return (...call: Call) => {
        calls.push(name)
        return run(...call)
      }
    }
    const createTemplate = noted('create', platform.createTemplate)
    const editTemplate = noted('edit', platform.editTemplate)
    rt = { ...world.rt, platform: { ...platform, createTemplate, editTemplate } }
  })
  afterAll(() => world.dispose())
  // Ten a minute may be created, and what changed at the very moment a list was asked for is newer than it.
  beforeEach(() => {
    world.clock.advance(120_000)
    calls = []
  })

  const create = (input: NewTemplate) => createTemplate(rt, { accountId, phoneNumberIds: null }, input)
  const review = async (name: string, decision: 'approve' | 'reject') => {
    world.sandbox.control.review(name, { decision })
    world.clock.advance(1_000)
    await syncTemplates(rt, number)
    world.clock.advance(1_000)
  }
  const anApproved = async (name: string, body = `Words of ${name}.`) => {
    const { id } = await create({ name, body })
    await review(name, 'approve')
    calls = []
    return id
  }

  describe('an edit', () => {
    test('that says nothing is refused, and the template stays in use', async () => {
      const id = await anApproved('stays_in_use')
      for (const edit of [{}, { submit: true }, { body: null, components: null, category: null }]) {
        await expect(editTemplate(rt, accountId, id, edit)).rejects.toMatchObject({
          code: 'template_invalid',
          extras: { details: [{ field: 'components', code: 'one_of_required' }] },
        })
      }
      expect((await getTemplate(rt, accountId, id)).status).toBe('approved')
      expect(calls).toEqual([])
    })

    test('that changes nothing asks nobody, and the template stays in use', async () => {
      const id = await anApproved('same_again')
      const before = await getTemplate(rt, accountId, id)
      const same = { type: 'BODY', text: 'Words of same_again.' }
      for (const edit of [{ body: same.text }, { components: [same] }, { category: 'UTILITY' }]) {
        expect((await editTemplate(rt, accountId, id, edit)).status).toBe('approved')
      }
      expect(await getTemplate(rt, accountId, id)).toEqual(before)
      expect(calls).toEqual([])
    })

    test('of an approved template is possible once a day and ten times a month, by our own count', async () => {
      const id = await anApproved('edited_often')
      // The sandbox keeps real time; only our count is looked at.
      const patient: Runtime = { ...rt, platform: { ...rt.platform, editTemplate: async () => {} } }
      const edit = (round: number) => editTemplate(patient, accountId, id, { body: `Words of round ${round}.` })
      const approve = () =>
        changeTemplate(rt, { accountId, id, cause: 'callback' }, (now) =>
          applyReport(now, { status: 'APPROVED', at: rt.clock.now() }),
        )
      for (let round = 0; round < 10; round++) {
        expect((await edit(round)).pending_edit).not.toBeNull()
        await approve()
        world.clock.advance(dayMs - 1)
        await expect(edit(99)).rejects.toMatchObject({
          code: 'template_locked',
          message: expect.stringMatching(/once in 24 hours.* possible at \d{4}-/),
        })
        world.clock.advance(1)
      }
      await expect(edit(99)).rejects.toMatchObject({
        code: 'template_locked',
        message: expect.stringContaining('ten times in 30 days'),
      })
      world.clock.advance(20 * dayMs)
      expect((await edit(10)).pending_edit).not.toBeNull()
      expect(calls).toEqual([])
    })

    test('whose verdict is faster than the answer to it is the content at once', async () => {
      const id = await anApproved('judged_at_once')
      const report = (status: string) =>
        changeTemplate(rt, { accountId, id, cause: 'callback' }, (now) => ({
          ...applyReport(now, { status, at: rt.clock.now(), reason: 'SCAM' }),
          reported_at: rt.clock.now(),
        }))
      const quick = (...statuses: string[]): Runtime => ({
        ...rt,
        platform: {
          ...rt.platform,
          editTemplate: async () => {
            for (const status of statuses) await report(status)
          },
        },
      })
      const edit = (rtOfEdit: Runtime, body: string) => editTemplate(rtOfEdit, accountId, id, { body })
      expect(await edit(quick('APPROVED'), 'Second words.')).toMatchObject({
        status: 'approved',
        components: [{ text: 'Second words.' }],
        pending_edit: null,
      })
      world.clock.advance(dayMs)
      expect(await edit(quick('PENDING'), 'Third words.')).toMatchObject({
        status: 'approved',
        components: [{ text: 'Second words.' }],
        pending_edit: { components: [{ text: 'Third words.' }] },
      })
      await report('APPROVED')
      world.clock.advance(dayMs)
      expect(await edit(quick('PENDING', 'REJECTED'), 'Fourth words.')).toMatchObject({
        status: 'rejected',
        status_reason: { code: 'scam' },
        components: [{ text: 'Fourth words.' }],
        pending_edit: null,
      })
    })

    test('of a rejected template may show the reviewer the same words again', async () => {
      const { id } = await create({ name: 'second_look', body: 'Words of second_look.' })
      await review('second_look', 'reject')
      const again = await editTemplate(rt, accountId, id, { body: 'Words of second_look.' })
      expect([again.status, calls]).toEqual(['pending', ['create', 'edit']])
    })
  })

  describe('the words of another template', () => {
    const twin = { code: 'template_invalid', message: expect.stringContaining('first_words (en_US) has the same body') }

    test('are refused in the same body and footer, whatever the name, here and in the console', async () => {
      const components = [
        { type: 'body', text: 'The Same words.' },
        { type: 'footer', text: 'Acme' },
      ]
      await create({ name: 'first_words', components })
      await expect(create({ name: 'second_words', components })).rejects.toMatchObject({
        ...twin,
        extras: { details: [{ field: 'components[0].text', code: 'duplicate' }] },
      })
      await expect(create({ name: 'second_words', components, submit: false })).rejects.toMatchObject(twin)
      const draft = await create({ name: 'second_words', body: 'Other words.', submit: false })
      await expect(editTemplate(rt, accountId, draft.id, { components })).rejects.toMatchObject(twin)
      const id = await anApproved('third_words')
      await expect(editTemplate(rt, accountId, id, { components })).rejects.toMatchObject(twin)
      const { problems } = await checkDraft(rt, accountId, { name: 'fourth_words', components })
      expect(problems).toMatchObject([{ field: 'components[0].text', code: 'duplicate' }])
      expect(calls).toEqual([])
    })

    test('may be said again with another footer, in another case, in another language, or as a code', async () => {
      const said = [{ type: 'body', text: 'Said before.' }]
      await create({ name: 'said', components: said })
      const again = [
        { name: 'said', language: 'pt_BR', components: said },
        { name: 'said_with_footer', components: [...said, { type: 'footer', text: 'Acme' }] },
        { name: 'said_loudly', components: [{ type: 'body', text: 'SAID BEFORE.' }] },
        { name: 'code_one', category: 'authentication' },
        { name: 'code_two', category: 'authentication' },
      ]
      for (const input of again) expect((await create(input)).status).toBe('pending')
    })

    test('may be said again once it is deleted or rejected', async () => {
      const { id } = await create({ name: 'passing', body: 'Passing words.' })
      await review('passing', 'reject')
      expect((await create({ name: 'after_rejection', body: 'Passing words.', submit: false })).status).toBe('draft')
      await deleteTemplate(rt, accountId, id)
      expect((await create({ name: 'after_deletion', body: 'Passing words.' })).status).toBe('pending')
    })
  })

  test('the name of an approved template is blocked for 30 days after its deletion', async () => {
    const id = await anApproved('blocked_name')
    await deleteTemplate(rt, accountId, id)
    const input = { name: 'blocked_name', body: 'Words of a new one.' }
    const blocked = {
      code: 'template_invalid',
      message: expect.stringMatching(/blocks its name until \d{4}-/),
      extras: { details: [{ field: 'name' }] },
    }
    await expect(create(input)).rejects.toMatchObject(blocked)
    // A draft may wait here, and is told the same when it is submitted.
    const draft = await create({ ...input, submit: false })
    await expect(editTemplate(rt, accountId, draft.id, {})).rejects.toMatchObject(blocked)
    expect(calls).toEqual([])
    world.clock.advance(30 * dayMs)
    // The sandbox keeps real time, so it still refuses: but it was asked.
    await expect(editTemplate(rt, accountId, draft.id, {})).rejects.toMatchObject({
      code: 'template_invalid',
      message: expect.stringContaining('blocks the name for 30 days'),
    })
    expect(calls).toEqual(['create'])
  })

  test('a name is free again at once when the template was never approved', async () => {
    const { id } = await create({ name: 'never_approved', body: 'Words of never_approved.' })
    await deleteTemplate(rt, accountId, id)
    expect((await create({ name: 'never_approved', body: 'Words of never_approved.' })).status).toBe('pending')
  })
})
