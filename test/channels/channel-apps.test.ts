import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import type { ItemHandlers, ItemInContext } from '../../server/src/channels/callbacks/callback-items.ts'
import { listChannels, listNumbers } from '../../server/src/channels/channel-record.ts'
import { checkChannel } from '../../server/src/channels/check/check-channel.ts'
import type { CheckStep } from '../../server/src/channels/check/check-step.ts'
import { requireNumber } from '../../server/src/channels/require-number.ts'
import { type ConnectRequest, connectChannel } from '../../server/src/connect/connect-channel.ts'
import { disconnectChannel } from '../../server/src/connect/console-channels.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { findChannelApp } from '../../server/src/store/channels/channel-apps.ts'
import { startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import {
  aChannelWorld,
  aText,
  type ChannelWorld,
  eventBody,
  messagesBody,
  signature,
} from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks, listCallbackItems } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

const step = (steps: readonly CheckStep[], name: string) => steps.find((one) => one.name === name)
const rejected = {
  event: 'REJECTED',
  message_template_id: 1,
  message_template_name: 'x',
  message_template_language: 'en',
}

describe.each(engines)('the app of a channel on %s', (engine) => {
  let world: ChannelWorld
  const shared = { app_id: '4711', app_secret: '5'.repeat(32) }
  beforeAll(async () => {
    world = await aChannelWorld(engine, {
      POSTERN_SHARED_APP_ID: shared.app_id,
      POSTERN_SHARED_APP_SECRET: shared.app_secret,
    })
  })
  afterAll(() => world.dispose())

  type Fresh = ReturnType<ChannelWorld['sandbox']['control']['createNumber']>
  const fresh = (over = {}) => world.sandbox.control.createNumber({ approved: true, ...over })
  function request(accountId: string, number: Fresh): ConnectRequest {
    return {
      accountId,
      kind: 'cloud',
      wabaId: number.waba_id,
      phoneNumberId: number.phone_number_id,
      accessToken: number.access_token,
      appSecret: number.app_secret,
      baseUrl: world.sandbox.url,
      actor: operator,
    }
  }
  const asApp = ({ app_id, app_secret }: Fresh) => ({ appId: app_id, appSecret: app_secret })
  const credentials = ({ phone_number_id, waba_id, access_token }: Fresh) => ({
    phoneNumberId: phone_number_id,
    wabaId: waba_id,
    accessToken: access_token,
    baseUrl: world.sandbox.url,
    graphVersion: 'v26.0',
  })
  const appAddress = async (accountId: string, appId: string) => {
    const [row] = await world.rt.store.read(findChannelApp, { account_id: accountId, app_id: appId })
    return `${world.baseUrl}/channel/app/${row?.callback_id}/callback`
  }
  const post = (url: string, body: string, secret: string) =>
    fetch(url, { method: 'POST', headers: { 'x-hub-signature-256': signature(body, secret) }, body })

  /** Applies everything stored, and tells who was given what. */
  async function applied(): Promise<ItemInContext[]> {
    const { rt } = world
    const seen: ItemInContext[] = []
    const take = async (_: Runtime, batch: readonly ItemInContext[]) => {
      seen.push(...batch)
      return batch.map(() => 'applied' as const)
    }
    const handlers: ItemHandlers = { template_status: take, account: take, message: take, status: take }
    const applier = startCallbackApplier(rt, handlers)
    await waitFor(async () => {
      const [counts] = await rt.store.read(countCallbacks, {})
      return counts?.stored === counts?.applied
    })
    await applier.drain(5_000)
    return seen
  }

  test('is subscribed at its own address before the account and the override, with every field', async () => {
    const accountId = await world.newAccount()
    const number = fresh()
    const { steps, ok } = await connectChannel(world.rt, request(accountId, number))
    expect([ok, step(steps, 'app_callback')?.status]).toEqual([true, 'ok'])
    const url = await appAddress(accountId, number.app_id)
    const subscription = await world.rt.platform.appSubscription(credentials(number), asApp(number))
    expect(subscription).toMatchObject({
      url,
      fields: expect.arrayContaining(['messages', 'template_category_update']),
    })
    await applied()
    world.sandbox.control.event({ to: number.phone_number_id, field: 'account_update', value: { event: 'VERIFIED' } })
    await waitFor(async () => ((await world.rt.store.read(countCallbacks, {}))[0]?.stored ?? 0) > 0)
    const [heard] = (await applied()).filter(({ item }) => item.wabaId === number.waba_id)
    expect(heard).toMatchObject({ item: { kind: 'account' }, context: { accountId } })
  })

  test('keeps the address of another service until told to take over, and says what does not arrive', async () => {
    await using other = await anEcho()
    const accountId = await world.newAccount()
    const number = fresh()
    const theirs = { url: `${other.url}/hook`, verifyToken: 'v', fields: ['messages', 'account_update'] }
    await world.rt.platform.setAppSubscription(credentials(number), asApp(number), theirs)
    const polite = await connectChannel(world.rt, request(accountId, number))
    expect(step(polite.steps, 'app_callback')).toMatchObject({
      status: 'warning',
      sentence: expect.stringMatching(/hook.*templates.*do not arrive/),
      fix: expect.stringContaining('--take-over'),
    })
    expect(step(polite.steps, 'callback')?.status).toBe('ok')
    const now = () => world.rt.platform.appSubscription(credentials(number), asApp(number))
    expect((await now())?.url).toBe(theirs.url)
    const channelId = polite.channel?.id ?? ''
    await checkChannel(world.rt, accountId, channelId, { repair: true })
    expect((await now())?.url).toBe(theirs.url)
    const taken = await checkChannel(world.rt, accountId, channelId, { takeOver: true })
    expect(step(taken?.steps ?? [], 'app_callback')).toMatchObject({ status: 'ok' })
    expect((await now())?.url).toBe(await appAddress(accountId, number.app_id))
  })

  test('that another service uses without messages makes the override impossible, and says so', async () => {
    await using other = await anEcho()
    const accountId = await world.newAccount()
    const number = fresh()
    const theirs = { url: other.url, verifyToken: 'v', fields: ['account_update'] }
    await world.rt.platform.setAppSubscription(credentials(number), asApp(number), theirs)
    const { steps, channel } = await connectChannel(world.rt, request(accountId, number))
    expect(step(steps, 'app_callback')).toMatchObject({ status: 'failed', fix: expect.stringContaining('--take-over') })
    expect(step(steps, 'callback')).toMatchObject({ status: 'failed', sentence: expect.stringContaining('subscribed') })
    expect(channel).not.toBeNull()
  })

  test('is found by the health of the number, by its id, or stays unknown and is asked for', async () => {
    const accountId = await world.newAccount()
    const number = fresh()
    world.sandbox.control.setScenario({ rules: [{ when: { endpoint: 'debug_token' }, do: { error: { code: 100 } } }] })
    const uninspected = await connectChannel(world.rt, request(accountId, number)).finally(() =>
      world.sandbox.control.setScenario({}),
    )
    expect(step(uninspected.steps, 'token')).toMatchObject({
      status: 'warning',
      sentence: expect.stringContaining('could not be checked'),
    })
    expect([uninspected.ok, uninspected.channel?.status]).toEqual([true, 'connected'])
    const wrongApp = await connectChannel(world.rt, { ...request(accountId, number), appId: fresh().app_id })
    expect(step(wrongApp.steps, 'app_secret')).toMatchObject({ status: 'failed' })
  })

  test('sees a number that reports elsewhere, and takes that address away on demand', async () => {
    await using other = await anEcho()
    const accountId = await world.newAccount()
    const number = fresh()
    const connected = await connectChannel(world.rt, request(accountId, number))
    const override = { webhook_configuration: { override_callback_uri: `${other.url}/n`, verify_token: 'v' } }
    await fetch(`${world.sandbox.url}/v26.0/${number.phone_number_id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${number.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(override),
    })
    const channelId = connected.channel?.id ?? ''
    const found = await checkChannel(world.rt, accountId, channelId)
    expect(step(found?.steps ?? [], 'number_callback')).toMatchObject({
      status: 'failed',
      sentence: expect.stringContaining(`${other.url}/n`),
    })
    const removed = await checkChannel(world.rt, accountId, channelId, { takeOver: true })
    expect(step(removed?.steps ?? [], 'number_callback')?.status).toBe('ok')
    expect((await checkChannel(world.rt, accountId, channelId))?.ok).toBe(true)
  })

  test.each([
    ['the subscription of the app', 'app_callback'],
    ['the subscription to the account', 'subscription'],
    ['the override', 'callback'],
  ])('is checked later: %s that is gone is found, and repaired', async (_, name) => {
    const accountId = await world.newAccount()
    const number = fresh()
    const { channel } = await connectChannel(world.rt, request(accountId, number))
    const call = (method: string, path: string, token: string) =>
      fetch(`${world.sandbox.url}/v26.0/${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    const appToken = `${number.app_id}|${number.app_secret}`
    if (name === 'app_callback') await call('DELETE', `${number.app_id}/subscriptions`, appToken)
    if (name === 'subscription') await call('DELETE', `${number.waba_id}/subscribed_apps`, number.access_token)
    if (name === 'callback') await call('POST', `${number.waba_id}/subscribed_apps`, number.access_token)
    const broken = await checkChannel(world.rt, accountId, channel?.id ?? '')
    expect(step(broken?.steps ?? [], name)).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('--repair'),
    })
    expect((await checkChannel(world.rt, accountId, channel?.id ?? '', { repair: true }))?.ok).toBe(true)
    expect((await checkChannel(world.rt, accountId, channel?.id ?? ''))?.ok).toBe(true)
  })

  test('and a business account belong to one account: a second is refused until the first has left', async () => {
    const [first, second] = [await world.newAccount(), await world.newAccount()]
    const number = fresh()
    const { channel } = await connectChannel(world.rt, request(first, number))
    const refused = await connectChannel(world.rt, request(second, number))
    expect(step(refused.steps, 'app_callback')).toMatchObject({
      status: 'failed',
      sentence: expect.stringContaining('Another account'),
    })
    expect([refused.channel, await listChannels(world.rt, second)]).toEqual([null, []])
    await disconnectChannel(world.rt, { accountId: first, channelId: channel?.id ?? '', actor: operator })
    expect((await connectChannel(world.rt, { ...request(second, number), takeOver: true })).channel).not.toBeNull()
  })

  test('lets no tenant reach another: forged items are tried through every address and reach nobody', async () => {
    const [attackerId, victimId] = [await world.newAccount(), await world.newAccount()]
    const [own, theirs] = [fresh(), fresh()]
    const attacker = await connectChannel(world.rt, request(attackerId, own))
    const victim = await connectChannel(world.rt, request(victimId, theirs))
    expect([attacker.ok, victim.ok]).toEqual([true, true])
    await applied()
    const target = { wabaId: theirs.waba_id, phoneNumberId: theirs.phone_number_id }
    const mixed = { wabaId: own.waba_id, phoneNumberId: theirs.phone_number_id }
    const forged = [
      eventBody(target, 'message_template_status_update', rejected),
      eventBody(target, 'account_update', { event: 'DISABLED_UPDATE' }),
      messagesBody(target, { messages: [aText(`wamid.FORGED${engine}`)] }),
      messagesBody(mixed, { messages: [aText(`wamid.MIXED${engine}`)] }),
    ]
    const addresses = {
      'own channel': attacker.channel?.callback_url ?? '',
      'own app': await appAddress(attackerId, own.app_id),
      "the victim's channel": victim.channel?.callback_url ?? '',
      "the victim's app": await appAddress(victimId, theirs.app_id),
    }
    for (const [name, url] of Object.entries(addresses)) {
      const statuses = await Promise.all(forged.map(async (body) => (await post(url, body, own.app_secret)).status))
      expect(new Set(statuses), name).toEqual(new Set([name.startsWith('own') ? 200 : 401]))
    }
    expect(await applied()).toEqual([])
    for (const state of ['applied', 'waiting', 'unhandled']) {
      const read = (account_id: string) => world.rt.store.read(listCallbackItems, { account_id, state, count: 100 })
      expect(await read(victimId), state).toEqual([])
    }
    const honest = eventBody(target, 'message_template_status_update', rejected)
    expect((await post(addresses["the victim's app"], honest, theirs.app_secret)).status).toBe(200)
    expect((await applied()).map(({ context }) => context.accountId)).toEqual([victimId])
  })

  test('of the operator serves several accounts, whose tenants never see its secret', async () => {
    const [one, two, stranger] = [await world.newAccount(), await world.newAccount(), await world.newAccount()]
    const [ofOne, ofTwo] = [fresh(shared), fresh(shared)]
    const foreign = fresh()
    const connect = (accountId: string, number: Fresh) => {
      const { appSecret: _, ...rest } = request(accountId, number)
      return connectChannel(world.rt, rest)
    }
    for (const [accountId, number] of [[one, ofOne] as const, [two, ofTwo] as const]) {
      const result = await connect(accountId, number)
      expect(result.steps.filter(({ status }) => status !== 'ok')).toEqual([])
      expect(JSON.stringify(result)).not.toContain(shared.app_secret)
    }
    expect((await requireNumber(world.rt, one)).credentials.appSecret).toBe(shared.app_secret)
    // A token of another app does not join, whatever it can read.
    expect((await connect(stranger, foreign)).channel).toBeNull()
    expect(await listNumbers(world.rt, stranger)).toEqual([])
    await applied()
    const url = await appAddress('', shared.app_id)
    const news = (number: Fresh) => eventBody({ wabaId: number.waba_id }, 'account_update', { event: 'X' })
    for (const number of [ofOne, ofTwo, foreign]) {
      expect((await post(url, news(number), shared.app_secret)).status).toBe(200)
      expect((await post(url, news(number), foreign.app_secret)).status).toBe(401)
    }
    const heard = (await applied()).map(({ item, context }) => [item.wabaId, context.accountId])
    expect(heard.sort()).toEqual(
      [
        [ofOne.waba_id, one],
        [ofTwo.waba_id, two],
      ].sort(),
    )
    for (const account_id of [one, two, stranger]) {
      const rows = await world.rt.store.read(listCallbackItems, { account_id, state: 'unhandled', count: 100 })
      expect(rows, 'what found no place is read by no tenant').toEqual([])
    }
  })
})

async function anEcho() {
  const server = createServer((req, res) =>
    res.end(new URL(req.url ?? '/', 'http://x.test').searchParams.get('hub.challenge')),
  )
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
