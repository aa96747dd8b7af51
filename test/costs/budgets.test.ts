import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { changeBudget, createBudget, listBudgets, removeBudget } from '../../server/src/budgets/budgets.ts'
import { followBudgets, recountBudgets } from '../../server/src/budgets/follow-budgets.ts'
import { scopes } from '../../server/src/contract/scopes.ts'
import { parseAmount } from '../../server/src/costs/money.ts'
import { priceOf, readPriceKey, readPriceList } from '../../server/src/costs/price-of.ts'
import { importRates, removeRates } from '../../server/src/costs/rate-cards.ts'
import { createProcessState } from '../../server/src/create-runtime.ts'
import { createApp } from '../../server/src/http/app.ts'
import type { App } from '../../server/src/http/edge/context.ts'
import { addBudgetRoutes } from '../../server/src/http/shared/budgets.ts'
import { apiMount } from '../../server/src/http/shared/mount.ts'
import { addSendRoutes } from '../../server/src/http/shared/sends.ts'
import { addAuthRoutes } from '../../server/src/http/v1/auth.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { applyStatuses } from '../../server/src/messages/apply-statuses.ts'
import { historyOf } from '../../server/src/messages/message-record.ts'
import { giveUpUnknown } from '../../server/src/messages/unknown.ts'
import type { SendReceipt } from '../../server/src/platform/chat-platform.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { noteChannelHealth } from '../../server/src/store/channels/channels.ts'
import { type Operation, query } from '../../server/src/store/engine/operation.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { findMessagesById, type MessageRow } from '../../server/src/store/messages/messages.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import { insertTemplate, templateColumns } from '../../server/src/store/templates/templates.ts'
import { engines } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { saveCloudChannel } from '../support/save-cloud-channel.ts'

const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }
const zone = 'America/Los_Angeles'
/** Two hours before October in Los Angeles. */
const start = Date.UTC(2026, 9, 1, 5)
const hourMs = 3_600_000
const rate = 20_000

const messageIds = query({
  name: 'test.outbound_ids',
  params: { account_id: 'text' },
  returns: { id: 'text' },
  sql: `select id from messages where account_id = :account_id and direction = 'outbound'`,
})
const periods = query({
  name: 'test.budget_periods',
  params: { budget_id: 'text' },
  returns: { period: 'int', reserved: 'int', spent: 'int' },
  sql: 'select period, reserved, spent from budget_periods where budget_id = :budget_id order by period',
})
const eventsOf = query({
  name: 'test.budget_events',
  params: { account_id: 'text' },
  returns: { type: 'text' },
  sql: `select type from events where account_id = :account_id and type like 'budget.%' order by seq`,
})

type Outcome = 'sent' | 'refused' | 'lost'
type Node = { rt: Runtime; app: App }

describe.each(engines)('a budget, on %s', (engine) => {
  let world: TestRuntime
  const others: Store[] = []
  const nodes: Node[] = []
  let rt: Runtime
  let serial = 0
  let outcome: Outcome = 'sent'

  beforeAll(async () => {
    world = await aRuntime(engine, { POSTERN_REQUEST_LOG: 'off', POSTERN_SEND_SETTLE_WAIT_MS: '1' })
    const stores = [world.rt.store]
    for (let n = 0; n < 2 && engine === 'postgres'; n++) {
      const store = await openStore({ database: world.database, now: world.clock.now(), migrateFirst: false })
      stores.push(store)
      others.push(store)
    }
    const send = async (): Promise<SendReceipt> => {
      if (outcome === 'refused') throw aFailure('refused')
      if (outcome === 'lost') throw aFailure('unknown')
      return { messageId: `wamid.${engine}.${++serial}`, waId: null, userId: null, held: false, answer: {} }
    }
    world.clock.advance(start - world.clock.now())
    for (const store of stores) {
      const state = createProcessState({ ...world.rt, store })
      const own = { ...world.rt, store, ...state, platform: { ...world.rt.platform, send } }
      await own.recipients.loadKey()
      const app = await createApp(own, {
        readiness: { check: async () => [] },
        resources: [
          addAuthRoutes,
          (to, tools) => addSendRoutes(to, tools, apiMount),
          (to, tools) => addBudgetRoutes(to, tools, apiMount),
        ],
      })
      nodes.push({ rt: own, app })
    }
    rt = nodes[0]?.rt ?? world.rt
  })
  afterAll(async () => {
    for (const { app } of nodes) await app.close()
    for (const one of others) await one.close()
    await world.dispose()
  })

  const advance = (ms: number) => world.clock.advance(ms)
  const write = (operation: unknown, ...rows: object[]) => {
    const unit = new Unit()
    unit.add(operation as Operation, ...(rows as never[]))
    return rt.store.write(unit)
  }

  /** A card on which everything costs the same in Portugal and twice that in Brazil. */
  const bring = (accountId: string, marketing = '0.02') =>
    importRates(
      rt,
      accountId,
      {
        name: 'usd.csv',
        from: '2026-01-01',
        text: `Market,Currency,Marketing,Utility,Authentication,Service\nPortugal,USD,${marketing},0.02,0.02,0.02\nBrazil,USD,0.04,0.04,0.04,0.04`,
      },
      author,
    )

  async function anAccount({ card = true } = {}) {
    const { account, owner } = await createAccount(rt, { name: 'Acme', plan: 'enterprise', actor: operator })
    const accountId = account.id
    const { channel } = await saveCloudChannel(rt, accountId, ++serial)
    const nulls = {
      status: null,
      name: null,
      business_verified: null,
      marketing_messages: null,
      token_known: 0,
      token_expires_at: null,
    }
    await write(noteChannelHealth, {
      ...nulls,
      id: channel.id,
      revision: channel.revision,
      currency: 'USD',
      time_zone: zone,
      now: rt.clock.now(),
    })
    for (const category of ['marketing', 'authentication']) await addTemplate(accountId, channel.id, category)
    const rates = card ? await bring(accountId) : null
    const key = async () => {
      const { row, secret } = await createKey(rt, {
        accountId,
        name: 'Shop',
        scopes,
        createdBy: owner.id,
        actor: operator,
      })
      return { id: row.id, authorization: `Basic ${Buffer.from(`${row.public_key}:${secret}`).toString('base64')}` }
    }
    const { id: keyId, authorization } = await key()
    let customers = 0
    const send = (template = 'marketing', node = 0, headers = { authorization }, country = '+351912', query = '') =>
      nodes[node % nodes.length]?.app.inject({
        method: 'POST',
        url: `/v1/chat/messages/template${query}`,
        headers,
        payload: {
          to: `${country}${String(100_000 + serial * 500 + customers++).slice(-6)}`,
          template,
          language: 'en',
        },
      }) ?? Promise.reject(new Error('No node.'))
    const budget = (limit: string, more: object = {}) =>
      createBudget(rt, accountId, { name: 'All', period: 'month', currency: 'USD', limit, ...more }, author)
    const rows = async (): Promise<MessageRow[]> => {
      const ids = (await rt.store.read(messageIds, { account_id: accountId })).map(({ id }) => id)
      return rt.store.read(findMessagesById, { ids })
    }
    const report = (row: MessageRow, status: string, free = false) => {
      const at = rt.clock.now()
      const item = {
        kind: 'status' as const,
        dedupeKey: `${row.id} ${status}`,
        wabaId: channel.wabaId,
        phoneNumberId: '1',
        channelMessageId: row.channel_message_id ?? `wamid.late.${row.id}`,
        status: status as 'delivered',
        platformStatus: status,
        at,
        recipient: { phone: row.phone, userId: null },
        correlation: row.id,
        failures: [],
        pricing:
          status === 'delivered'
            ? { category: row.category ?? 'service', type: 'regular', ...(free ? { free: true as const } : {}) }
            : null,
      }
      const place = { id: channel.id, kind: 'cloud' as const, wabaId: channel.wabaId, timeZone: zone }
      return applyStatuses(rt, [{ item, context: { accountId, channel: place, number: null, receivedAt: at } }])
    }
    const events = async () => (await rt.store.read(eventsOf, { account_id: accountId })).map(({ type }) => type)
    return { accountId, keyId, key, rates, send, budget, rows, report, events }
  }
  type Account = Awaited<ReturnType<typeof anAccount>>

  async function addTemplate(accountId: string, channelId: string, category: string): Promise<void> {
    const nulls = Object.entries(templateColumns).flatMap(([name, type]) => (type.endsWith('?') ? [[name, null]] : []))
    const components = JSON.stringify([{ type: 'body', text: 'Hello' }])
    await write(insertTemplate, {
      ...Object.fromEntries(nulls),
      ...{ id: `tpl_${accountId}_${category}`, account_id: accountId, channel_id: channelId, channel_kind: 'cloud' },
      ...{ name: category, language: 'en', category, status: 'approved', parameter_format: 'positional', components },
      ...{ variables: '[]', search_text: '', source: 'platform', version: 1, change_count: 0 },
      ...{ created_at: 1, updated_at: 1, revision: 1 },
    })
  }

  /** From the messages alone: what is held for them, and what Meta charged for them with the cards of now. */
  async function recount({ accountId, rows }: Account, budgetId: string) {
    const list = await readPriceList(rt, accountId)
    const sums = new Map<number, { reserved: number; spent: number }>()
    const at = (period: number) => {
      const sum = sums.get(period) ?? { reserved: 0, spent: 0 }
      sums.set(period, sum)
      return sum
    }
    for (const row of await rows()) {
      for (const one of JSON.parse(row.reserved ?? '[]') as { budget_id: string; period: number; amount: number }[]) {
        if (one.budget_id === budgetId) at(one.period).reserved += one.amount
      }
      const told = historyOf(row).find(({ pricing }) => pricing !== undefined)
      if (told?.pricing === undefined || told.priceDay === undefined) continue
      const facts = readPriceKey(told.pricing)
      const price = priceOf(list, { country: row.country, currency: 'USD', day: told.priceDay, facts })
      at(new Date(told.priceDay).setUTCDate(1)).spent += price ?? 0
    }
    return [...sums].sort(([a], [b]) => a - b).map(([period, sum]) => ({ period, ...sum }))
  }
  const stored = (budgetId: string) => rt.store.read(periods, { budget_id: budgetId })
  async function expectExact(account: Account, budgetId: string): Promise<void> {
    const filled = (rows: { reserved: number; spent: number }[]) => rows.filter((one) => one.reserved + one.spent > 0)
    expect(filled(await stored(budgetId))).toEqual(filled(await recount(account, budgetId)))
  }
  const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code

  test('needs a card, and a number that is billed in its currency', async () => {
    const { budget, accountId } = await anAccount({ card: false })
    await expect(budget('10')).rejects.toMatchObject({ code: 'budget_needs_rates' })
    await expect(budget('10', { currency: 'EUR' })).rejects.toMatchObject({ code: 'validation_failed' })
    await bring(accountId)
    await expect(budget('0')).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await budget('10')).toMatchObject({
      limit: '10.0000',
      left: '10.0000',
      state: 'ok',
      period_start: '2026-09-01',
    })
  })

  test(`is never passed by what 64 callers reserve at the same moment${engine === 'postgres' ? ' on three nodes' : ''}`, async () => {
    const account = await anAccount()
    const room = scaled(100)
    // Every process remembers that the account has no budgets.
    for (const node of nodes.keys()) expect((await account.send('marketing', node)).statusCode).toBe(200)
    const { budget_id } = await account.budget(((room * rate) / 1_000_000).toFixed(6))
    const codes: (string | undefined)[] = []
    let left = room * 2
    await Promise.all(
      Array.from({ length: 64 }, async (_, caller) => {
        while (left-- > 0) {
          codes.push(codeOf(await account.send('marketing', caller)))
          // The number has a rate as well, 1,000 a second.
          advance(1)
        }
      }),
    )
    const told = Object.groupBy(codes, (code) => code ?? 'sent')
    const counts = Object.fromEntries(Object.entries(told).map(([code, list]) => [code, list?.length]))
    expect(counts).toEqual({ sent: room, budget_exceeded: room })
    const [period] = await stored(budget_id)
    expect(period).toMatchObject({ reserved: room * rate, spent: 0 })
    await expectExact(account, budget_id)
    recordFigure('budgets', `sends asked for by 64 callers, nodes: ${nodes.length}, ${engine}`, room * 2)
    recordFigure('budgets', `sends that found room, ${engine}`, room)
  })

  test('is told of once at its percentage and once at its end', async () => {
    const account = await anAccount()
    await account.budget('0.10')
    for (let n = 0; n < 4; n++) await account.send()
    await followBudgets(rt)
    await followBudgets(rt)
    expect(await account.events()).toEqual(['budget.warned'])
    await account.send()
    const refused = [await account.send(), await account.send()]
    expect(refused.map(codeOf)).toEqual(['budget_exceeded', 'budget_exceeded'])
    expect(refused[0]?.json().error.message).toContain('2026-10-01T07:00:00')
    await followBudgets(rt)
    expect(await account.events()).toEqual(['budget.warned', 'budget.exceeded'])
  })

  test('is told of again when it has another limit, and not when it has another name', async () => {
    const account = await anAccount()
    const { budget_id: id } = await account.budget('0.10')
    for (let n = 0; n < 4; n++) await account.send()
    await followBudgets(rt)
    await changeBudget(rt, account.accountId, { id, name: 'Autumn', stop: false, exempt: [], warn_at: 80 }, author)
    await followBudgets(rt)
    expect(await account.events()).toEqual(['budget.warned'])
    await changeBudget(rt, account.accountId, { id, limit: '0.09' }, author)
    await followBudgets(rt)
    await changeBudget(rt, account.accountId, { id, warn_at: 50 }, author)
    await followBudgets(rt)
    expect(await account.events()).toEqual(['budget.warned', 'budget.warned', 'budget.warned'])
  })

  test('without room is named by a dry run, which tells nobody else', async () => {
    const account = await anAccount()
    const dryRun = async (template = 'marketing') =>
      (await account.send(template, 0, undefined, undefined, '?dry_run=true')).json().data
    await account.budget('0.03')
    expect(await dryRun()).toMatchObject({ would_send: true, problems: [] })
    expect((await account.send()).statusCode).toBe(200)
    const problem = { code: 'budget_exceeded', message: expect.stringContaining('The budget All is used up') }
    expect(await dryRun()).toMatchObject({ would_send: false, problems: [problem] })
    expect((await dryRun('authentication')).would_send).toBe(true)
    expect(await account.events()).toEqual([])
  })

  test('lets codes pass, and counts them once they are delivered', async () => {
    const account = await anAccount()
    const { budget_id } = await account.budget('0.02')
    expect((await account.send()).statusCode).toBe(200)
    expect(codeOf(await account.send())).toBe('budget_exceeded')
    expect((await account.send('authentication')).statusCode).toBe(200)
    for (const row of await account.rows()) await account.report(row, 'delivered')
    expect(await stored(budget_id)).toMatchObject([{ reserved: 0, spent: 2 * rate }])
    await expectExact(account, budget_id)
    // Nothing is reserved any more, and there is no room all the same.
    expect(codeOf(await account.send())).toBe('budget_exceeded')
  })

  test('that does not stop only counts', async () => {
    const account = await anAccount()
    const { budget_id } = await account.budget('0.02', { stop: false })
    for (let n = 0; n < 3; n++) expect((await account.send()).statusCode).toBe(200)
    expect(await stored(budget_id)).toMatchObject([{ reserved: 3 * rate }])
  })

  test('of a key limits what that key sends', async () => {
    const account = await anAccount()
    const other = await account.key()
    await account.budget('0.02', { api_key_id: other.id })
    const headers = { authorization: other.authorization }
    expect((await account.send('marketing', 0, headers)).statusCode).toBe(200)
    expect(codeOf(await account.send('marketing', 1, headers))).toBe('budget_exceeded')
    expect((await account.send()).statusCode).toBe(200)
  })

  test('equals a recount after failures, lost answers, free messages, corrected cards and the turn of the month', async () => {
    const account = await anAccount()
    // Delivered before the budget is set: it counts.
    await account.send()
    for (const row of await account.rows()) await account.report(row, 'delivered')
    const { budget_id } = await account.budget('10')
    expect(await stored(budget_id)).toMatchObject([{ reserved: 0, spent: rate }])
    const play = async (what: Outcome) => {
      outcome = what
      const before = new Set((await account.rows()).map(({ id }) => id))
      await account.send('marketing', serial, undefined, serial % 2 ? '+351912' : '+551199')
      outcome = 'sent'
      return (await account.rows()).find(({ id }) => !before.has(id)) ?? Promise.reject(new Error('No message.'))
    }
    const fresh = async (row: MessageRow) => (await rt.store.read(findMessagesById, { ids: [row.id] }))[0] ?? row
    const sent = [await play('sent'), await play('sent'), await play('sent'), await play('sent')]
    const refused = await play('refused')
    const [lost, settledLate] = [await play('lost'), await play('lost')]
    expect(refused).toMatchObject({ status: 'failed', reserved: null })
    expect(lost).toMatchObject({ outcome: 'unknown', reserved: expect.any(String) })
    await expectExact(account, budget_id)
    const [one, two, three, four] = sent as [MessageRow, MessageRow, MessageRow, MessageRow]
    await account.report(one, 'delivered')
    await account.report(one, 'read')
    await account.report(two, 'delivered', true)
    await account.report(three, 'failed')
    expect(await fresh(three)).toMatchObject({ status: 'failed', reserved: null })
    await expectExact(account, budget_id)
    // A delivery proves a failure wrong.
    await account.report(await fresh(three), 'delivered')
    await account.report(await fresh(settledLate), 'delivered')
    await expectExact(account, budget_id)
    advance(3 * hourMs)
    // October in Los Angeles: what is delivered now is spent now, and free in September.
    await account.report(four, 'delivered')
    await play('sent')
    await expectExact(account, budget_id)
    expect((await stored(budget_id)).map(({ period }) => new Date(period).getUTCMonth())).toEqual([8, 9])
    await bring(account.accountId, '0.05')
    await followBudgets(rt)
    await expectExact(account, budget_id)
    await play('sent')
    await expectExact(account, budget_id)
    advance(9 * 24 * hourMs)
    await giveUpUnknown(rt)
    expect((await fresh(lost)).reserved).toBeNull()
    await expectExact(account, budget_id)
    advance(-9 * 24 * hourMs - 3 * hourMs)
  })

  test('lets sends go when its card ends, and says so', async () => {
    const account = await anAccount()
    const { budget_id } = await account.budget('0.02')
    await removeRates(rt, account.accountId, account.rates?.id ?? '', author)
    expect((await account.send()).statusCode).toBe(200)
    expect((await account.send()).statusCode).toBe(200)
    expect((await listBudgets(rt, account.accountId)).budgets).toMatchObject([{ budget_id, has_rates: false }])
    expect(await stored(budget_id)).toEqual([])
  })

  test('ends with its deletion on every node, and what it held is forgotten', async () => {
    const account = await anAccount()
    const { budget_id } = await account.budget('0.02')
    expect((await account.send()).statusCode).toBe(200)
    expect(codeOf(await account.send('marketing', 1))).toBe('budget_exceeded')
    await removeBudget(rt, account.accountId, budget_id, author)
    for (const node of nodes.keys()) expect((await account.send('marketing', node)).statusCode).toBe(200)
    for (const row of await account.rows()) await account.report(row, 'delivered')
    expect(await stored(budget_id)).toEqual([])
  })

  test('is corrected where it was wrong, by any number of processes at once', async () => {
    const account = await anAccount()
    const { budget_id } = await account.budget('10')
    for (let n = 0; n < 3; n++) await account.send()
    for (const row of await account.rows()) await account.report(row, 'delivered')
    await bring(account.accountId, '0.03')
    await Promise.all(nodes.flatMap((node) => [1, 2].map(() => recountBudgets(node.rt, account.accountId))))
    expect(await stored(budget_id)).toMatchObject([{ reserved: 0, spent: 3 * (parseAmount('0.03') ?? 0) }])
  })
})

function aFailure(outcome: 'refused' | 'unknown'): PlatformError {
  return outcome === 'refused'
    ? new PlatformError({ kind: 'rejected', outcome, code: 'channel_rejected' })
    : new PlatformError({ kind: 'unreachable', outcome, code: 'upstream_unavailable' })
}
