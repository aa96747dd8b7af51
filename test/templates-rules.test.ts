import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gateway } from '../server/src/accounts/audit.ts'
import { connectChannel } from '../server/src/channels/connect-channel.ts'
import { type ChannelNumber, requireNumber } from '../server/src/channels/require-number.ts'
import { openSandboxNumber } from '../server/src/platform/sandbox-control.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { createTemplate, type NewTemplate } from '../server/src/templates/create-template.ts'
import { editTemplate } from '../server/src/templates/edit-template.ts'
import { getTemplate } from '../server/src/templates/get-template.ts'
import { syncTemplates } from '../server/src/templates/sync-templates.ts'
import { aChannelWorld, type ChannelWorld } from './support/channel-world.ts'
import { engines } from './support/databases.ts'

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

    test('of a rejected template may show the reviewer the same words again', async () => {
      const { id } = await create({ name: 'second_look', body: 'Words of second_look.' })
      await review('second_look', 'reject')
      const again = await editTemplate(rt, accountId, id, { body: 'Words of second_look.' })
      expect([again.status, calls]).toEqual(['pending', ['create', 'edit']])
    })
  })
})
