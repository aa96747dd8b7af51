import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Member } from '../../server/src/access/console-member.ts'
import type { ChannelRecord } from '../../server/src/channels/channel-record.ts'
import { recordHealth } from '../../server/src/channels/check/check-health.ts'
import { tellNumber, tellToken } from '../../server/src/channels/operator-news.ts'
import { openRow } from '../../server/src/channels/require-number.ts'
import { noteTokenRefused } from '../../server/src/channels/token.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { needsAttention } from '../../server/src/overview/needs-attention.ts'
import { findChannel } from '../../server/src/store/channels/channels.ts'
import { connectedNumbers } from '../../server/src/store/channels/numbers.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import {
  type CallbackApplier,
  callbackHandlers,
  startCallbackApplier,
} from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, type ChannelWorld, type Connected, eventBody } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

const eventsIn = query({
  name: 'test.operator_events',
  params: { account_id: 'text' },
  returns: { type: 'text', body: 'text' },
  sql: 'select type, body from events where account_id = :account_id order by seq',
})

describe.each(engines)('what an operator must act on, on %s', (engine) => {
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

  const events = async () =>
    (await world.rt.store.read(eventsIn, { account_id: accountId })).map(({ type, body }) => ({
      type,
      ...(JSON.parse(body).data as Record<string, unknown>),
    }))
  const owner = () => ({ id: channel.channelId, accountId, wabaId: channel.wabaId })
  let time = 1_763_200_000
  const say = async (value: object, field = 'account_update', at = ++time) => {
    expect((await world.post(channel, eventBody(channel, field, value, at))).status).toBe(200)
    await waitFor(async () => {
      const [{ stored, applied } = { stored: 0, applied: -1 }] = await world.rt.store.read(countCallbacks, {})
      return stored === applied
    })
  }
  const health = {
    phone_number: '+15550100001',
    display_name: 'Acme',
    status: 'CONNECTED',
    quality: 'high',
    sends_per_second: 80,
    messaging_limit: 'TIER_250',
  }

  test('a number: each change is told once, the first look never', async () => {
    const look = (change: Partial<typeof health> = {}) =>
      tellNumber(world.rt, accountId, channel.numberId, { ...health, ...change })
    await look()
    await look()
    expect(await events()).toEqual([])
    await Promise.all([look({ quality: 'low' }), look({ quality: 'low' })])
    await look({ quality: 'low', messaging_limit: 'TIER_2K', sends_per_second: 1_000, display_name: 'Acme Shop' })
    const about = { phone_number: '+15550100001', number_id: channel.numberId }
    expect(await events()).toMatchObject([
      { type: 'number.quality_changed', ...about, quality: 'low', previous: 'high' },
      { type: 'number.limit_changed', ...about, messaging_limit: 'TIER_2K', previous: 'TIER_250' },
      { type: 'number.name_changed', ...about, display_name: 'Acme Shop', previous: 'Acme' },
      { type: 'number.throughput_changed', ...about, sends_per_second: 1_000, previous: 80 },
    ])
  })

  test('a number: what changed is a notice of the console for three days, the first look never', async () => {
    const look = (change: Partial<typeof health> = {}) =>
      tellNumber(world.rt, accountId, channel.numberId, { ...health, ...change })
    const number = { id: channel.numberId, phone_number: health.phone_number, quality: 'high' }
    const state = { id: channel.channelId, status: 'connected', steps: [], checked_at: null, token_expires_at: null }
    const channels = [{ ...state, numbers: [number] } as unknown as ChannelRecord]
    const member = { accountId, role: 'owner', plan: 'free' } as Member
    const notices = async (known = channels) =>
      (await needsAttention(world.rt, member, { channels: known, failures: [], refusals: [] })).map(
        ({ tone, text, detail, to }) => [tone, text, detail, to],
      )
    await look({ messaging_limit: 'TIER_UNLIMITED' })
    expect(await notices()).toEqual([])
    await look({ quality: 'medium', messaging_limit: 'TIER_10K', sends_per_second: 1_000, display_name: 'Acme Shop' })
    const [connected] = await world.rt.store.read(connectedNumbers, { account_id: accountId })
    const display_phone_number = connected?.phone_number.slice(1)
    await say({ display_phone_number, username: 'acme', status: 'approved' }, 'business_username_updates')
    const to = `/number/${channel.numberId}`
    const [quality, limit] = [
      'Meta rates the quality of +15550100001 medium (was high).',
      '+15550100001 may start conversations with 10,000 customers a day (was any number of customers a day).',
    ]
    expect((await notices()).sort()).toEqual([
      ['info', '+15550100001 may send 1,000 messages a second (was 80).', null, to],
      ['info', 'Customers find +15550100001 by the username acme.', null, to],
      ['info', 'The display name of +15550100001 is Acme Shop (was Acme).', null, to],
      ['warn', limit, null, to],
      ['warn', quality, null, to],
    ])
    expect(await notices([])).toEqual([])
    await say({ display_phone_number, status: 'deleted', context: 'revoked' }, 'business_username_updates')
    expect(await notices()).toContainEqual(['warn', '+15550100001 has no username any more.', 'Meta took it back.', to])
    world.clock.advance(3 * dayMs + 1)
    expect(await notices()).toEqual([])
  })

  test('a number: what a check finds is told', async () => {
    const [row] = await world.rt.store.read(findChannel, { account_id: accountId, id: channel.channelId })
    const open = row && openRow(world.rt, row)
    if (!open) throw new Error('The channel is connected.')
    const report = (quality: string) =>
      recordHealth(world.rt, open, {
        token: null,
        business: null,
        numbers: [{ id: channel.numberId, health: { ...health, quality } }],
      })
    await report('high')
    await report('medium')
    expect(await events()).toMatchObject([{ type: 'number.quality_changed', quality: 'medium', previous: 'high' }])
  })

  test('a token: its end is told two weeks before and once, its loss once, its return once', async () => {
    const now = world.clock.now()
    const facts = (days: number) => ({ valid: true, expiresAt: now + days * dayMs })
    await tellToken(world.rt, owner(), facts(15))
    expect(await events()).toEqual([])
    await tellToken(world.rt, owner(), facts(13))
    await tellToken(world.rt, owner(), facts(13))
    await noteTokenRefused(world.rt, channel.channelId)
    await noteTokenRefused(world.rt, channel.channelId)
    await tellToken(world.rt, owner(), { valid: true, expiresAt: null })
    expect(await events()).toMatchObject([
      {
        type: 'channel.token_expiring',
        channel_id: channel.channelId,
        expires_at: new Date(now + 13 * dayMs).toISOString(),
      },
      { type: 'channel.token_lost', waba_id: channel.wabaId },
      { type: 'channel.reconnected', cause: 'token' },
    ])
  })

  test.each([
    [
      { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' }, phone_number: '15550100001' },
      { type: 'account.warned', reason: 'SPAM', phone_number: '+15550100001' },
    ],
    [
      {
        event: 'ACCOUNT_RESTRICTION',
        violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE' },
        restriction_info: [{ restriction_type: 'RESTRICTED_UTILITY_TEMPLATES', expiration: 1_763_800_000 }],
      },
      {
        type: 'account.restricted',
        phone_number: null,
        reason: 'UTILITY_TEMPLATE_ABUSE',
        restrictions: [{ type: 'RESTRICTED_UTILITY_TEMPLATES', expires_at: '2025-11-22T08:26:40.000Z' }],
      },
    ],
    [
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: '2026-12-01' } },
      { type: 'account.warned', reason: 'SCHEDULE_FOR_DISABLE' },
    ],
    [
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: ['DISABLE'], waba_ban_date: '2026-12-01' } },
      { type: 'account.restricted', reason: 'DISABLE' },
    ],
    [
      { event: 'PARTNER_REMOVED', disconnection_info: { reason: 'PRIMARY_INACTIVITY', initiated_by: 'SYSTEM' } },
      { type: 'channel.disconnected', reason: 'PRIMARY_INACTIVITY', initiated_by: 'SYSTEM' },
    ],
    [
      { event: 'ACCOUNT_OFFBOARDED' },
      { type: 'channel.disconnected', reason: 'ACCOUNT_OFFBOARDED', initiated_by: null },
    ],
  ])('%j is told, once', async (value, expected) => {
    const at = ++time
    await say(value, 'account_update', at)
    await say({ ...value, country: 'PT' }, 'account_update', at)
    expect(await events()).toMatchObject([{ ...expected, channel_id: channel.channelId, waba_id: channel.wabaId }])
  })

  test('a restriction that is lifted, and a connection that is back, are told where they were lost', async () => {
    const lifted = { event: 'ACCOUNT_RESTRICTION', violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE_UNBAN' } }
    await say(lifted)
    await say({ event: 'ACCOUNT_RECONNECTED' })
    expect(await events()).toEqual([])
    await say({ event: 'ACCOUNT_RESTRICTION', violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE' } })
    await say(lifted)
    await say(lifted)
    await say({ event: 'PARTNER_REMOVED' })
    await say({ event: 'ACCOUNT_RECONNECTED' })
    expect((await events()).map(({ type }) => type)).toEqual([
      'account.restricted',
      'account.restored',
      'channel.disconnected',
      'channel.reconnected',
    ])
  })

  test('a username: approved, changed and taken away, each once', async () => {
    const [number] = await world.rt.store.read(connectedNumbers, { account_id: accountId })
    const phone = number?.phone_number ?? ''
    const tell = (value: object) => say({ display_phone_number: phone.slice(1), ...value }, 'business_username_updates')
    await tell({ username: 'acme', status: 'reserved' })
    await tell({ username: 'acme', status: 'reserved' })
    await tell({ username: 'acme.shop', status: 'approved' })
    await tell({ status: 'deleted', context: 'revoked' })
    await say(
      { display_phone_number: '15550999999', username: 'other', status: 'approved' },
      'business_username_updates',
    )
    const about = { type: 'number.username_changed', phone_number: phone, number_id: channel.numberId }
    expect(await events()).toMatchObject([
      { ...about, username: 'acme', state: 'reserved', revoked: false, previous: null },
      { ...about, username: 'acme.shop', state: 'approved', revoked: false, previous: 'acme' },
      { ...about, username: null, state: 'deleted', revoked: true, previous: 'acme.shop' },
    ])
  })

  test('prices, approvals and terms are told to nobody, and are no warning in the log', async () => {
    for (const event of ['VOLUME_BASED_PRICING_TIER_UPDATE', 'MM_LITE_TERMS_SIGNED', 'AD_ACCOUNT_LINKED'])
      await say({ event })
    expect(await events()).toEqual([])
  })
})
