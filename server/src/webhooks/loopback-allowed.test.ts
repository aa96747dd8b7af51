import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { type ChannelRow, disconnectChannel, insertChannel } from '../store/channels/channels.ts'
import { Unit } from '../store/engine/unit.ts'
import { deliverEvent, loopbackAllowed } from './delivery/deliver-event.ts'
import { registerWebhook } from './register-webhook.ts'

const url = 'https://localhost:8443/hook'

describe.each(engines)('webhooks on this machine on %s', (engine) => {
  let world: TestRuntime
  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  async function anAccount(kind?: 'sandbox' | 'cloud'): Promise<{ accountId: string; channelId: string }> {
    const [accountId, channelId] = [world.rt.newId('acc'), world.rt.newId('chn')]
    const unit = new Unit()
    if (kind) unit.add(insertChannel, aChannel(channelId, accountId, kind))
    await world.rt.store.write(unit)
    return { accountId, channelId }
  }
  const register = (accountId: string) => registerWebhook(world.rt, accountId, { url, events: ['*'] })

  test('are for accounts on a sandbox channel', async () => {
    const { accountId } = await anAccount('sandbox')
    expect(await register(accountId)).toMatchObject({ url })
  })

  test.each([undefined, 'cloud'] as const)('are refused to an account with the channel %s', async (kind) => {
    const { accountId } = await anAccount(kind)
    await expect(register(accountId)).rejects.toMatchObject({ code: 'webhook_url_not_allowed' })
  })

  test('are refused once the sandbox is disconnected, and in production to everybody', async () => {
    const { accountId, channelId } = await anAccount('sandbox')
    const production = { ...world.rt, config: { ...world.rt.config, env: 'production' as const } }
    expect(await loopbackAllowed(production, { account_id: accountId, url })).toBe(false)
    const unit = new Unit()
    unit.add(disconnectChannel, { id: channelId, account_id: accountId, now: world.clock.now() })
    await world.rt.store.write(unit)
    await expect(register(accountId)).rejects.toMatchObject({ code: 'webhook_url_not_allowed' })
  })

  test('are asked about at every delivery; other addresses are not', async () => {
    const sandbox = await anAccount('sandbox')
    const real = await anAccount('cloud')
    const asked: (boolean | undefined)[] = []
    const post: typeof world.rt.deliver.post = async ({ allowLoopback }) => {
      asked.push(allowLoopback)
      return { kind: 'failure', code: 'timeout', message: '', durationMs: 1 }
    }
    const rt = { ...world.rt, deliver: { ...world.rt.deliver, post } }
    const parcel = { eventId: 'evt_1', type: 'message.sent', body: Buffer.from('{}'), attempt: 1 }
    const unsigned = { id: 'whk_1', secret: null, previous_secret: null, previous_secret_until: null }
    await deliverEvent(rt, { ...unsigned, account_id: sandbox.accountId, url }, parcel)
    await deliverEvent(rt, { ...unsigned, account_id: real.accountId, url }, parcel)
    await deliverEvent(rt, { ...unsigned, account_id: sandbox.accountId, url: 'https://hooks.test/' }, parcel)
    expect(asked).toEqual([true, false, false])
  })
})

function aChannel(id: string, accountId: string, kind: string): ChannelRow {
  return {
    id,
    callback_id: id,
    account_id: accountId,
    kind,
    waba_id: id,
    app_id: null,
    access_token: null,
    app_secret: null,
    verify_token: null,
    base_url: 'https://platform.test',
    graph_version: 'v1',
    status: 'connected',
    name: null,
    business_verified: 0,
    currency: null,
    time_zone: null,
    marketing_messages: 0,
    token_expires_at: null,
    last_event_at: null,
    checked_at: null,
    check_steps: null,
    connected_at: 0,
    disconnected_at: null,
    updated_at: 0,
    revision: 1,
  }
}
