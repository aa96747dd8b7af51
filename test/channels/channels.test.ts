import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Member } from '../../server/src/access/console-member.ts'
import { operator, verifyAudit } from '../../server/src/audit/audit.ts'
import { listChannels, listNumbers } from '../../server/src/channels/channel-record.ts'
import { refusedToken } from '../../server/src/channels/check/check-access.ts'
import { checkChannel } from '../../server/src/channels/check/check-channel.ts'
import { recordHealth } from '../../server/src/channels/check/check-health.ts'
import { ok } from '../../server/src/channels/check/check-step.ts'
import { channelReadiness } from '../../server/src/channels/check/readiness.ts'
import { refreshChannel } from '../../server/src/channels/refresh-channel.ts'
import { openRow, requireNumber } from '../../server/src/channels/require-number.ts'
import { setDefaultNumber } from '../../server/src/channels/save-channel.ts'
import { noteTokenRefused } from '../../server/src/channels/token.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { disconnectChannel } from '../../server/src/connect/console-channels.ts'
import type { AppError } from '../../server/src/contract/app-error.ts'
import { describeHome } from '../../server/src/overview/describe-home.ts'
import { createOpenChannels } from '../../server/src/process-memory.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { findChannel } from '../../server/src/store/channels/channels.ts'
import type { Touched } from '../../server/src/store/engine/topics.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

const outcomes = (steps: readonly { name: string; status: string }[]) =>
  Object.fromEntries(steps.map(({ name, status }) => [name, status]))
const allOk = {
  address: 'ok',
  token: 'ok',
  permissions: 'ok',
  app_secret: 'ok',
  number: 'ok',
  app_callback: 'ok',
  subscription: 'ok',
  callback: 'ok',
  read_back: 'ok',
  number_callback: 'ok',
  health: 'ok',
}
/** A check that changes nothing has nothing to read back, and says who else replies. */
const { read_back: _, ...connectedOk } = allOk
const checkedOk = { ...connectedOk, responders: 'ok' }

describe.each(engines)('channels on %s', (engine) => {
  let world: ChannelWorld
  beforeAll(async () => {
    world = await aChannelWorld(engine)
  })
  afterAll(() => world.dispose())

  /** What a person would copy from the platform's pages, of a fresh sandbox number. */
  function credentials(over: { waba_id?: string; registered?: boolean; approved?: boolean; pin?: string } = {}) {
    const number = world.sandbox.control.createNumber({ approved: true, ...over })
    return {
      kind: 'cloud' as const,
      wabaId: number.waba_id,
      phoneNumberId: number.phone_number_id,
      accessToken: number.access_token,
      appSecret: number.app_secret,
      baseUrl: world.sandbox.url,
      actor: operator,
    }
  }

  test('connect a sandbox number step by step, the callback verified by the platform itself', async () => {
    const accountId = await world.newAccount()
    const { ok, steps, channel } = await world.connect(accountId)
    expect(outcomes(steps)).toEqual(allOk)
    expect(ok).toBe(true)
    expect(channel).toMatchObject({ kind: 'sandbox', status: 'connected', business_verified: true })
    expect(channel?.callback_url).toMatch(/\/channel\/[0-9a-f]{32}\/callback$/)
    expect(channel?.numbers).toMatchObject([{ status: 'CONNECTED', quality: 'high', default: true }])
  })

  test('are checked the same way whether the platform is the sandbox or the real one', async () => {
    const accountId = await world.newAccount()
    const result = await connectChannel(world.rt, { accountId, ...credentials() })
    expect(outcomes(result.steps)).toEqual(allOk)
    expect(result.channel?.kind).toBe('cloud')
  })

  test('of a new account connect, and say which reviews of Meta are missing', async () => {
    const accountId = await world.newAccount()
    const result = await connectChannel(world.rt, { accountId, ...credentials({ approved: false }) })
    expect(outcomes(result.steps)).toEqual({ ...allOk, health: 'warning' })
    expect(result.steps.find(({ name }) => name === 'health')).toMatchObject({
      sentence: expect.stringContaining('display name is not approved yet'),
    })
    expect(result.channel?.kind).toBe('cloud')
  })

  test('give the number to send from: the default, one by phone number, or one by id', async () => {
    const accountId = await world.newAccount()
    const first = await world.connect(accountId)
    const second = await world.connect(accountId)
    const byDefault = await requireNumber(world.rt, accountId)
    expect(byDefault).toMatchObject({ id: first.numberId, kind: 'sandbox', sendsPerSecond: 80, businessVerified: true })
    expect(byDefault.credentials).toMatchObject({ phoneNumberId: first.phoneNumberId, baseUrl: world.sandbox.url })
    const [, other] = await listNumbers(world.rt, accountId)
    expect((await requireNumber(world.rt, accountId, { from: other?.phone_number ?? '' })).id).toBe(second.numberId)
    expect((await requireNumber(world.rt, accountId, { from: second.numberId })).id).toBe(second.numberId)
    const narrow = await requireNumber(world.rt, accountId, { allowedIds: [second.numberId] })
    expect(narrow.id).toBe(second.numberId)
  })

  test('refuse an unknown sender, a foreign one, and an account without channel, each with its own code', async () => {
    const [accountId, otherId] = [await world.newAccount(), await world.newAccount()]
    const own = await world.connect(accountId)
    const foreign = await world.connect(otherId)
    const code = async (promise: Promise<unknown>) =>
      promise.then(
        () => 'none',
        (error: AppError) => error.code,
      )
    expect(await code(requireNumber(world.rt, accountId, { from: '+15550009999' }))).toBe('validation_failed')
    expect(await code(requireNumber(world.rt, accountId, { from: foreign.numberId }))).toBe('validation_failed')
    const limited = { from: own.numberId, allowedIds: [foreign.numberId] }
    expect(await code(requireNumber(world.rt, accountId, limited))).toBe('channel_not_connected')
    expect(await code(requireNumber(world.rt, await world.newAccount()))).toBe('channel_not_connected')
  })

  test('keep their default when another is preferred and leaves again', async () => {
    const accountId = await world.newAccount()
    const first = await world.connect(accountId)
    world.clock.advance(1_000)
    const second = await world.connect(accountId)
    const prefer = (numberId: string) => setDefaultNumber(world.rt, { accountId, numberId, actor: operator })
    expect(await prefer(second.numberId)).toBe(true)
    expect((await requireNumber(world.rt, accountId)).id).toBe(second.numberId)
    expect(await prefer('pn_unknown')).toBe(false)
    await disconnectChannel(world.rt, { accountId, channelId: second.channelId, actor: operator })
    expect((await requireNumber(world.rt, accountId)).id).toBe(first.numberId)
  })

  test('say in the shape of the contract whether an account can send', async () => {
    const accountId = await world.newAccount()
    const empty = { connected: false, business_verified: false, phone_numbers: [] }
    expect(await channelReadiness(world.rt, accountId)).toEqual(empty)
    const { numberId } = await world.connect(accountId)
    const { connected, business_verified, phone_numbers } = await channelReadiness(world.rt, accountId)
    expect({ connected, business_verified }).toEqual({ connected: true, business_verified: true })
    expect(phone_numbers).toEqual([
      {
        id: numberId,
        phone_number: expect.stringMatching(/^\+1555010\d{4}$/),
        display_name: 'Sandbox Business',
        quality: 'high',
        status: 'connected',
        default: true,
      },
    ])
  })

  test('keep no credential in the database that can be read without the master key', async () => {
    const accountId = await world.newAccount()
    const request = credentials()
    const { channel } = await connectChannel(world.rt, { accountId, ...request })
    const [row] = await world.rt.store.read(findChannel, { account_id: accountId, id: channel?.id ?? '' })
    const stored = JSON.stringify(row)
    expect(row?.access_token).toBeTruthy()
    for (const secret of [request.accessToken, request.appSecret]) {
      expect(stored).not.toContain(secret)
      expect(JSON.stringify(channel)).not.toContain(secret)
      expect(world.logLines.join('')).not.toContain(secret)
    }
    const { rt } = world
    const moved = `${accountId}\nchn_other\naccess_token`
    expect(() => rt.secrets.open('channel', moved, row?.access_token ?? '')).toThrow()
  })

  describe('store nothing and say what is wrong', () => {
    test('when the token is not one of the platform', async () => {
      const accountId = await world.newAccount()
      const result = await connectChannel(world.rt, { accountId, ...credentials(), accessToken: 'EAAnonsense123456' })
      expect(outcomes(result.steps)).toMatchObject({ token: 'failed', permissions: 'skipped', number: 'skipped' })
      expect(result.steps.find(({ name }) => name === 'token')?.fix).toContain('system user token')
      expect(JSON.stringify(result.steps)).not.toContain('EAAnonsense')
      expect([result.channel, await listChannels(world.rt, accountId)]).toEqual([null, []])
    })

    test('when the app secret belongs to another app', async () => {
      const accountId = await world.newAccount()
      const result = await connectChannel(world.rt, { accountId, ...credentials(), appSecret: 'f'.repeat(32) })
      expect(outcomes(result.steps)).toMatchObject({ token: 'warning', permissions: 'skipped', app_secret: 'failed' })
      expect(await listChannels(world.rt, accountId)).toEqual([])
    })

    test('when the number is not registered, and connect it once the PIN is given', async () => {
      const accountId = await world.newAccount()
      const request = { accountId, ...credentials() }
      world.sandbox.control.updateNumber(request.phoneNumberId, { status: 'DISCONNECTED' })
      const first = await connectChannel(world.rt, request)
      expect(first.steps.find(({ name }) => name === 'number')).toMatchObject({
        status: 'failed',
        fix: expect.stringContaining('POSTERN_CHANNEL_PIN'),
      })
      expect(first.channel).toBeNull()
      const second = await connectChannel(world.rt, { ...request, pin: '123456' })
      expect(outcomes(second.steps)).toEqual(allOk)
    })

    test.each([
      [133010, 'channel_number_not_registered', 'not registered with the Cloud API', 'POSTERN_CHANNEL_PIN'],
      [133005, 'channel_pin_rejected', 'the two-step verification PIN is wrong', 'two-step verification'],
      [133006, 'channel_number_not_verified', 'verified again', 'by SMS or call'],
      [10, 'channel_permission_missing', 'lacks a permission', 'whatsapp_business_management'],
      [3, 'channel_permission_missing', 'lacks a permission', 'whatsapp_business_management'],
      [210, 'channel_permission_missing', 'lacks a permission', 'whatsapp_business_management'],
      [131005, 'channel_permission_missing', 'lacks a permission', 'whatsapp_business_management'],
      [131037, 'channel_display_name_needed', 'display name', 'WhatsApp Manager'],
      [131042, 'channel_payment_missing', 'payment method', 'payment method'],
      [131031, 'channel_account_restricted', 'locked or restricted', 'Account quality'],
      [368, 'channel_account_restricted', 'locked or restricted', 'Account quality'],
    ])('when Meta answers %i, with its own code, sentence and cure', async (platformCode, code, reason, cure) => {
      const accountId = await world.newAccount()
      const request = { accountId, ...credentials(), appId: world.sandbox.numbers.at(-1)?.app_id ?? '' }
      const rule = { when: { endpoint: 'phone_number' }, do: { error: { code: platformCode } } }
      world.sandbox.control.setScenario({ rules: [rule] })
      const result = await connectChannel(world.rt, request).finally(() => world.sandbox.control.setScenario({}))
      expect(result.steps.find(({ name }) => name === 'number')).toMatchObject({
        status: 'failed',
        code,
        sentence: expect.stringContaining(`${reason}`),
        fix: expect.stringContaining(cure),
      })
      expect(await listChannels(world.rt, accountId)).toEqual([])
    })

    test('when the platform cannot be reached', async () => {
      const accountId = await world.newAccount()
      const result = await connectChannel(world.rt, { accountId, ...credentials(), baseUrl: 'http://127.0.0.1:9' })
      const token = result.steps.find(({ name }) => name === 'token')
      expect(token).toMatchObject({ status: 'failed', sentence: expect.stringContaining('not be reached') })
    })
  })

  test('can send but have no callbacks when only their address is not reachable, and are connected once it is fixed', async () => {
    const accountId = await world.newAccount()
    world.setUrls({ base: 'http://127.0.0.1:9' })
    const result = await connectChannel(world.rt, { accountId, ...credentials() }).finally(() => {
      world.setUrls({ base: world.baseUrl })
    })
    const unreachable = { app_callback: 'failed', callback: 'failed' }
    expect(outcomes(result.steps)).toEqual({ ...allOk, ...unreachable, read_back: 'skipped' })
    const channelId = result.channel?.id ?? ''
    const state = async () => [
      (await listChannels(world.rt, accountId))[0]?.status,
      (await channelReadiness(world.rt, accountId)).phone_numbers[0]?.status,
    ]
    expect(result.channel?.status).toBe('no_callbacks')
    expect(await state()).toEqual(['no_callbacks', 'no_callbacks'])
    expect((await channelReadiness(world.rt, accountId)).connected).toBe(true)
    const member = { accountId, role: 'owner', plan: 'free' } as Member
    expect((await describeHome(world.rt, member)).attention[0]).toMatchObject({
      tone: 'error',
      text: expect.stringMatching(/^Statuses and incoming messages do not arrive: /),
    })
    const check = await checkChannel(world.rt, accountId, channelId)
    expect(outcomes(check?.steps ?? [])).toEqual({ ...checkedOk, ...unreachable })
    expect(check?.channel.status).toBe('no_callbacks')
    const repaired = await checkChannel(world.rt, accountId, channelId, { repair: true })
    expect(outcomes(repaired?.steps ?? [])).toEqual({ ...allOk, responders: 'ok' })
    expect(await state()).toEqual(['connected', 'connected'])
    expect((await checkChannel(world.rt, accountId, channelId))?.ok).toBe(true)
  })

  test('are registered again with a PIN, and stay connected when Meta refuses it', async () => {
    const request = { accountId: await world.newAccount(), ...credentials({ pin: '654321' }) }
    world.sandbox.control.updateNumber(request.phoneNumberId, { quality_rating: 'RED' })
    const connect = async (pin: string) => {
      const { channel, steps } = await connectChannel(world.rt, { ...request, pin })
      expect(channel?.numbers).toMatchObject([{ status: 'CONNECTED', quality: 'low' }])
      return steps.find(({ name }) => name === 'number')
    }
    expect(await connect('123456')).toMatchObject({ status: 'warning', code: 'channel_pin_rejected' })
    expect(await connect('654321')).toMatchObject({ status: 'ok' })
  })

  test('use the version of the settings after a restart, and keep their address; a sandbox names its own', async () => {
    const accountId = await world.newAccount()
    const cloud = await connectChannel(world.rt, { accountId, ...credentials() })
    const sandbox = await world.connect(accountId)
    const versions = async (rt: Runtime) => {
      const versionOf = async (from: string | null) => {
        const { graphVersion, baseUrl } = (await requireNumber(rt, accountId, { from })).credentials
        expect(baseUrl).toBe(world.sandbox.url)
        return graphVersion
      }
      return [await versionOf(cloud.numberId), await versionOf(sandbox.numberId)]
    }
    const [current, own] = await versions(world.rt)
    expect(current).toBe(world.rt.config.channelGraphVersion)
    const config = { ...world.rt.config, channelGraphVersion: 'v99.0' }
    expect(await versions({ ...world.rt, config, openChannels: createOpenChannels() })).toEqual(['v99.0', own])
  })

  test('stay as they are when they are only looked at', async () => {
    const accountId = await world.newAccount()
    const { channelId } = await world.connect(accountId)
    const before = await world.rt.store.read(findChannel, { account_id: accountId, id: channelId })
    world.clock.advance(1_000)
    world.setUrls({ base: 'http://127.0.0.1:9' })
    const look = await checkChannel(world.rt, accountId, channelId, { record: false }).finally(() => {
      world.setUrls({ base: world.baseUrl })
    })
    expect(outcomes(look?.steps ?? [])).toEqual({ ...checkedOk, app_callback: 'failed', callback: 'failed' })
    expect(await world.rt.store.read(findChannel, { account_id: accountId, id: channelId })).toEqual(before)
  })

  test('of one business account share one channel, and connecting again replaces the credentials', async () => {
    const accountId = await world.newAccount()
    const first = await connectChannel(world.rt, { accountId, ...credentials() })
    const again = { accountId, ...credentials({ waba_id: first.channel?.business_id ?? '' }) }
    const second = await connectChannel(world.rt, again)
    expect(second.channel?.id).toBe(first.channel?.id)
    expect(second.channel?.callback_url).toBe(first.channel?.callback_url)
    expect((await listChannels(world.rt, accountId)).map(({ numbers }) => numbers.length)).toEqual([2])
    expect((await requireNumber(world.rt, accountId)).credentials.accessToken).toBe(again.accessToken)
  })

  test('connected by two people at once end as one channel with one callback address', async () => {
    const accountId = await world.newAccount()
    const request = { accountId, ...credentials() }
    const results = await Promise.all([connectChannel(world.rt, request), connectChannel(world.rt, request)])
    expect(new Set(results.map(({ channel }) => channel?.id)).size).toBe(1)
    expect(await listNumbers(world.rt, accountId)).toHaveLength(1)
  })

  test('forget their credentials when disconnected, answer 404, and keep their ids when they come back', async () => {
    const accountId = await world.newAccount()
    const request = { accountId, ...credentials() }
    const before = await connectChannel(world.rt, request)
    const channelId = before.channel?.id ?? ''
    const step = await disconnectChannel(world.rt, { accountId, channelId, actor: operator })
    expect(step?.status).toBe('ok')
    const [row] = await world.rt.store.read(findChannel, { account_id: accountId, id: channelId })
    expect(row).toMatchObject({ status: 'disconnected', access_token: null, app_secret: null, verify_token: null })
    expect((await fetch(before.channel?.callback_url ?? '', { method: 'POST', body: '{}' })).status).toBe(404)
    expect(await disconnectChannel(world.rt, { accountId, channelId, actor: operator })).toBeNull()
    const after = await connectChannel(world.rt, request)
    expect([after.channel?.id, after.numberId]).toEqual([channelId, before.numberId])
  })

  test('are not reachable from another account', async () => {
    const own = await world.connect(await world.newAccount())
    const strangerId = await world.newAccount()
    expect(await checkChannel(world.rt, strangerId, own.channelId)).toBeNull()
    const theft = { accountId: strangerId, channelId: own.channelId, actor: operator }
    expect(await disconnectChannel(world.rt, theft)).toBeNull()
    expect(await setDefaultNumber(world.rt, { ...theft, numberId: own.numberId })).toBe(false)
  })

  test('in use with the WhatsApp Business app send 20 messages a second', async () => {
    const accountId = await world.newAccount()
    const request = { accountId, ...credentials() }
    world.sandbox.control.updateNumber(request.phoneNumberId, { on_business_app: true })
    await connectChannel(world.rt, request)
    expect((await requireNumber(world.rt, accountId)).sendsPerSecond).toBe(20)
  })

  test('need a public https address, unless the platform runs on this machine', async () => {
    const accountId = await world.newAccount()
    const real = { accountId, ...credentials(), baseUrl: 'https://graph.platform.invalid' }
    for (const base of [
      'http://gateway.example.com',
      'https://localhost',
      'https://10.0.0.7',
      'https://gateway.local',
    ]) {
      world.setUrls({ base })
      const result = await connectChannel(world.rt, real).finally(() => {
        world.setUrls({ base: world.baseUrl })
      })
      expect(result.steps[0], base).toMatchObject({
        name: 'address',
        status: 'failed',
        fix: expect.stringContaining('POSTERN_BASE_URL'),
      })
      expect(outcomes(result.steps)).toMatchObject({ token: 'skipped', health: 'skipped' })
    }
  })

  test('follow what the platform says about quality and status', async () => {
    const accountId = await world.newAccount()
    const { channelId, phoneNumberId } = await world.connect(accountId)
    world.sandbox.control.updateNumber(phoneNumberId, { quality_rating: 'RED', status: 'FLAGGED' })
    const next = await refreshChannel(world.rt, { account_id: accountId, subject: channelId })
    expect(next).toEqual({ againAt: world.clock.now() + 30 * 60_000 })
    expect(await listNumbers(world.rt, accountId)).toMatchObject([{ quality: 'low', status: 'FLAGGED' }])
  })

  test('say that Meta keeps messages back, and no longer once that is over', async () => {
    const accountId = await world.newAccount()
    const { channelId, phoneNumberId } = await world.connect(accountId)
    const refresh = () => refreshChannel(world.rt, { account_id: accountId, subject: channelId })
    const read = async () => (await listChannels(world.rt, accountId))[0]?.steps ?? []
    world.sandbox.control.updateNumber(phoneNumberId, { payment_method: false })
    await refresh()
    expect(outcomes(await read())).toEqual({ ...allOk, health: 'failed' })
    const { attention } = await describeHome(world.rt, { accountId, role: 'owner', plan: 'free' } as Member)
    expect(attention).toMatchObject([{ tone: 'error', text: expect.stringContaining('payment method is missing') }])
    world.sandbox.control.setScenario({ rules: [{ do: { html_5xx: 502 } }] })
    await refresh().finally(() => world.sandbox.control.setScenario({}))
    expect(outcomes(await read())).toEqual({ ...allOk, health: 'failed' })
    world.sandbox.control.updateNumber(phoneNumberId, { payment_method: true })
    await refresh()
    expect(outcomes(await read())).toEqual(allOk)
    world.sandbox.control.setScenario({ rules: [{ do: { error: { code: 131031 } } }] })
    await refresh().finally(() => world.sandbox.control.setScenario({}))
    expect((await read()).at(-1)).toMatchObject({
      name: 'health',
      status: 'failed',
      code: 'channel_account_restricted',
    })
  })

  test('keep the outcome of a check that ended while they were refreshed', async () => {
    const accountId = await world.newAccount()
    const { channelId } = await world.connect(accountId)
    const [row] = await world.rt.store.read(findChannel, { account_id: accountId, id: channelId })
    const channel = row && openRow(world.rt, row)
    if (!channel) throw new Error('the channel is connected')
    const report = { token: null, business: null }
    const checked = ok('health', 'Checked meanwhile.')
    await recordHealth(world.rt, channel, { ...report, steps: [checked] })
    const verdict = { step: ok('health', 'Refreshed.'), among: row.check_steps }
    await recordHealth(world.rt, channel, { ...report, verdict })
    expect((await listChannels(world.rt, accountId))[0]?.steps).toEqual([checked])
  })

  test('tell those who look on when something about them is different, and whose it is', async () => {
    const heard: Touched[] = []
    const stop = world.rt.store.onCommit('channels', (touched) => heard.push(touched))
    const accountId = await world.newAccount()
    const own = new Set([accountId])
    const { channelId } = await world.connect(accountId)
    expect(heard.splice(0)).toContainEqual(own)
    await refreshChannel(world.rt, { account_id: accountId, subject: channelId })
    expect(heard.splice(0)).toEqual([own])
    await noteTokenRefused(world.rt, channelId)
    await noteTokenRefused(world.rt, channelId)
    expect(heard.splice(0)).toEqual([own])
    await disconnectChannel(world.rt, { accountId, channelId, actor: operator })
    expect(heard.splice(0)).toEqual([own])
    stop()
  })

  test('show a refused token, take callbacks all the same, and recover by themselves', async () => {
    const accountId = await world.newAccount()
    const connected = await world.connect(accountId)
    const { channelId, phoneNumberId } = connected
    const refresh = () => refreshChannel(world.rt, { account_id: accountId, subject: channelId })
    const status = async () => (await listChannels(world.rt, accountId))[0]?.status
    world.sandbox.control.updateNumber(phoneNumberId, { token_expired: true })
    await refresh()
    expect(await status()).toBe('auth_failed')
    expect((await channelReadiness(world.rt, accountId)).connected).toBe(false)
    expect((await world.post(connected, '{}')).status).toBe(200)
    world.sandbox.control.updateNumber(phoneNumberId, { token_expired: false })
    await refresh()
    expect(await status()).toBe('connected')
    await noteTokenRefused(world.rt, channelId)
    expect(await status()).toBe('auth_failed')
  })

  test('do not hold the refusal of an old token against the one connected meanwhile', async () => {
    const accountId = await world.newAccount()
    const request = { accountId, ...credentials() }
    const channelId = (await connectChannel(world.rt, request)).channel?.id ?? ''
    const read = async () => (await world.rt.store.read(findChannel, { account_id: accountId, id: channelId }))[0]
    const seen = await read()
    const asked = seen && openRow(world.rt, seen)
    if (!asked) throw new Error('the channel is connected')
    await connectChannel(world.rt, request)
    const { checked_at, check_steps } = (await read()) ?? {}
    world.clock.advance(1_000)
    await noteTokenRefused(world.rt, channelId, asked.revision)
    await recordHealth(world.rt, asked, { token: refusedToken, business: null, steps: [] })
    expect(await read()).toMatchObject({ status: 'connected', checked_at, check_steps })
    await noteTokenRefused(world.rt, channelId, (await read())?.revision ?? 0)
    expect(await read()).toMatchObject({ status: 'auth_failed' })
  })

  test('are disconnected once, by whichever of two people comes first', async () => {
    const accountId = await world.newAccount()
    const { channelId } = await world.connect(accountId)
    const disconnect = () => disconnectChannel(world.rt, { accountId, channelId, actor: operator })
    const steps = await Promise.all([disconnect(), disconnect()])
    expect(steps.filter((step) => step !== null)).toMatchObject([{ status: 'ok' }])
    expect(await verifyAudit(world.rt, accountId)).toMatchObject({ ok: true })
  })

  test('leave the callback address of another service alone when they are disconnected', async () => {
    const accountId = await world.newAccount()
    const request = { accountId, ...credentials() }
    const channelId = (await connectChannel(world.rt, request)).channel?.id ?? ''
    const { credentials: number } = await requireNumber(world.rt, accountId)
    await using other = await anEcho()
    await world.rt.platform.setCallbackOverride(number, { url: other.url, verifyToken: 'theirs' })
    const step = await disconnectChannel(world.rt, { accountId, channelId, actor: operator })
    expect(step).toMatchObject({ status: 'ok', sentence: 'Meta was not reporting to this gateway.' })
    expect(await world.rt.platform.listSubscribedApps(number)).toMatchObject([{ overrideCallbackUrl: other.url }])
    const silent = await connectChannel(world.rt, request)
    expect(silent.steps.find(({ name }) => name === 'callback')).toMatchObject({
      status: 'failed',
      sentence: expect.stringContaining(other.url),
      fix: expect.stringContaining('--take-over'),
    })
    await connectChannel(world.rt, { ...request, takeOver: true })
    await disconnectChannel(world.rt, { accountId, channelId, actor: operator })
    expect(await world.rt.platform.listSubscribedApps(number)).toMatchObject([{ overrideCallbackUrl: null }])
  })

  test('count as refused only when Meta says so of the token itself', async () => {
    const accountId = await world.newAccount()
    const { channelId } = await world.connect(accountId)
    for (const code of [0, 3, 10, 200, 368, 131005, 131031, 133010]) {
      world.sandbox.control.setScenario({ rules: [{ do: { error: { code } } }] })
      await refreshChannel(world.rt, { account_id: accountId, subject: channelId })
      expect((await listChannels(world.rt, accountId))[0]?.status, String(code)).toBe('connected')
    }
    world.sandbox.control.setScenario({ rules: [{ do: { error: { code: 190 } } }] })
    await refreshChannel(world.rt, { account_id: accountId, subject: channelId })
    world.sandbox.control.setScenario({})
    expect((await listChannels(world.rt, accountId))[0]?.status).toBe('auth_failed')
  })

  test('do not change their state because the platform is silent', async () => {
    const accountId = await world.newAccount()
    const { channelId } = await world.connect(accountId)
    world.sandbox.control.setScenario({ rules: [{ do: { html_5xx: 502 } }] })
    await refreshChannel(world.rt, { account_id: accountId, subject: channelId }).finally(() =>
      world.sandbox.control.setScenario({}),
    )
    expect((await listChannels(world.rt, accountId))[0]?.status).toBe('connected')
  })

  test('stop being refreshed once they are disconnected', async () => {
    const accountId = await world.newAccount()
    const { channelId } = await world.connect(accountId)
    await disconnectChannel(world.rt, { accountId, channelId, actor: operator })
    expect(await refreshChannel(world.rt, { account_id: accountId, subject: channelId })).toBe('done')
  })
})

/** Another receiver that the platform accepts: it answers the challenge. */
async function anEcho() {
  const server = createServer((req, res) => {
    res.end(new URL(req.url ?? '', 'http://echo.test').searchParams.get('hub.challenge') ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/theirs`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
