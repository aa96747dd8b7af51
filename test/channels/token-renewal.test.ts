import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { listChannels } from '../../server/src/channels/channel-record.ts'
import { refreshChannel } from '../../server/src/channels/refresh-channel.ts'
import { requireNumber } from '../../server/src/channels/require-number.ts'
import { disconnectChannel } from '../../server/src/connect/console-channels.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { findToldStates } from '../../server/src/store/channels/told-states.ts'
import { aChannelWorld, type ChannelWorld, type Connected } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

describe.each(engines)('the token of a channel on %s', (engine) => {
  let world: ChannelWorld
  beforeAll(async () => {
    world = await aChannelWorld(engine)
  })
  afterAll(() => world.dispose())

  async function endingIn(days: number) {
    const accountId = await world.newAccount()
    const channel = await world.connect(accountId)
    const ends = world.clock.now() + days * dayMs
    world.sandbox.control.updateNumber(channel.phoneNumberId, { token_expires_at: new Date(ends).toISOString() })
    const tokenNow = async () => (await requireNumber(world.rt, accountId)).credentials.accessToken
    return { accountId, channel, ends, tokenNow, before: await tokenNow() }
  }
  const refresh = (accountId: string, { channelId }: Connected) =>
    refreshChannel(world.rt, { account_id: accountId, subject: channelId })
  const expiryOf = async (accountId: string) =>
    Date.parse((await listChannels(world.rt, accountId))[0]?.token_expires_at ?? '')

  test('is renewed within its last 30 days, and the new one sends', async () => {
    const { accountId, channel, ends, tokenNow, before } = await endingIn(40)
    await refresh(accountId, channel)
    expect(await tokenNow()).toBe(before)
    world.clock.advance(11 * dayMs)
    await refresh(accountId, channel)
    expect(await tokenNow()).not.toBe(before)
    expect(await expiryOf(accountId)).toBeGreaterThan(ends)
    await refresh(accountId, channel)
    expect((await listChannels(world.rt, accountId))[0]?.status).toBe('connected')
  })

  test('is asked for once a day where Meta refuses, and stays as it is', async () => {
    const { accountId, channel, ends, tokenNow, before } = await endingIn(20)
    const refused = { error: { code: 10 } }
    const { id } = world.sandbox.control.addRule({ when: { endpoint: 'access_token' }, do: refused, count: 100 })
    await refresh(accountId, channel)
    expect([await tokenNow(), await expiryOf(accountId)]).toEqual([before, Math.floor(ends / 1_000) * 1_000])
    expect(world.logLines.filter((line) => line.includes('channel.token_not_renewed'))).toHaveLength(1)
    await refresh(accountId, channel)
    expect(world.logLines.filter((line) => line.includes('channel.token_not_renewed'))).toHaveLength(1)
    world.sandbox.control.removeRule(id)
    await refresh(accountId, channel)
    expect(await tokenNow()).toBe(before)
    world.clock.advance(dayMs)
    await refresh(accountId, channel)
    expect(await tokenNow()).not.toBe(before)
    // What was told of a channel goes with it.
    const told = (subject: string) => world.rt.store.read(findToldStates, { subject })
    expect(await told(channel.channelId)).not.toEqual([])
    await disconnectChannel(world.rt, { accountId, channelId: channel.channelId, actor: operator })
    expect([await told(channel.channelId), await told(channel.numberId)]).toEqual([[], []])
  })
})
