import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countCreated } from '../../server/src/analytics/count-message.ts'
import { foldSteps } from '../../server/src/analytics/fold-steps.ts'
import { getAnalytics } from '../../server/src/analytics/get-analytics.ts'
import { getCosts } from '../../server/src/analytics/get-costs.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { estimateCost, priceKey, readPriceKey } from '../../server/src/costs/price-of.ts'
import { everyAccount, importRates, listRates, removeRates } from '../../server/src/costs/rate-cards.ts'
import { applyStatuses } from '../../server/src/messages/apply-statuses.ts'
import { getMessage } from '../../server/src/messages/get-message.ts'
import { messageFacts } from '../../server/src/messages/message-record.ts'
import type { StatusItem } from '../../server/src/platform/callback-item.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { insertBroadcastMessage } from '../../server/src/store/broadcasts/results.ts'
import { insertChannel } from '../../server/src/store/channels/channels.ts'
import { saveNumber } from '../../server/src/store/channels/numbers.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import {
  findMessagesById,
  insertMessage,
  type MessageRow,
  newMessage,
} from '../../server/src/store/messages/messages.ts'
import { engines } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'

const accountId = 'acc_one'
const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }
const midnight = Date.UTC(2026, 9, 1)
const hourMs = 3_600_000

/** Three WABAs whose midnight, and with it the new card, comes at three different times. */
const wabas = [
  { id: 'a', zone: 'Asia/Kolkata', currency: 'INR', offsetMs: 5.5 * hourMs },
  { id: 'b', zone: 'UTC', currency: 'USD', offsetMs: 0 },
  { id: 'c', zone: 'America/Los_Angeles', currency: 'USD', offsetMs: -7 * hourMs },
] as const
type Waba = (typeof wabas)[number]

/** What a card says, counted here by hand. Portugal is of Rest of Western Europe, and no card has Japan. */
const rates = {
  september: {
    BR: { marketing: 625, utility: 68 },
    IN: { marketing: 118, utility: 14 },
    PT: { marketing: 592, utility: 171 },
  },
  october: {
    BR: { marketing: 700, utility: 80 },
    IN: { marketing: 130, utility: 15 },
    PT: { marketing: 600, utility: 180 },
  },
} as const
type Month = keyof typeof rates

function fileOf(month: Month, currency: string, add = 0): string {
  const { BR, IN, PT } = rates[month]
  const amount = (value: number) => ((value + add) / 10_000).toFixed(4)
  const row = (name: string, { marketing, utility }: { marketing: number; utility: number }) =>
    `${name},${currency},${amount(marketing)},${amount(utility)},n/a`
  const rows = [row('Brazil', BR), row('India', IN), row('Rest of Western Europe', PT)]
  return ['Market,Currency,Marketing,Utility,Authentication', ...rows].join('\r\n')
}

const prices = [
  { category: 'marketing', type: 'regular' },
  { category: 'utility', type: 'regular' },
  { category: 'authentication', type: 'regular' },
  { category: 'service', type: 'free_customer_service' },
  { category: 'utility', type: 'regular', free: true },
] as const

type Sent = { row: MessageRow; waba: Waba; price: (typeof prices)[number] | null; deliveredAt: number }

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe.each(engines)('what messages cost, on %s', (engine) => {
  let world: TestRuntime
  let rt: Runtime
  let sent: Sent[]

  beforeAll(async () => {
    world = await aRuntime(engine)
    rt = world.rt
    world.clock.advance(midnight + 3 * 24 * hourMs - world.clock.now())
    await addWabas(rt)
    sent = await play(rt)
  }, 3_600_000)
  afterAll(() => world.dispose())

  const range = { from: '2026-09-25', to: '2026-10-10' }
  const bring = (month: Month, currency: string, add = 0) =>
    importRates(
      rt,
      everyAccount,
      {
        name: `${month}.csv`,
        from: month === 'september' ? '2026-07-01' : '2026-10-01',
        text: fileOf(month, currency, add),
      },
      author,
    )

  test('is counted without a card, and has no amount', async () => {
    const { totals } = await getCosts(rt, accountId, range)
    const count = sent.filter(({ price }) => price !== null).length
    expect(totals.reduce((sum, { priced, unpriced }) => sum + priced + unpriced, 0)).toBe(count)
    // What Meta names free costs nothing, with a card and without.
    expect(totals.map(({ amount, priced, free }) => [amount, priced === free])).toEqual([
      ['0.0000', true],
      ['0.0000', true],
    ])
  })

  test('equals a recount of the messages, with cards that change at midnight of three time zones', async () => {
    // Imported late: they price what was delivered before.
    for (const currency of ['USD', 'INR'])
      for (const month of ['october', 'september'] as const) await bring(month, currency)
    await expectRecount(rt, sent, 0)
    recordFigure('cost recount', `messages on ${engine}`, sent.length)
  })

  test('is corrected by a corrected card, and loses its amount with a removed one', async () => {
    const before = await getCosts(rt, accountId, range)
    const card = await bring('october', 'USD', 5)
    await expectRecount(rt, sent, 5)
    const { cards } = await listRates(rt, accountId, { history: true })
    expect(cards.find(({ replaced_by }) => replaced_by === card.id)).toMatchObject({
      from: '2026-10-01',
      currency: 'USD',
    })
    await expect(removeRates(rt, accountId, card.id, author)).rejects.toMatchObject({ code: 'rate_card_not_found' })
    await removeRates(rt, everyAccount, card.id, author)
    await bring('october', 'USD')
    expect((await getCosts(rt, accountId, range)).totals).toEqual(before.totals)
  })

  test('is nothing of another account, and an own card wins over the card of all', async () => {
    expect((await getCosts(rt, 'acc_two', range)).totals).toEqual([])
    const own = await importRates(
      rt,
      accountId,
      { name: 'own.csv', from: '2026-01-01', text: fileOf('september', 'USD', 5) },
      author,
    )
    const usd = (await getCosts(rt, accountId, range)).totals.find(({ currency }) => currency === 'USD')
    expect(usd?.amount).toBe(
      amountOf(
        sent.filter(({ waba }) => waba.currency === 'USD'),
        () => 'september',
        5,
      ),
    )
    await removeRates(rt, accountId, own.id, author)
  })

  test('is on the message, for those who may see costs', async () => {
    const one = sent.find(
      ({ price, row, waba }) => price?.category === 'marketing' && row.country === 'BR' && waba.id === 'b',
    )
    if (!one) throw new Error('No message is priced.')
    const amount = (rates[monthOf(one)].BR.marketing / 10_000).toFixed(4)
    const { price } = await getMessage(rt, accountId, one.row.id, true)
    expect(price).toEqual({
      category: 'marketing',
      type: 'regular',
      free: false,
      day: dayOf(one),
      currency: 'USD',
      amount,
    })
    expect((await getMessage(rt, accountId, one.row.id)).price).toMatchObject({
      category: 'marketing',
      currency: null,
      amount: null,
    })
  })

  test('is estimated by the list rate of today, for one recipient as for many', async () => {
    const estimate = (category: string, recipients: Map<string | null, number>) =>
      estimateCost(rt, { accountId, numberId: 'pn_b', category, recipients })
    const many = new Map([
      ['BR', 3],
      ['PT', 1],
      ['JP', 2],
      [null, 1],
    ] as const)
    expect(await estimate('marketing', many)).toEqual({
      currency: 'USD',
      amount: ((3 * rates.october.BR.marketing + rates.october.PT.marketing) / 10_000).toFixed(4),
      international_amount: null,
      category: 'marketing',
      priced: 4,
      unpriced: 3,
      basis: 'list_rate',
    })
    expect((await estimate('authentication', new Map([['BR', 1]]))).amount).toBeNull()
  })

  test('is in analytics for those who may see costs, with the same sums', async () => {
    const query = { ...range, group_by: ['template'], limit_groups: 50 }
    const seen = await getAnalytics(rt, accountId, query, { seesCosts: true })
    const costs = await getCosts(rt, accountId, { ...range, group_by: ['template'] })
    expect(seen.totals.costs).toEqual(costs.totals)
    for (const { group, costs: own } of costs.groups) {
      expect(seen.series.find((series) => series.group.template === group.template)?.totals.costs).toEqual(own)
    }
    expect((await getAnalytics(rt, accountId, query)).totals.costs).toBeNull()
  })
})

function dayOf({ waba, deliveredAt }: Sent): string {
  return new Date(deliveredAt + waba.offsetMs).toISOString().slice(0, 10)
}

const monthOf = (one: Sent): Month => (dayOf(one) < '2026-10-01' ? 'september' : 'october')

/** Ten-thousandths; null where no card has a rate. */
function rateOf({ row, price }: Sent, month: Month, add: number): number | null {
  if (price === null) return null
  if ('free' in price || price.type.startsWith('free_')) return 0
  const market = rates[month][row.country as 'BR'] as Record<string, number> | undefined
  const rate = market?.[price.category]
  return rate === undefined ? null : rate + add
}

function amountOf(some: readonly Sent[], month: (one: Sent) => Month, add: number): string {
  const sum = some.reduce((total, one) => total + (rateOf(one, month(one), add) ?? 0), 0)
  return (sum / 10_000).toFixed(4)
}

async function expectRecount(rt: Runtime, sent: readonly Sent[], octoberUsd: number): Promise<void> {
  const addTo = (one: Sent) => (monthOf(one) === 'october' && one.waba.currency === 'USD' ? octoberUsd : 0)
  const costsOf = (some: readonly Sent[]) => {
    const told = some.filter(({ price }) => price !== null)
    return [...Map.groupBy(told, ({ waba }) => waba.currency)].map(([currency, own]) => {
      const known = own.map((one) => rateOf(one, monthOf(one), addTo(one)))
      const priced = known.filter((rate) => rate !== null)
      return {
        currency,
        amount: priced.length === 0 ? null : (priced.reduce((sum, rate) => sum + rate, 0) / 10_000).toFixed(4),
        priced: priced.length,
        free: own.filter(({ price }) => price && ('free' in price || price.type.startsWith('free_'))).length,
        unpriced: known.length - priced.length,
        reported: null,
      }
    })
  }
  const sorted = <One extends { currency: string | null }>(costs: readonly One[]) =>
    [...costs].sort((a, b) => ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1))
  const groupings: Record<string, (one: Sent) => string | null> = {
    day: dayOf,
    template: ({ row }) => row.template,
    country: ({ row }) => row.country,
    phone_number: ({ row }) => row.number_id,
    pricing_category: ({ price }) => price?.category ?? null,
    api_key: ({ row }) => row.api_key_id,
    category: ({ row }) => row.category,
    broadcast: ({ row }) => row.broadcast_id,
  }
  for (const [name, keyOf] of Object.entries(groupings)) {
    const answer = await getCosts(rt, accountId, { from: '2026-09-25', to: '2026-10-10', group_by: [name] })
    expect(sorted(answer.totals)).toEqual(sorted(costsOf(sent)))
    const expected = Map.groupBy(
      sent.filter(({ price }) => price !== null),
      keyOf,
    )
    expect(answer.groups.map(({ group }) => group[name] ?? null).sort()).toEqual([...expected.keys()].sort())
    for (const { group, costs } of answer.groups) {
      expect(sorted(costs)).toEqual(sorted(costsOf(expected.get(group[name] ?? null) ?? [])))
    }
  }
  const half = await getCosts(rt, accountId, { from: '2026-09-25', to: '2026-10-01' })
  expect(sorted(half.totals)).toEqual(sorted(costsOf(sent.filter((one) => monthOf(one) === 'september'))))
  expect(half.time_zones).toEqual(['America/Los_Angeles', 'Asia/Kolkata', 'UTC'])
}

async function addWabas(rt: Runtime): Promise<void> {
  const unit = new Unit()
  const now = rt.clock.now()
  for (const { id, zone, currency } of wabas) {
    unit.add(insertChannel, {
      id: `chn_${id}`,
      callback_id: id,
      account_id: accountId,
      kind: 'cloud',
      waba_id: id,
      app_id: null,
      access_token: null,
      app_secret: null,
      verify_token: null,
      base_url: 'https://platform.test',
      graph_version: 'v1',
      status: 'connected',
      name: null,
      business_verified: 1,
      marketing_messages: 0,
      currency,
      time_zone: zone,
      token_expires_at: null,
      last_event_at: null,
      checked_at: null,
      check_steps: null,
      connected_at: now,
      disconnected_at: null,
      updated_at: now,
      revision: 1,
    })
    unit.add(saveNumber, {
      id: `pn_${id}`,
      channel_id: `chn_${id}`,
      account_id: accountId,
      phone_number_id: id,
      phone_number: `+1202555010${wabas.findIndex((one) => one.id === id)}`,
      display_name: null,
      status: 'CONNECTED',
      quality: null,
      sends_per_second: 80,
      messaging_limit: null,
      preferred_at: 0,
      last_inbound_at: null,
      connected_at: now,
      disconnected_at: null,
      updated_at: now,
    })
  }
  await rt.store.write(unit)
}

/** Messages around the midnights, their reports in any order and repeated, many at once while others fold. */
async function play(rt: Runtime): Promise<Sent[]> {
  const chance = seeded(11)
  const pick = <T>(values: readonly T[]) => values[Math.floor(chance() * values.length)] as T
  let place = 0
  const sent = Array.from({ length: scaled(240) }, (): Sent => {
    const waba = pick(wabas)
    // The first and the last second of a day too.
    const edge = midnight - waba.offsetMs + pick([-1_000, 0, 1_000])
    const deliveredAt = chance() < 0.3 ? edge : Math.floor((midnight + (chance() - 0.5) * 48 * hourMs) / 1_000) * 1_000
    const template = pick(['sale', 'code', null])
    const row = newMessage({
      id: rt.newId('out'),
      account_id: accountId,
      number_id: `pn_${waba.id}`,
      direction: 'outbound',
      type: template ? 'template' : 'text',
      status: 'queued',
      channel_message_id: rt.newId('out'),
      phone: '+5511999990000',
      template,
      category: template === 'sale' ? 'marketing' : template ? 'utility' : null,
      country: pick(['BR', 'IN', 'PT', 'JP']),
      api_key_id: pick(['key_a', 'key_b']),
      broadcast_id: pick([null, 'bct_a', 'bct_b']),
      group_no: 1,
      place: place++,
      history: '[]',
      created_at: deliveredAt - 60_000,
    })
    return { row, waba, price: chance() < 0.9 ? pick(prices) : null, deliveredAt }
  })
  const queue = sent.values()
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const one of queue) {
        const unit = new Unit()
        unit.add(one.row.broadcast_id === null ? insertMessage : insertBroadcastMessage, {
          ...one.row,
          customer_address: null,
        })
        countCreated(unit, messageFacts(one.row))
        await rt.store.write(unit)
        const reports = ['sent', 'delivered', 'delivered', 'read'].map((status) => ({ status, at: chance() }))
        await Promise.all(
          reports.sort((a, b) => a.at - b.at).map(({ status }) => applyStatuses(rt, [reportOf(one, status)])),
        )
        if (chance() < 0.05) await foldSteps(rt)
      }
    }),
  )
  const rows = await rt.store.read(findMessagesById, { ids: sent.map(({ row }) => row.id) })
  expect(rows.every(({ status }) => status === 'read')).toBe(true)
  return sent
}

function reportOf({ row, waba, price, deliveredAt }: Sent, status: string) {
  const at = status === 'sent' ? deliveredAt - 30_000 : status === 'read' ? deliveredAt + 26 * hourMs : deliveredAt
  const item: StatusItem = {
    kind: 'status',
    dedupeKey: `${row.id} ${status}`,
    wabaId: waba.id,
    phoneNumberId: waba.id,
    channelMessageId: row.channel_message_id ?? '',
    status: status as StatusItem['status'],
    platformStatus: status,
    at,
    recipient: { phone: row.phone, userId: null },
    correlation: null,
    failures: [],
    pricing: status === 'delivered' ? price : null,
  }
  const channel = { id: `chn_${waba.id}`, kind: 'cloud' as const, wabaId: waba.id, timeZone: waba.zone }
  return { item, context: { accountId, channel, number: null, receivedAt: at } }
}

test('a price key keeps what Meta said', () => {
  for (const facts of [
    { category: 'utility', type: null, free: false },
    { category: 'utility', type: null, free: true },
    { category: 'marketing', type: 'regular', free: true },
    { category: 'service', type: 'free_entry_point', free: true },
  ]) {
    expect(readPriceKey(priceKey(facts))).toEqual(facts)
  }
})
