import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPepper, pepperPurpose } from '../../server/src/access/installation.ts'
import {
  countCreated,
  countStatus,
  createRecipients,
  type MessageFacts,
} from '../../server/src/analytics/count-message.ts'
import { expireAnalytics, foldRegularly, foldSteps } from '../../server/src/analytics/fold-steps.ts'
import { getAnalytics } from '../../server/src/analytics/get-analytics.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { createSecrets } from '../../server/src/lib/secrets.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { insertAccount } from '../../server/src/store/accounts/accounts.ts'
import { insertFact, readFact } from '../../server/src/store/accounts/installation.ts'
import { nextSteps } from '../../server/src/store/analytics/analytics.ts'
import { deleteOldCounts } from '../../server/src/store/analytics/analytics-expiry.ts'
import { countSeries, seriesFor, valueSeries } from '../../server/src/store/analytics/rollups-series.ts'
import { disconnectNumbers, saveNumber } from '../../server/src/store/channels/numbers.ts'
import { operation, query } from '../../server/src/store/engine/operation.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { deleteOldTemplateDays } from '../../server/src/store/templates/template-days.ts'
import { usageOf } from '../../server/src/templates/get-template.ts'
import { engines } from '../support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'

const noon = Date.UTC(2026, 10, 15, 12, 0, 0)

function factsOf(accountId: string, change: Partial<MessageFacts> = {}): MessageFacts {
  return {
    accountId,
    createdAt: noon - dayMs,
    direction: 'outbound',
    type: 'template',
    template: 'order_confirmation',
    language: 'en',
    category: 'utility',
    country: 'PT',
    phoneNumber: 'pn_a',
    apiKeyId: 'key_a',
    broadcastId: null,
    recipient: 'someone',
    ...change,
  }
}

function sentOnce(facts: MessageFacts): Unit {
  const unit = new Unit()
  countCreated(unit, facts)
  countStatus(unit, facts, 'sent')
  countStatus(unit, facts, 'delivered', { latencyMs: 2_000, price: { key: 'utility', day: 0 } })
  return unit
}

const countRows = query({
  name: 'test.count_rollups',
  params: { account_id: 'text' },
  returns: { counts: 'int', figures: 'int', days: 'int', gaps: 'int' },
  sql: `select (select count(*) from message_rollups where account_id = :account_id) as counts,
          (select count(*) from rollup_values where account_id = :account_id) as figures,
          (select count(*) from recipient_days where account_id = :account_id) as days,
          (select count(*) from recipient_gaps where account_id = :account_id) as gaps`,
})

describe.each(engines)('folding on %s', (engine) => {
  let world: TestRuntime
  let rt: Runtime
  beforeAll(async () => {
    world = await aRuntime(engine)
    rt = world.rt
    world.clock.advance(noon - world.clock.now())
  })
  afterAll(() => world.dispose())

  test('ends while messages keep coming faster than it folds', async () => {
    const facts = factsOf('acc_busy')
    const more = () => Promise.all(Array.from({ length: 200 }, () => rt.store.write(sentOnce(facts))))
    await more()
    let folds = 0
    const busy: Runtime = {
      ...rt,
      store: {
        ...rt.store,
        async writeApart(unit) {
          if (++folds > 20) throw new Error('The fold does not end.')
          const result = await rt.store.writeApart(unit)
          await more()
          return result
        },
      },
    }
    const { totals } = await getAnalytics(busy, 'acc_busy', {})
    expect(totals.sent).toBeGreaterThanOrEqual(200)
    expect(folds).toBeLessThanOrEqual(3)
    await foldSteps(rt)
    expect((await getAnalytics(rt, 'acc_busy', {})).totals.sent).toBe(200 * (folds + 1))
  })

  test('by itself takes little at a time and comes again soon while there is more, else in ten seconds', async () => {
    await foldSteps(rt)
    await Promise.all(Array.from({ length: 500 }, () => rt.store.write(sentOnce(factsOf('acc_paced')))))
    const pauses: number[] = []
    while (pauses.at(-1) !== 10_000) pauses.push((await foldRegularly(rt)).againAt - rt.clock.now())
    expect(pauses).toEqual([500, 1_000, 1_000, 10_000])
    expect((await getAnalytics(rt, 'acc_paced', {})).totals.sent).toBe(500)
  })

  test('takes each step once, also when another fold took it meanwhile, and leaves what was added meanwhile', async () => {
    const facts = factsOf('acc_meanwhile')
    await rt.store.write(sentOnce(facts))
    let looks = 0
    const read = async (...asked: Parameters<Store['read']>) => {
      const rows = await rt.store.read(...asked)
      if (asked[0] === nextSteps && ++looks === 1) {
        await foldSteps(rt)
        await rt.store.write(sentOnce(facts))
      }
      return rows
    }
    await foldSteps({ store: { ...rt.store, read: read as Store['read'] } })
    expect(looks).toBe(1)
    const { totals } = await getAnalytics(rt, 'acc_meanwhile', {})
    expect(totals).toMatchObject({ created: 2, sent: 2, delivered: 2, unique_recipients: 1 })
  })

  test('leaves groups that add up to the whole in every answer given meanwhile', async () => {
    let isDone = false
    const sending = (async () => {
      for (let count = 0; !isDone; count++) {
        const template = `template_${count % 5}`
        await Promise.all([1, 2, 3, 4].map(() => rt.store.write(sentOnce(factsOf('acc_moving', { template })))))
      }
    })()
    const folding = (async () => {
      while (!isDone) {
        await foldSteps(rt)
        await nextTurn()
      }
    })()
    try {
      for (let count = 0; count < 30; count++) {
        const query = { group_by: ['template'], limit_groups: 2 }
        const { series, totals } = await getAnalytics(rt, 'acc_moving', query)
        for (const name of ['sent', 'delivered'] as const) {
          expect(series.reduce((sum, one) => sum + one.totals[name], 0)).toBe(totals[name])
          for (const one of series) expect(one.totals[name]).toBeGreaterThanOrEqual(0)
        }
      }
    } finally {
      isDone = true
      await Promise.all([sending, folding])
    }
  })

  test.each([
    ['UTC', {}, 31],
    ['UTC', { group_by: ['template', 'country'] }, 31],
    ['Europe/Lisbon', { group_by: ['template'] }, 31 + 10],
    ['Asia/Kolkata', { group_by: ['template'] }, 32 * 4],
    ['Asia/Kolkata', { granularity: 'month' }, 31 + 2 * 7],
  ] as const)(
    'lets 30 days in %s with %j look into at most %i places for each figure',
    async (timezone, query, most) => {
      const looked: number[] = []
      const watched: Runtime = {
        ...rt,
        store: {
          ...rt.store,
          list(asked, accountId) {
            for (const value of asked.parameters) if (Array.isArray(value)) looked.push(value.length)
            return rt.store.list(asked, accountId)
          },
        },
      }
      await getAnalytics(watched, 'acc_places', { from: '2026-10-16', timezone, ...query })
      expect(looked).toHaveLength(3)
      expect(Math.max(...looked)).toBeLessThanOrEqual(most)
      expect(Math.min(...looked)).toBeGreaterThanOrEqual(31)
    },
  )

  test('counts recipients also when the question comes at the stroke of a quarter hour', async () => {
    await rt.store.write(sentOnce(factsOf('acc_exact', { createdAt: noon - 3_600_000 })))
    expect(rt.clock.now() % 900_000).toBe(0)
    const { totals } = await getAnalytics(rt, 'acc_exact', {})
    expect(totals).toMatchObject({ sent: 1, unique_recipients: 1 })
  })

  test('is filtered by a number as people write it, also after it was disconnected', async () => {
    const unit = sentOnce(factsOf('acc_numbers', { phoneNumber: 'pn_gone' }))
    unit.add(saveNumber, {
      id: 'pn_gone',
      channel_id: 'chn_gone',
      account_id: 'acc_numbers',
      phone_number_id: '1',
      phone_number: '+12025550199',
      display_name: null,
      status: 'CONNECTED',
      quality: null,
      sends_per_second: 80,
      messaging_limit: null,
      preferred_at: 0,
      last_inbound_at: null,
      connected_at: noon - dayMs,
      disconnected_at: null,
      updated_at: noon - dayMs,
    })
    unit.add(disconnectNumbers, { channel_id: 'chn_gone', now: noon })
    await rt.store.write(unit)
    for (const phone_number of ['pn_gone', '+12025550199', '+1 (202) 555-0199']) {
      expect((await getAnalytics(rt, 'acc_numbers', { phone_number })).totals.sent).toBe(1)
    }
    expect((await getAnalytics(rt, 'acc_numbers', { phone_number: '+12025550100' })).totals.sent).toBe(0)
  })

  test('keeps figures for 37 months and recipients as long as messages', async () => {
    const account = { id: 'acc_old', name: 'Old', plan: 'free', status: 'active' }
    const first = new Unit()
    first.add(insertAccount, { ...account, created_at: 0, updated_at: 0, revision: 1 })
    await rt.store.write(first)
    const days = [0, 399, 401, 1_000, 1_200].map((age) => noon - age * dayMs)
    for (const createdAt of days) await rt.store.write(sentOnce(factsOf('acc_old', { createdAt })))
    await foldSteps(rt)
    const rows = async () => (await rt.store.read(countRows, { account_id: 'acc_old' }))[0]
    const perMessage = countSeries.length
    expect(await rows()).toEqual({ counts: 5 * perMessage, figures: 5 * 2 * valueSeries.length, days: 5, gaps: 5 })
    expect(await expireAnalytics(rt)).toEqual({ againAt: noon + dayMs })
    expect(await rows()).toEqual({ counts: 4 * perMessage, figures: 4 * 2 * valueSeries.length, days: 2, gaps: 2 })
    const months = { granularity: 'month', from: '2024-01-01', to: '2026-11-16' } as const
    expect((await getAnalytics(rt, 'acc_old', months)).totals).toMatchObject({ sent: 4, unique_recipients: null })
    const year = { from: '2025-11-20', to: '2026-11-16' }
    expect((await getAnalytics(rt, 'acc_old', year)).totals).toMatchObject({ sent: 1, unique_recipients: 1 })
    const whole = { granularity: 'month', from: '2025-10-12', to: '2026-11-16' } as const
    expect((await getAnalytics(rt, 'acc_old', whole)).totals).toMatchObject({ sent: 2, unique_recipients: 1 })
  })

  test('knows a recipient again after the master key was rotated', async () => {
    const [old, next] = [randomBytes(32), randomBytes(32)]
    const recipientsUnder = (key: Buffer) => createRecipients(createPepper({ ...rt, secrets: createSecrets(key) }))
    const [before, after] = [recipientsUnder(old), recipientsUnder(next)]
    const clean = new Unit()
    clean.add(dropPepper, {})
    await rt.store.write(clean)
    await before.loadKey()
    const hash = before.hash('acc_one', '+351912345678')
    const [fact] = await rt.store.read(readFact, { name: 'pepper' })
    const rotation = createSecrets(next, [old])
    const pepper = rotation.open(pepperPurpose, 'pepper', fact?.value ?? '')
    const rotated = new Unit()
    rotated.add(dropPepper, {})
    rotated.add(insertFact, { name: 'pepper', value: rotation.seal(pepperPurpose, 'pepper', pepper) })
    await rt.store.write(rotated)
    await after.loadKey()
    expect(after.hash('acc_one', '+351912345678')).toBe(hash)
    expect(after.hash('acc_two', '+351912345678')).not.toBe(hash)
    expect(after.hash('acc_one', '+351912345679')).not.toBe(hash)
  })

  test('counts each language of a template by itself, for a week', async () => {
    const accountId = 'acc_languages'
    const used = (language: string, createdAt: number) =>
      rt.store.write(sentOnce(factsOf(accountId, { language, createdAt })))
    await used('en', noon)
    await used('en', noon - 6 * dayMs)
    await used('en', noon - 7 * dayMs)
    await used('pt_BR', noon)
    const failed = new Unit()
    countStatus(failed, factsOf(accountId, { language: 'pt_BR' }), 'failed', { errorCode: 'channel_rejected' })
    await rt.store.write(failed)
    await foldSteps(rt)
    const languages = ['en', 'pt_BR', 'de'].map((language) => ({ name: 'order_confirmation', language }))
    const usage = await usageOf(rt, accountId, languages)
    expect(languages.map(usage)).toEqual([
      { sent: 2, delivered: 2, read: 0, failed: 0 },
      { sent: 1, delivered: 1, read: 0, failed: 1 },
      { sent: 0, delivered: 0, read: 0, failed: 0 },
    ])
    const elsewhere = await usageOf(rt, 'acc_another', languages)
    expect(languages.map((one) => elsewhere(one).sent)).toEqual([0, 0, 0])
    const unit = new Unit()
    const call = unit.add(deleteOldTemplateDays, { before: noon - 6 * dayMs, count: 10 })
    expect((await rt.store.write(unit)).rows(call)).toHaveLength(2)
    expect(languages.map(await usageOf(rt, accountId, languages))).toMatchObject([
      { sent: 1 },
      { sent: 1 },
      { sent: 0 },
    ])
  })

  test('is taken away in bites', async () => {
    const series = seriesFor(countSeries, ['template'], dayMs)
    for (const name of ['a', 'b', 'c']) await rt.store.write(sentOnce(factsOf('acc_bites', { template: name })))
    await foldSteps(rt)
    const bite = async () => {
      const unit = new Unit()
      const call = unit.add(deleteOldCounts, { account_id: 'acc_bites', series, before: noon, count: 2 })
      return (await rt.store.write(unit)).rows(call).length
    }
    expect([await bite(), await bite(), await bite()]).toEqual([2, 1, 0])
  })
})

const dropPepper = operation({
  name: 'test.drop_pepper',
  input: {},
  alone: true,
  sql: "delete from installation where name = 'pepper'",
})
