import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import type { Member } from '../../server/src/access/console-member.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { sharedApp } from '../../server/src/channels/channel-app.ts'
import { listChannels } from '../../server/src/channels/channel-record.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { describeSignups, finishSignup, giveUpSignup } from '../../server/src/connect/finish-signup.ts'
import { openSignup, requireSignupApp, returnFromSignup } from '../../server/src/connect/open-signup.ts'
import { expireOldSignups, syncBusinessApps } from '../../server/src/connect/sync-business-app.ts'
import { dayMs, hourMs, minuteMs } from '../../server/src/lib/durations.ts'
import { beginRedeeming, findSignupByState } from '../../server/src/store/channels/signups.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'

const app = { app_id: '4711', app_secret: '5'.repeat(32) }
const pin = '123456'

describe.each(engines)('Embedded Signup on %s', (engine) => {
  let meta: Sandbox
  let world: ChannelWorld
  const asked: { call: string; request: unknown }[] = []
  const note = (message: unknown) => {
    const exchange = message as (typeof asked)[number]
    if (exchange.call.endsWith('/smb_app_data')) asked.push(exchange)
  }
  beforeAll(async () => {
    subscribe('postern.sandbox.call', note)
    meta = await startSandbox({ approved: true, development: true })
    const { phone_number_id } = meta.control.createNumber(app)
    meta.control.updateNumber(phone_number_id, { redirect_uris: ['http://console.test/connect'] })
    world = await aChannelWorld(engine, {
      POSTERN_CHANNEL_BASE_URL: meta.url,
      POSTERN_SHARED_APP_ID: app.app_id,
      POSTERN_SHARED_APP_SECRET: app.app_secret,
      POSTERN_SIGNUP_CONFIG_ID: '99',
      POSTERN_SIGNUP_URL: meta.url,
    })
  })
  afterAll(async () => {
    unsubscribe('postern.sandbox.call', note)
    await world.dispose()
    await meta.close()
  })

  async function aMember(accountId?: string): Promise<Member> {
    const id = accountId ?? (await world.newAccount())
    return {
      sessionId: 'ses_1',
      userId: 'usr_1',
      name: 'Olga',
      email: null,
      role: 'owner',
      accountId: id,
      accountName: 'Acme',
      plan: 'free',
      accountStatus: 'active',
      twoFactor: 'off',
      twoFactorRequired: false,
      confirmedAt: 0,
      endsAt: 0,
      extendable: false,
      context: { ip: null, user_agent: null, request_id: null },
    } as Member
  }

  /** What the person does on Meta's page, and what the browser comes back with. */
  async function decide(url: string, choice: Record<string, string> = { decision: 'allow' }) {
    const answer = await fetch(`${url}&${new URLSearchParams(choice)}`, { redirect: 'manual' })
    const place = answer.headers.get('location')
    if (place === null) throw new Error(await answer.text())
    expect(place.startsWith('http://console.test/connect?')).toBe(true)
    const { searchParams } = new URL(place)
    return {
      state: searchParams.get('state') ?? '',
      code: searchParams.get('code'),
      error: searchParams.get('error'),
      wabaId: searchParams.get('waba_id'),
    }
  }
  type Back = Awaited<ReturnType<typeof decide>>

  const browser = 'secret of the browser'
  async function agreed(member: Member, choice?: Record<string, string>, onBusinessApp = false): Promise<Back> {
    const { url } = await openSignup(world.rt, member, { browser, onBusinessApp })
    return decide(url, choice)
  }
  async function comeBack(member: Member, back: Back) {
    return finishSignup(world.rt, member, await returnFromSignup(world.rt, member, browser, back))
  }
  const rowOf = async ({ state }: Back) => {
    const hash = world.rt.secrets.mac('signup', state).toString('base64url')
    const [row] = await world.rt.store.read(findSignupByState, { state_hash: hash })
    return row
  }
  test('connects a number of a new business: token stored, PIN asked, channel there, code used once', async () => {
    const member = await aMember()
    const back = await agreed(member)
    const granted = await comeBack(member, back)
    expect(granted).toMatchObject({ step: 'granted', choices: [{ needs_pin: true }], channel: null, problem: null })
    const stored = await rowOf(back)
    expect(stored?.access_token).toMatch(/^[\w-]+\.[\w-]+$/)
    // The page is loaded again: the code is not traded again, and nothing is lost.
    expect((await comeBack(member, back)).step).toBe('granted')
    expect(await describeSignups(world.rt, member)).toMatchObject({ signups: [{ id: granted.id, step: 'granted' }] })
    const done = await finishSignup(world.rt, member, granted.id, { pin })
    expect(done).toMatchObject({ step: 'connected', history_sync: null })
    expect(done.steps.filter(({ status }) => status === 'failed')).toEqual([])
    expect((await rowOf(back))?.access_token).toBeNull()
    const [channel] = await listChannels(world.rt, member.accountId)
    expect(channel).toMatchObject({ status: 'connected', kind: 'cloud', business_id: granted.choices[0]?.business_id })
    expect(world.logLines.join('')).not.toContain(back.code ?? '-')
  })

  test('is finished only by the person and in the browser that started it, and within an hour', async () => {
    const member = await aMember()
    const back = await agreed(member)
    const rejected = { code: 'signup_rejected' }
    const missing = { code: 'signup_not_found' }
    const attempts: [Member, string | null, Back][] = [
      [member, 'another browser', back],
      [member, null, back],
      [await aMember(), browser, back],
      [{ ...member, userId: 'usr_2' }, browser, back],
      [member, browser, { ...back, state: 'made up' }],
    ]
    for (const [who, where, what] of attempts) {
      await expect(returnFromSignup(world.rt, who, where, what)).rejects.toMatchObject(rejected)
    }
    expect((await rowOf(back))?.step).toBe('opened')
    world.clock.advance(hourMs + 1)
    await expect(returnFromSignup(world.rt, member, browser, back)).rejects.toMatchObject(rejected)
    const other = await aMember()
    const granted = await comeBack(other, await agreed(other))
    await expect(finishSignup(world.rt, member, granted.id)).rejects.toMatchObject(missing)
    await expect(giveUpSignup(world.rt, member, granted.id)).rejects.toMatchObject(missing)
    expect(await describeSignups(world.rt, member)).toEqual({ signups: [] })
  })

  test('says why nothing came of it: canceled, a code used or expired, an answer that got lost', async () => {
    const member = await aMember()
    const canceled = await comeBack(member, await agreed(member, { decision: 'cancel' }))
    expect(canceled).toMatchObject({ step: 'ended', problem: expect.stringContaining('canceled') })
    const used = await agreed(member)
    const given = { code: used.code ?? '', redirectUri: 'http://console.test/connect' }
    await world.rt.platform.redeemCode(requireSignupApp(world.rt), given)
    expect(await comeBack(member, used)).toMatchObject({ step: 'ended', problem: expect.stringContaining('rejected') })
    const late = await agreed(member)
    meta.control.advance(31_000)
    expect(await comeBack(member, late)).toMatchObject({ step: 'ended', problem: expect.stringContaining('rejected') })
    const lost = await agreed(member)
    meta.control.addRule({ when: { endpoint: 'access_token' }, do: { reset_after_accept: true }, count: 1 })
    expect(await comeBack(member, lost)).toMatchObject({ step: 'ended', problem: expect.stringContaining('lost') })
    // A process died while it traded the code.
    const killed = await agreed(member)
    const row = await rowOf(killed)
    const claim = { id: row?.id ?? '', claimed_waba_id: null, now: world.clock.now() }
    await world.rt.store.write(unitOf(beginRedeeming, claim))
    expect((await comeBack(member, killed)).step).toBe('redeeming')
    world.clock.advance(minuteMs + 1)
    expect(await comeBack(member, killed)).toMatchObject({ step: 'ended', problem: expect.stringContaining('lost') })
  })

  test('ids that the browser brings are claims: a number beyond the token is nobody’s choice', async () => {
    const member = await aMember()
    const foreign = meta.control.createNumber({ name: 'Foreign' })
    const back = { ...(await agreed(member)), wabaId: foreign.waba_id }
    const granted = await comeBack(member, back)
    expect(granted.choices.map(({ business_id }) => business_id)).not.toContain(foreign.waba_id)
    const picked = { phoneNumberId: foreign.phone_number_id, pin }
    await expect(finishSignup(world.rt, member, granted.id, picked)).rejects.toMatchObject({ code: 'signup_rejected' })
    expect(await listChannels(world.rt, member.accountId)).toEqual([])
    expect(await giveUpSignup(world.rt, member, granted.id)).toMatchObject({ step: 'ended' })
    expect((await rowOf(back))?.access_token).toBeNull()
  })

  test('an account of another tenant stays with that tenant', async () => {
    const first = await aMember()
    const granted = await comeBack(first, await agreed(first))
    const { channel } = await finishSignup(world.rt, first, granted.id, { pin })
    const second = await aMember()
    const back = await agreed(second, { decision: 'allow', waba_id: channel?.business_id ?? '' })
    const refused = await comeBack(second, back)
    expect(refused).toMatchObject({ step: 'granted', channel: null })
    expect(refused.steps.find(({ status }) => status === 'failed')?.sentence).toContain('Another account')
    expect(await listChannels(world.rt, second.accountId)).toEqual([])
    expect(await listChannels(world.rt, first.accountId)).toHaveLength(1)
  })

  test('a wrong PIN costs a try and not the signup; a number that is connected already takes the new token', async () => {
    const member = await aMember()
    const back = await agreed(member)
    const granted = await comeBack(member, back)
    const numberId = granted.choices[0]?.phone_number_id ?? ''
    meta.control.updateNumber(numberId, { pin: '654321' })
    const wrong = await finishSignup(world.rt, member, granted.id, { pin })
    expect(wrong).toMatchObject({ step: 'granted', channel: null })
    expect(wrong.steps.find(({ name }) => name === 'number')).toMatchObject({ code: 'channel_pin_rejected' })
    // It dies after the channel was saved and before the signup knew.
    const accessToken = meta.numbers.find(({ phone_number_id }) => phone_number_id === numberId)?.access_token ?? ''
    const saved = await connectChannel(world.rt, {
      accountId: member.accountId,
      kind: 'cloud',
      wabaId: granted.choices[0]?.business_id ?? '',
      phoneNumberId: numberId,
      accessToken,
      appId: sharedApp(world.rt)?.appId ?? null,
      pin: '654321',
      actor: operator,
    })
    const done = await finishSignup(world.rt, member, granted.id)
    expect(done).toMatchObject({ step: 'connected', channel: { id: saved.channel?.id } })
    expect(await listChannels(world.rt, member.accountId)).toHaveLength(1)
  })

  test('a number of the WhatsApp Business app is not registered, and its past is asked for once', async () => {
    const member = await aMember()
    const done = await comeBack(member, await agreed(member, undefined, true))
    expect(done).toMatchObject({ step: 'connected', on_business_app: true, contacts_sync: 'due', history_sync: 'due' })
    asked.length = 0
    await Promise.all([syncBusinessApps(world.rt), syncBusinessApps(world.rt)])
    await syncBusinessApps(world.rt)
    expect(await describeSignups(world.rt, member)).toMatchObject({
      signups: [{ contacts_sync: 'done', history_sync: 'done' }],
    })
    expect(asked.map(({ request }) => request)).toEqual([
      { messaging_product: 'whatsapp', sync_type: 'smb_app_state_sync' },
      { messaging_product: 'whatsapp', sync_type: 'history' },
    ])
  })

  test('an answer about the past that got lost stays unknown, and nobody asks again', async () => {
    const member = await aMember()
    await comeBack(member, await agreed(member, undefined, true))
    const lose = { when: { endpoint: 'smb_app_data' }, do: { reset_after_accept: true }, count: 1 }
    meta.control.addRule(lose)
    await syncBusinessApps(world.rt)
    const synced = { contacts_sync: 'unknown', history_sync: 'done' }
    expect(await describeSignups(world.rt, member)).toMatchObject({ signups: [synced] })
    asked.length = 0
    world.clock.advance(hourMs)
    await syncBusinessApps(world.rt)
    expect(asked).toEqual([])
    // Nothing of a signup stays: tokens that nobody used go after a week.
    const open = await comeBack(member, await agreed(member))
    world.clock.advance(8 * dayMs)
    await expireOldSignups(world.rt)
    await expect(finishSignup(world.rt, member, open.id)).rejects.toMatchObject({ code: 'signup_not_found' })
  })
})
