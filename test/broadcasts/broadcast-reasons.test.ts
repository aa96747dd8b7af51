import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { changeBroadcast } from '../../server/src/broadcasts/change-broadcast.ts'
import { retainBroadcasts } from '../../server/src/broadcasts/retain-broadcasts.ts'
import { followTimes, pauseAll } from '../../server/src/broadcasts/turn/stop-broadcast.ts'
import { refreshChannel } from '../../server/src/channels/refresh-channel.ts'
import type { BroadcastDraft } from '../../server/src/contract/broadcasts/draft.ts'
import type { Plan } from '../../server/src/contract/plans.ts'
import { scopes } from '../../server/src/contract/scopes.ts'
import { changeAccount } from '../../server/src/installation/account.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../server/src/lib/durations.ts'
import { formatInstant } from '../../server/src/lib/instant.ts'
import type { Gate } from '../../server/src/limits/quota.ts'
import { createGate } from '../../server/src/limits/quota-shared.ts'
import { findOwner } from '../../server/src/store/accounts/users.ts'
import { operation, query } from '../../server/src/store/engine/operation.ts'
import { StoreUnavailable } from '../../server/src/store/engine/store-error.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { broadcastStage, nextPerson, type Stage } from '../support/broadcast-stage.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

const changeChannel = operation({
  name: 'test.change_channel',
  input: { id: 'text', status: 'text' },
  key: ['id'],
  sql: 'update channels set status = rows.status from rows where channels.id = rows.id',
})
const changeKey = operation({
  name: 'test.change_key',
  input: { id: 'text', status: 'text' },
  key: ['id'],
  sql: 'update api_keys set status = rows.status from rows where api_keys.id = rows.id',
})
const recipientRows = query({
  name: 'test.recipient_rows',
  params: { broadcast_id: 'text' },
  returns: { count: 'int' },
  sql: 'select count(*) as count from broadcast_recipients where broadcast_id = :broadcast_id',
})

/** What only concerns the gateway, with a clock of its own. What Meta answers is tried in broadcast-sends.test.ts. */
describe.each(engines)('what stops a broadcast, on %s', (engine) => {
  let world: ChannelWorld
  let gate: Gate

  beforeAll(async () => {
    world = await aChannelWorld(engine)
    world.sandbox.control.setScenario({ throttle: false })
    gate = createGate(world.rt)
  })
  afterAll(() => world.dispose())

  const aStage = (plan: Plan = 'enterprise') => broadcastStage(world, gate, plan)

  type Hold = {
    reason: string
    plan?: Plan
    recipients: number
    fields?: () => Partial<BroadcastDraft>
    begin?(stage: Stage): unknown
    /** How many got it before. */
    before: number
    end?(stage: Stage): unknown
    afterMs: number
  }
  const clockText = (at: number) => formatInstant(at).slice(11, 16)
  const holds: Hold[] = [
    // A fifth of the hundred of an hour is left for sends that do not wait.
    { reason: 'quota', plan: 'free', recipients: 90, before: 80, afterMs: hourMs },
    // A tenth of the ten of a day is left.
    {
      reason: 'messaging_limit',
      recipients: 12,
      begin: (stage) => stage.number('high', 'TIER_10'),
      before: 9,
      afterMs: dayMs + minuteMs,
    },
    {
      reason: 'quiet_hours',
      recipients: 5,
      fields: () => {
        const now = world.clock.now()
        const [from, to] = [clockText(now - 10 * minuteMs), clockText(now + 60 * minuteMs)]
        return { quiet_hours: { from, to, time_zone: 'UTC' } }
      },
      before: 0,
      afterMs: 66 * minuteMs,
    },
    {
      reason: 'channel',
      recipients: 5,
      begin: ({ channel: { channelId: id } }) =>
        world.rt.store.write(unitOf(changeChannel, { id, status: 'auth_failed' })),
      before: 0,
      end: ({ channel: { channelId: id } }) => world.rt.store.write(unitOf(changeChannel, { id, status: 'connected' })),
      afterMs: minuteMs,
    },
    {
      reason: 'account_suspended',
      recipients: 5,
      begin: ({ accountId }) => changeAccount(world.rt, accountId, { status: 'suspended' }, operator),
      before: 0,
      end: ({ accountId }) => changeAccount(world.rt, accountId, { status: 'active' }, operator),
      afterMs: minuteMs,
    },
    {
      reason: 'template_paused',
      recipients: 5,
      begin: (stage) => stage.template('utility', 'paused'),
      before: 0,
      end: (stage) => stage.template('utility', 'approved'),
      afterMs: 6 * minuteMs,
    },
  ]

  test.each(holds)('$reason holds it, and it goes on by itself', async (hold) => {
    const stage = await aStage(hold.plan)
    const id = await stage.create(hold.recipients, hold.fields?.())
    await stage.start(id)
    await hold.begin?.(stage)
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['running', hold.reason, hold.before])
    const { hold_until: until } = await stage.read(id)
    expect(until).toBeGreaterThan(world.clock.now())
    // Still in the way: it looks, tells nobody again, and sends nothing.
    world.clock.advance((until ?? 0) - world.clock.now() - secondMs)
    await stage.turns()
    expect(stage.arrived()).toBe(hold.before)
    await hold.end?.(stage)
    world.clock.advance(Math.max(secondMs, hold.afterMs - ((until ?? 0) - world.clock.now())))
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['completed', null, hold.recipients])
    expect(await stage.told()).toEqual(['created', 'started', `held ${hold.reason}`, 'resumed', 'completed'])
    expect(await stage.counts(id)).toMatchObject({ accepted: hold.recipients, sent: hold.recipients, under_way: 0 })
  })

  const raises: {
    reason: string
    plan?: Plan
    recipients: number
    begin?(stage: Stage): unknown
    raise(stage: Stage): unknown
  }[] = [
    {
      reason: 'quota',
      plan: 'free',
      recipients: 90,
      raise: ({ accountId }) => changeAccount(world.rt, accountId, { plan: 'enterprise' }, operator),
    },
    {
      reason: 'messaging_limit',
      recipients: 12,
      begin: (stage) => stage.number('high', 'TIER_10'),
      raise: ({ accountId, channel }) =>
        refreshChannel(world.rt, { account_id: accountId, subject: channel.channelId }),
    },
  ]

  test.each(raises)(
    '$reason holds it no longer once there is more',
    async ({ reason, plan, recipients, begin, raise }) => {
      const stage = await aStage(plan)
      const id = await stage.create(recipients)
      await stage.start(id)
      await begin?.(stage)
      await stage.turns()
      expect(await stage.stateOf(id)).toEqual(['running', reason])
      await raise(stage)
      // How many were written to is counted once a minute.
      world.clock.advance(minuteMs)
      await stage.turns()
      expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['completed', null, recipients])
    },
  )

  test('a group whose people sleep waits, and the others do not', async () => {
    const stage = await aStage()
    const now = world.clock.now()
    const inLisbon = (at: number) => clockText(at + hoursAhead('Europe/Lisbon', at) * hourMs)
    const quiet_hours = { from: inLisbon(now - minuteMs), to: inLisbon(now + hourMs), time_zone: 'recipient' }
    const recipients = ['Europe/Lisbon', 'Asia/Tokyo', 'Europe/Lisbon', 'Asia/Tokyo'].map((time_zone) => ({
      to: nextPerson(),
      time_zone,
    }))
    const id = await stage.create(0, { recipients, quiet_hours })
    await stage.start(id)
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['running', 'quiet_hours', 2])
    world.clock.advance(hourMs + 6 * minuteMs)
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['completed', null, 4])
  })

  test('quiet hours that are changed hold nobody any longer', async () => {
    const stage = await aStage()
    const now = world.clock.now()
    const quiet = (from: number, to: number) => ({
      quiet_hours: { from: clockText(now + from), to: clockText(now + to), time_zone: 'UTC' },
    })
    const change = (changes: object) => changeBroadcast(world.rt, stage.owner, id, changes, stage.author)
    const id = await stage.create(4, { ...quiet(-hourMs, 8 * hourMs), max_per_second: 1 })
    await stage.start(id)
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['running', 'quiet_hours', 0])
    // Still quiet, but not for so long.
    await change(quiet(-hourMs, hourMs))
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['running', 'quiet_hours', 0])
    world.clock.advance(hourMs + 6 * minuteMs)
    await stage.turns(1)
    expect((await stage.stateOf(id))[1]).toBeNull()
    await change({ quiet_hours: null })
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['completed', null, 4])
  })

  type Pause = {
    reason: string
    cause(stage: Stage): unknown
    before?(stage: Stage): unknown
    cure?(stage: Stage): unknown
  }
  const pauses: Pause[] = [
    { reason: 'template_changed', cause: (stage) => stage.template('marketing', 'approved') },
    {
      reason: 'template_rejected',
      cause: (stage) => stage.template('utility', 'disabled'),
      cure: (stage) => stage.template('utility', 'approved'),
    },
    {
      reason: 'quality_low',
      before: (stage) => stage.number('high', 'TIER_UNLIMITED'),
      cause: (stage) => stage.number('low', 'TIER_UNLIMITED'),
    },
    {
      reason: 'key_revoked',
      before: async (stage) => {
        const { accountId } = stage
        const [owner] = await world.rt.store.read(findOwner, { account_id: accountId })
        const createdBy = owner?.id ?? ''
        const { row } = await createKey(world.rt, { accountId, name: 'Sender', scopes, createdBy, actor: operator })
        stage.owner.keyId = row.id
      },
      cause: async (stage) => {
        await world.rt.store.write(unitOf(changeKey, { id: stage.owner.keyId ?? '', status: 'revoked' }))
        // A person goes on with it.
        stage.owner.keyId = null
      },
    },
    { reason: 'restored', cause: () => pauseAll(world.rt) },
  ]

  test.each(pauses)('$reason pauses it until a person goes on', async ({ reason, before, cause, cure }) => {
    const stage = await aStage()
    await before?.(stage)
    const id = await stage.create(10, { max_per_second: 1 })
    await stage.start(id)
    await stage.turns(20)
    const some = stage.arrived()
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan(10)
    await cause(stage)
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['paused', reason, some])
    world.clock.advance(hourMs)
    await stage.turns()
    expect(stage.arrived()).toBe(some)
    await cure?.(stage)
    await stage.resume(id)
    await stage.turns()
    expect([...(await stage.stateOf(id)), stage.arrived()]).toEqual(['completed', null, 10])
    expect(await stage.told()).toEqual(['created', 'started', `paused ${reason}`, 'resumed', 'completed'])
  })

  test.each([
    [131_026, 'recipient_unreachable', 'paused', 'too_many_failures'],
    // About each one alone: the others may well want it.
    [131_049, 'recipient_marketing_limited', 'completed', null],
  ])('the error %i for everybody (%s) leaves it %s', async (code, _name, status, reason) => {
    const stage = await aStage()
    const { id: rule } = world.sandbox.control.addRule({
      when: { endpoint: 'messages', phone_number_id: stage.channel.phoneNumberId },
      do: { error: { code } },
    })
    const id = await stage.create(250)
    await stage.start(id)
    await stage.turns()
    world.sandbox.control.removeRule(rule)
    expect(await stage.stateOf(id)).toEqual([status, reason])
    const counts = await stage.counts(id)
    expect(counts.failed).toBeGreaterThan(100)
    expect(counts.failed + counts.waiting).toBe(250)
    expect(counts.waiting > 0).toBe(status === 'paused')
  })

  test('a planned start is kept to the second, can be taken back, and is not made after a restore', async () => {
    const stage = await aStage()
    const [one, two, three] = [await stage.create(1), await stage.create(1), await stage.create(1)]
    const start_at = formatInstant(world.clock.now() + hourMs)
    for (const id of [one, two, three]) await stage.start(id, { start_at })
    await stage.pause(two)
    expect(await stage.stateOf(two)).toEqual(['draft', null])
    world.clock.advance(hourMs - secondMs)
    await followTimes(world.rt)
    await stage.turns()
    expect([...(await stage.stateOf(one)), stage.arrived()]).toEqual(['scheduled', null, 0])
    await stage.cancel(three)
    world.clock.advance(secondMs)
    await followTimes(world.rt)
    await stage.turns()
    expect(await stage.stateOf(one)).toEqual(['completed', null])
    expect(await stage.stateOf(three)).toEqual(['canceled', null])
    expect(stage.arrived()).toBe(1)
    const later = await stage.create(1)
    await stage.start(later, { start_at: formatInstant(world.clock.now() + hourMs) })
    await pauseAll(world.rt)
    world.clock.advance(2 * hourMs)
    await followTimes(world.rt)
    await stage.turns()
    expect(await stage.stateOf(later)).toEqual(['paused', 'restored'])
    expect(stage.arrived()).toBe(1)
  })

  test('a start of which the database says nothing has started, and is not made again', async () => {
    const { rt } = world
    let isLost = false
    const write: typeof rt.store.write = async (unit) => {
      const result = await rt.store.write(unit)
      const rows = unit.calls.flatMap((call) => call.rows)
      if (isLost || !rows.some(({ status, valid_for }) => status === 'running' && valid_for !== undefined))
        return result
      isLost = true
      throw new StoreUnavailable('unknown', new Error('The connection was lost.'))
    }
    const stage = await broadcastStage({ ...world, rt: { ...rt, store: { ...rt.store, write } } }, gate)
    const id = await stage.create(3, { start: true })
    expect(await stage.stateOf(id)).toEqual(['running', null])
    await stage.turns()
    expect([isLost, await stage.stateOf(id), stage.arrived()]).toEqual([true, ['completed', null], 3])
  })

  test('who has had no turn when it ends has expired, also where it was paused', async () => {
    const stage = await aStage()
    const id = await stage.create(10, { max_per_second: 1, valid_for: 600 })
    await stage.start(id)
    await stage.turns(20)
    const sent = stage.arrived()
    await stage.pause(id)
    world.clock.advance(601 * secondMs)
    await followTimes(world.rt)
    await stage.turns()
    expect(await stage.stateOf(id)).toEqual(['completed', null])
    expect(await stage.counts(id)).toMatchObject({ accepted: 10, sent, expired: 10 - sent, waiting: 0, under_way: 0 })
    expect(stage.arrived()).toBe(sent)
  })

  test('recipients go as message contents do, sums with the metadata, and a draft that nobody touches whole', async () => {
    const stage = await aStage()
    const { rt, clock } = world
    const [done, draft] = [await stage.create(3), await stage.create(2)]
    await stage.start(done)
    await stage.turns()
    const rows = async (id: string) => (await rt.store.read(recipientRows, { broadcast_id: id }))[0]?.count
    const retain = async () => {
      while ((await retainBroadcasts(rt)) !== 'done');
      await retainBroadcasts(rt)
    }
    clock.advance(rt.config.retentionContentDays * dayMs - hourMs)
    await retain()
    expect([await rows(done), await rows(draft)]).toEqual([3, 2])
    clock.advance(2 * hourMs)
    await retain()
    expect([await rows(done), await rows(draft)]).toEqual([0, 0])
    expect(await stage.counts(done)).toMatchObject({ accepted: 3, sent: 3 })
    await expect(stage.read(draft)).rejects.toThrow('gone')
    clock.advance((rt.config.retentionMetadataDays - rt.config.retentionContentDays) * dayMs)
    await retain()
    await expect(stage.read(done)).rejects.toThrow('gone')
  })
})

function hoursAhead(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  const ahead = Number(format.format(at)) - new Date(at).getUTCHours()
  return ahead > 12 ? ahead - 24 : ahead < -12 ? ahead + 24 : ahead
}
