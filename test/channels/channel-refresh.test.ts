import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { firstRefreshMs, refreshChannel, refreshJobKind } from '../../server/src/channels/refresh-channel.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { disconnectChannel } from '../../server/src/connect/console-channels.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { callbackHandlers, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { startRunner } from '../../server/src/workers/runner.ts'
import { aChannelWorld, type ChannelWorld, type Connected, eventBody } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

const readRefreshes = query({
  name: 'test.refreshes',
  params: { kind: 'text' },
  returns: { run_at: 'int', claim: 'text?' },
  sql: 'select run_at, claim from jobs where kind = :kind',
})

describe.each(engines)('the refresh of a channel, on %s,', (engine) => {
  let world: ChannelWorld
  let accountId: string
  let channel: Connected
  let refreshes: number
  let letGo: () => void
  const closers: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    world = await aChannelWorld(engine)
    accountId = await world.newAccount()
    channel = await world.connect(accountId)
    refreshes = 0
    letGo = () => {}
  })
  afterEach(async () => {
    letGo()
    for (const close of closers.splice(0)) await close()
    await world.dispose()
  })

  const jobs = () => world.rt.store.read(readRefreshes, { kind: refreshJobKind })

  /** The first refresh has read all that it will, and does not end before it is let go. */
  async function holdFirstRefresh() {
    const held = Promise.withResolvers<void>()
    letGo = held.resolve
    world.clock.advance(firstRefreshMs)
    const runner = startRunner(world.rt, [
      {
        kind: refreshJobKind,
        async run(rt, job) {
          const outcome = await refreshChannel(rt, job)
          if (++refreshes === 1) await held.promise
          return outcome
        },
      },
    ])
    closers.push(() => runner.drain(5_000))
    await waitFor(() => refreshes === 1)
  }

  test('follows what the platform reports while another one is under way', async () => {
    await holdFirstRefresh()
    const applier = startCallbackApplier(world.rt, callbackHandlers)
    closers.push(() => applier.drain(5_000))
    const value = { display_phone_number: '15550100001', event: 'FLAGGED', current_limit: 'TIER_50' }
    await world.post(channel, eventBody(channel, 'phone_number_quality_update', value))
    await waitFor(async () => (await world.rt.store.read(countCallbacks, {}))[0]?.applied === 1)
    expect(refreshes).toBe(1)
    letGo()
    await waitFor(() => refreshes === 2)
  })

  test.each([
    ['a warning', 'ACCOUNT_RESTRICTION', 'warn'],
    ['a warning', 'SOMETHING_NEW', 'warn'],
    ['information', 'VOLUME_BASED_PRICING_TIER_UPDATE', 'info'],
  ])('follows at once what Meta reports about an account, with %s in the log: %s', async (_, event, level) => {
    const applier = startCallbackApplier(world.rt, callbackHandlers)
    closers.push(() => applier.drain(5_000))
    await world.post(channel, eventBody(channel, 'account_update', { event }))
    await waitFor(async () => (await world.rt.store.read(countCallbacks, {}))[0]?.applied === 1)
    expect(await jobs()).toEqual([{ run_at: world.clock.now(), claim: null }])
    const lines = world.logLines.filter((line) => line.includes('"channel.account_reported"'))
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level, account_id: accountId, channel_id: channel.channelId, field: 'account_update', event },
    ])
  })

  test('goes on when the channel is connected again while the last one ends', async () => {
    await disconnectChannel(world.rt, { accountId, channelId: channel.channelId, actor: operator })
    await holdFirstRefresh()
    const number = world.sandbox.numbers.at(-1)
    const again = await connectChannel(world.rt, {
      accountId,
      kind: 'sandbox',
      wabaId: channel.wabaId,
      phoneNumberId: channel.phoneNumberId,
      accessToken: number?.access_token ?? '',
      appSecret: channel.appSecret,
      baseUrl: world.sandbox.url,
      actor: operator,
    })
    expect(again.channel?.id).toBe(channel.channelId)
    letGo()
    await waitFor(async () => (await jobs()).every(({ claim }) => claim === null))
    expect(await jobs()).toEqual([{ run_at: world.clock.now() + firstRefreshMs, claim: null }])
  })
})
