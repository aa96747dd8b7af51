import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gateway } from '../../server/src/audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../../server/src/channels/require-number.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { createSingleflight } from '../../server/src/lib/async/with-timeout.ts'
import { createThrottles } from '../../server/src/limits/throttles.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { postSandboxTemplates } from '../../server/src/platform/sandbox-templates.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { requireSendableTemplate } from '../../server/src/templates/find-template.ts'
import { pollTemplates } from '../../server/src/templates/sync/sync-templates.ts'
import { templateItemHandlers } from '../../server/src/templates/sync/template-item-handlers.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

describe.each(engines)('a template we do not have, on %s', (engine) => {
  let world: ChannelWorld
  let rt: Runtime
  let number: ChannelNumber
  let lists: number
  /** What the platform waits for before it answers with its list. */
  let gate: Promise<void>
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    const accountId = await world.newAccount()
    const fresh = await openSandboxNumber(world.sandbox.url, { name: 'Acme' })
    const request = { ...fresh, accountId, kind: 'cloud', baseUrl: world.sandbox.url, actor: gateway } as const
    expect((await connectChannel(world.rt, request)).channel).not.toBeNull()
    number = await requireNumber(world.rt, accountId)
    const { platform } = world.rt
    const listTemplates: typeof platform.listTemplates = async function* (...call) {
      lists++
      await gate
      yield* platform.listTemplates(...call)
    }
    rt = { ...world.rt, platform: { ...platform, listTemplates } }
  })
  afterAll(() => world.dispose())
  beforeEach(() => {
    world.clock.advance(10 * 60_000)
    lists = 0
    gate = Promise.resolve()
  })

  const make = (...names: string[]) =>
    postSandboxTemplates(
      number.credentials.baseUrl,
      number.credentials.wabaId,
      names.map((name) => ({
        name,
        language: 'en',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: `Words of ${name}.` }],
      })),
    )
  const find = async (name: string, own = rt) =>
    (await requireSendableTemplate(own, number, { name, language: 'en' }).catch(({ code }) => ({ name: code }))).name

  test('is refused with the name that was probably meant, of the templates of this number', async () => {
    await make('order_shipped')
    expect(await find('order_shipped')).toBe('order_shipped')
    const refusalOf = (name: string) =>
      requireSendableTemplate(rt, number, { name, language: 'en' }).catch(({ message, extras }) => ({
        message,
        extras,
      }))
    const lists = 'GET /v1/chat/templates lists the names.'
    expect(await refusalOf('Order_shiped')).toMatchObject({
      message: `The template 'Order_shiped' does not exist. Did you mean 'order_shipped'? ${lists}`,
      extras: { details: [{ field: 'template', received: 'Order_shiped', example: 'order_shipped' }] },
    })
    expect(await refusalOf('nothing_like_it')).toMatchObject({
      message: `The template 'nothing_like_it' does not exist. ${lists}`,
    })
  })

  test('is found by all sends that miss it at once, with one list', async () => {
    await make('wanted_by_many')
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const sends = Array.from({ length: 5 }, () => find('wanted_by_many'))
    await expect.poll(() => lists).toBe(1)
    resolve()
    expect(await Promise.all(sends)).toEqual(new Array(5).fill('wanted_by_many'))
    expect(lists).toBe(1)
  })

  test('is found though another was found a moment ago, and though the poll has just been here', async () => {
    await make('first_of_two')
    expect(await find('first_of_two')).toBe('first_of_two')
    await make('second_of_two')
    expect(await find('second_of_two')).toBe('second_of_two')
    while ((await pollTemplates(rt)) !== 'done');
    await make('after_the_poll')
    expect(await find('after_the_poll')).toBe('after_the_poll')
  })

  test('is found though the list that was under way is older than it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { platform } = world.rt
    let read = 0
    const early: typeof platform.listTemplates = async function* (...call) {
      const listed = []
      for await (const template of platform.listTemplates(...call)) listed.push(template)
      read++
      await promise
      yield* listed
    }
    const slow: Runtime = { ...rt, platform: { ...platform, listTemplates: early } }
    const unknown = find('nobody_made_it', slow)
    await expect.poll(() => read).toBe(1)
    await make('made_meanwhile')
    const send = find('made_meanwhile')
    resolve()
    expect(await Promise.all([unknown, send])).toEqual(['template_not_found', 'made_meanwhile'])
  })

  test('is asked for once in 30 seconds under one name', async () => {
    for (const expected of [1, 1, 1]) {
      expect(await find('never_made')).toBe('template_not_found')
      expect(lists).toBe(expected)
    }
    world.clock.advance(30_000)
    await find('never_made')
    expect(lists).toBe(2)
  })

  test('costs four lists at once and two a minute, however many names are tried', async () => {
    for (let count = 0; count < 50; count++) expect(await find(`guess_${count}`)).toBe('template_not_found')
    expect(lists).toBe(4)
    world.clock.advance(60_000)
    await Promise.all(Array.from({ length: 50 }, (_, count) => find(`other_guess_${count}`)))
    expect(lists).toBeLessThanOrEqual(6)
  })

  test('is refused by what we know when the platform does not answer, and asked for no more often', async () => {
    gate = Promise.reject(new Error('away'))
    gate.catch(() => {})
    for (const _ of [1, 2, 3]) expect(await find('cannot_be_asked')).toBe('template_not_found')
    expect(lists).toBe(1)
  })

  test('is not asked for before a throttle ends, on any node', async () => {
    await make('behind_a_throttle')
    const throttle = { kind: 'throttled', outcome: 'refused', code: 'channel_rate_limited' } as const
    gate = Promise.reject(new PlatformError({ ...throttle, retryAfterMs: 45 * 60_000 }))
    gate.catch(() => {})
    const other: Runtime = { ...rt, singleflight: createSingleflight(), throttles: createThrottles() }
    expect(await find('behind_a_throttle')).toBe('template_not_found')
    gate = Promise.resolve()
    world.clock.advance(44 * 60_000)
    expect(await find('behind_a_throttle')).toBe('template_not_found')
    expect(await find('behind_a_throttle', other)).toBe('template_not_found')
    expect(lists).toBe(1)
    world.clock.advance(2 * 60_000)
    expect(await find('behind_a_throttle', other)).toBe('behind_a_throttle')
    expect(lists).toBe(2)
  })

  test('is found where the list cannot be read, when another node has stored it meanwhile', async () => {
    await make('stored_by_another')
    const { promise, reject } = Promise.withResolvers<void>()
    gate = promise
    const missing = find('stored_by_another')
    await expect.poll(() => lists).toBe(1)
    const other = { ...world.rt, singleflight: createSingleflight(), throttles: createThrottles() }
    expect(await find('stored_by_another', other)).toBe('stored_by_another')
    reject(new PlatformError({ kind: 'unreachable', outcome: 'not_sent', code: 'upstream_unavailable' }))
    expect(await missing).toBe('stored_by_another')
  })

  test('is found on every node, each with its own list', async () => {
    await make('on_two_nodes')
    const other: Runtime = { ...rt, singleflight: createSingleflight(), throttles: createThrottles() }
    const found = await Promise.all([find('on_two_nodes'), find('on_two_nodes', other)])
    expect(found).toEqual(['on_two_nodes', 'on_two_nodes'])
    expect(lists).toBe(2)
  })

  test('is found for the report that speaks of it, a moment after another', async () => {
    const [first, second] = await make('reported_first', 'reported_second')
    const { wabaId } = number.credentials
    const channel = { id: number.channelId, kind: number.kind, wabaId }
    const context = { accountId: number.accountId, channel, number: null, receivedAt: rt.clock.now() }
    const report = (templateId: string, name: string) => {
      const common = { dedupeKey: name, wabaId, phoneNumberId: null, templateId, name, language: 'en', at: null }
      const item = { ...common, kind: 'template_quality' as const, previousQuality: null, quality: 'RED' }
      return templateItemHandlers.template_quality?.(rt, [{ item, context }], true)
    }
    expect(await report(first?.templateId ?? '', 'reported_first')).toEqual(['applied'])
    const [third] = await make('reported_third')
    expect(await report(second?.templateId ?? '', 'reported_second')).toEqual(['applied'])
    expect(await report(third?.templateId ?? '', 'reported_third')).toEqual(['applied'])
    expect(lists).toBe(2)
  })
})
