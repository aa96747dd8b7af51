import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expireAnalytics } from '../../server/src/analytics/fold-steps.ts'
import { getCosts } from '../../server/src/analytics/get-costs.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import {
  type CallbackApplier,
  callbackHandlers,
  startCallbackApplier,
} from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, type ChannelWorld, type Connected, eventBody } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { saveCloudChannel } from '../support/save-cloud-channel.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

const event = 'VOLUME_BASED_PRICING_TIER_UPDATE'
const info = {
  tier_update_time: 1_795_000_000,
  pricing_category: 'UTILITY',
  tier: '25000001:50000000',
  effective_month: '2026-11',
  region: 'India',
}
const range = { from: '2026-11-01', to: '2026-12-01' }
const keptTiers = query({
  name: 'test.volume_tiers',
  params: { account_id: 'text' },
  returns: { tier: 'text' },
  sql: 'select tier from volume_tiers where account_id = :account_id order by tier',
})

describe.each(engines)('volume tiers as Meta reports them, on %s', (engine) => {
  let world: ChannelWorld
  let accountId: string
  let channel: Connected
  let applier: CallbackApplier

  beforeAll(async () => {
    world = await aChannelWorld(engine)
    applier = startCallbackApplier(world.rt, callbackHandlers)
  })
  beforeEach(async () => {
    accountId = await world.newAccount()
    channel = await world.connect(accountId)
  })
  afterAll(async () => {
    await applier.drain(5_000)
    await world.dispose()
  })

  const allApplied = () =>
    waitFor(async () => {
      const [{ stored, applied } = { stored: 0, applied: -1 }] = await world.rt.store.read(countCallbacks, {})
      return stored === applied
    })
  let time = 1_795_000_000
  const report = async (change: object = {}) => {
    const value = { event, volume_tier_info: { ...info, ...change } }
    expect((await world.post(channel, eventBody(channel, 'account_update', value, ++time))).status).toBe(200)
    await allApplied()
  }
  const tiers = async (days = range, of = accountId) => (await getCosts(world.rt, of, days)).volume_tiers
  const kept = async () => (await world.rt.store.read(keptTiers, { account_id: accountId })).map(({ tier }) => tier)

  test('stand beside the costs of their month, and of their account alone', async () => {
    expect(await tiers()).toEqual([])
    await report()
    const one = { waba_id: channel.wabaId, month: '2026-11', category: 'utility', region: 'India', tier: info.tier }
    expect(await tiers()).toEqual([{ ...one, since: new Date(info.tier_update_time * 1_000).toISOString() }])
    expect(await tiers({ from: '2026-11-30', to: '2026-12-01' })).toHaveLength(1)
    expect(await tiers({ from: '2026-12-01', to: '2027-01-01' })).toEqual([])
    expect(await tiers({ from: '2026-10-01', to: '2026-11-01' })).toEqual([])
    expect(await tiers(range, await world.newAccount())).toEqual([])
  })

  test('the newest of each month, market and category is shown; of one that is told twice the earlier time counts', async () => {
    const next = { tier: '50000001:100000000', tier_update_time: info.tier_update_time + 100 }
    await report(next)
    await report()
    // Told again, later than the tier that came after it.
    await report({ tier_update_time: info.tier_update_time + 200 })
    await report({ ...next, tier_update_time: next.tier_update_time - 10 })
    await report({ pricing_category: 'AUTHENTICATION' })
    await report({ region: 'Brazil' })
    await report({ effective_month: '2026-10' })
    const seen = await tiers({ from: '2026-10-01', to: '2026-12-01' })
    expect(seen.map(({ month, category, region, tier }) => [month, category, region, tier])).toEqual([
      ['2026-11', 'authentication', 'India', info.tier],
      ['2026-11', 'utility', 'Brazil', info.tier],
      ['2026-11', 'utility', 'India', next.tier],
      ['2026-10', 'utility', 'India', info.tier],
    ])
    expect(seen[2]?.since).toBe(new Date((next.tier_update_time - 10) * 1_000).toISOString())
  })

  test('a report without one of its parts is no tier', async () => {
    for (const change of [
      { tier: 7 },
      { region: undefined },
      { effective_month: 'November' },
      { tier_update_time: 'soon' },
      { pricing_category: null },
    ]) {
      await report(change)
    }
    expect(await kept()).toEqual([])
  })

  test('come through the sandbox, whose tiers count until there is a number of Meta', async () => {
    const answer = await fetch(new URL('/_sandbox/events', world.sandbox.url), {
      method: 'POST',
      body: JSON.stringify({
        to: world.sandbox.numbers.at(-1)?.phone_number,
        field: 'account_update',
        value: { event, volume_tier_info: info },
      }),
    })
    expect(answer.status).toBe(200)
    await waitFor(async () => (await tiers()).length === 1)
    await saveCloudChannel(world.rt, accountId, 1)
    expect(await tiers()).toEqual([])
  })

  test('are kept as long as the costs', async () => {
    await report({ tier_update_time: Math.floor(world.clock.now() / 1_000) })
    await expireAnalytics(world.rt)
    expect(await kept()).toEqual([info.tier])
    world.clock.advance(38 * 31 * dayMs)
    await expireAnalytics(world.rt)
    expect(await kept()).toEqual([])
  })
})
