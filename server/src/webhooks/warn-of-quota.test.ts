import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aWebhookWorld, deliveriesOf, type WebhookWorld } from '../../../test/support/webhook-world.ts'
import { operator } from '../audit/audit.ts'
import type { Plan } from '../contract/plans.ts'
import { createAccount } from '../installation/account.ts'
import { dayMs } from '../lib/durations.ts'
import { saveQuota } from '../store/accounts/quotas.ts'
import { Unit } from '../store/engine/unit.ts'
import { warnOfQuotas } from './disable-webhook.ts'
import { registerWebhook } from './register-webhook.ts'
import { getDelivery } from './replay/get-delivery.ts'

describe.each(engines)('the warning of a quota on %s', (engine) => {
  let world: WebhookWorld
  beforeAll(async () => {
    world = await aWebhookWorld(engine, { idle: true, env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
  })
  afterAll(() => world.dispose())

  async function anAccount(plan: Plan) {
    const { account } = await createAccount(world.rt, { name: 'Acme', plan, actor: operator })
    const draft = { url: 'https://hooks.test/', events: ['account.quota_warning'] }
    const { id } = await registerWebhook(world.rt, account.id, draft)
    return {
      warnings: () => deliveriesOf(world, id),
      async use(day_used: number) {
        const now = world.clock.now()
        const [hour_start, day_start] = [now - (now % 3_600_000), now - (now % dayMs)]
        const unit = new Unit()
        unit.add(saveQuota, { account_id: account.id, hour_start, hour_used: 1, day_start, day_used })
        await world.rt.store.write(unit)
        await Promise.all([warnOfQuotas(world.rt), warnOfQuotas(world.rt)])
      },
      async told() {
        const [first] = await deliveriesOf(world, id)
        const { request_body } = await getDelivery(world.rt, account.id, id, first?.id ?? '')
        return JSON.parse(request_body ?? '') as { type: string; data: unknown }
      },
    }
  }

  test('comes at four fifths of the day, once, and again the next day', async () => {
    const account = await anAccount('free')
    await account.use(799)
    expect(await account.warnings()).toHaveLength(0)
    await account.use(800)
    await account.use(1_000)
    expect(await account.warnings()).toHaveLength(1)
    const now = world.clock.now()
    const resets_at = new Date(now - (now % dayMs) + dayMs).toISOString()
    expect(await account.told()).toMatchObject({
      type: 'account.quota_warning',
      data: { policy: 'day', quota: 1_000, used: 800, window_seconds: 86_400, resets_at },
    })
    world.clock.advance(dayMs)
    await account.use(10)
    expect(await account.warnings()).toHaveLength(1)
    await account.use(900)
    expect(await account.warnings()).toHaveLength(2)
  })

  test('goes by the plan, and a plan that is not counted gets none', async () => {
    const [starter, enterprise] = [await anAccount('starter'), await anAccount('enterprise')]
    await starter.use(7_999)
    await enterprise.use(1_000_000)
    expect([...(await starter.warnings()), ...(await enterprise.warnings())]).toEqual([])
    await starter.use(8_000)
    expect(await starter.warnings()).toHaveLength(1)
  })
})
