import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Member } from '../../server/src/access/console-member.ts'
import { findRequests } from '../../server/src/access/request-log.ts'
import type { DeliveryQuery } from '../../server/src/contract/deliveries.ts'
import type { EventQuery } from '../../server/src/contract/event-feed.ts'
import { plans } from '../../server/src/contract/plans.ts'
import { readFeed } from '../../server/src/events/read-feed.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import type { IdPrefix } from '../../server/src/lib/ids.ts'
import { findMessages } from '../../server/src/messages/console-log.ts'
import { type InboxReader, listConversations } from '../../server/src/messages/conversations/list-conversations.ts'
import { searchConversations } from '../../server/src/messages/conversations/search-conversations.ts'
import { listMessages } from '../../server/src/messages/get-message.ts'
import { readAuditLog } from '../../server/src/overview/console-audit.ts'
import type { PageRequest } from '../../server/src/paging.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { entriesMax } from '../../server/src/store/engine/list.ts'
import type { MessageFilters } from '../../server/src/store/messages/message-list.ts'
import { listTemplates } from '../../server/src/templates/get-template.ts'
import { listDeliveries } from '../../server/src/webhooks/replay/list-deliveries.ts'
import { type Cost, type ListCost, openListCost, type Question } from '../support/list-cost.ts'
import { engines } from '../support/postgres/databases.ts'
import { openRaw, type RawDatabase } from '../support/raw-database.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'

const rows = 50_000
/** Everything rare is among the oldest, behind two whole walks. */
const rare = 9
/** A row every ten seconds, over six days. */
const start = 20_000 * dayMs
const step = 10_000
const end = start + rows * step
const days = Math.ceil((rows * step) / dayMs)
const accountId = 'acc_1'
const id = (prefix: string) => `'${prefix}_' || (1000000000 + i)`
/** What is stored by day has ids that begin with the time: ten digits of base 32. */
const timeId = (prefix: IdPrefix) => {
  const digits = Array.from({ length: 10 }, (_, place) => {
    const digit = `((${start} + i * ${step}) / ${32 ** (9 - place)}) % 32`
    return `substr('0123456789abcdefghjkmnpqrstvwxyz', cast(${digit} as integer) + 1, 1)`
  })
  return `'${prefix}_' || ${digits.join(' || ')} || (1000000000 + i)`
}
/** Every tenth row is of another account, which no page may read. */
const owner = `case when i % 10 = 0 then 'acc_2' else '${accountId}' end`
const ifRare = (then: string, otherwise: string) => `case when i <= ${rare} then ${then} else ${otherwise} end`

/** Who was written to and never wrote, among customers who did. */
const orRare = (rareOne: string, usual: string) => `case when i = ${rows - 2} then ${rareOne} else ${usual} end`
const customerId = orRare(`'cus_rare'`, `'cus_' || (2000000000 + i)`)
const number = orRare(`'+12025550199'`, `'+1' || (2000000000 + i)`)

const tables: Record<string, { count: number; columns: Record<string, string> }> = {
  messages: {
    count: rows,
    columns: {
      id: id('out'),
      account_id: owner,
      number_id: `'num_1'`,
      direction: ifRare(`'inbound'`, `'outbound'`),
      type: ifRare(`'image'`, `'text'`),
      status: `case when i = 1 or i = ${rows - 1} then 'queued' when i <= ${rare} then 'failed' else 'read' end`,
      customer_id: ifRare(`'cus_rare'`, `'cus_' || (i % 500)`),
      phone: ifRare(`'+12025550199'`, `'+1202555' || (i % 500)`),
      template: ifRare(`'offer'`, 'null'),
      api_key_id: ifRare(`'key_2'`, `'key_1'`),
      client_reference: ifRare(`'old'`, `'ref' || i`),
      content: ifRare(`'{"text":"Needle"}'`, `'{"text":"Hay"}'`),
      error: `case when i > 1 and i <= ${rare} then '{"code":"media_expired","message":"","retryable":false}' end`,
      outcome: `case when i = 1 then 'unknown' end`,
      settle_by: `case when i = ${rows - 1} then ${end + step} end`,
      held: '0',
      history: `'[]'`,
      event_sequence: '1',
      created_at: `${start} + i * ${step}`,
      revision: '1',
    },
  },
  customers: {
    count: rows,
    columns: {
      id: customerId,
      account_id: owner,
      name: ifRare(`'Needle'`, `'Hay'`),
      active_at: `${start} + i * ${step}`,
      created_at: `${start} + i * ${step}`,
      revision: '1',
    },
  },
  customer_addresses: {
    count: rows,
    columns: {
      account_id: owner,
      address: number,
      shown: number,
      customer_id: customerId,
      linked_at: `${start} + i * ${step}`,
    },
  },
  contacts: {
    count: rows,
    columns: {
      number_id: `'num_1'`,
      customer_id: `'cus_' || (2000000000 + i)`,
      account_id: owner,
      last_inbound_at: `${start} + i * ${step}`,
    },
  },
  conversations: {
    count: rows,
    columns: {
      customer_id: `'cus_' || (2000000000 + i)`,
      account_id: owner,
      number_id: `'num_1'`,
      state: `'open'`,
      unread: 'i % 2',
      last_inbound_at: `${start} + i * ${step}`,
      active_at: `${start} + i * ${step}`,
    },
  },
  request_log: {
    count: rows,
    columns: {
      id: timeId('req'),
      account_id: owner,
      key_id: ifRare(`'key_2'`, `'key_1'`),
      at: `${start} + i * ${step}`,
      method: `'POST'`,
      route: `'/v1/chat/messages/send'`,
      status: ifRare('400', '200'),
      code: ifRare(`'validation_failed'`, 'null'),
      duration_ms: '1',
    },
  },
  audit_log: {
    count: rows,
    columns: {
      account_id: owner,
      seq: 'i',
      id: id('aud'),
      action: ifRare(`'key.created'`, `'user.signed_in'`),
      occurred_at: `${start} + i * ${step}`,
      entry: `'{"id":"' || i || '","action":"","occurred_at":"","actor":{"type":"user","id":"usr_' || ${ifRare('2', '1')} || '","name":""},"targets":[],"context":{},"metadata":{}}'`,
      prev_hash: `''`,
      hash: `''`,
    },
  },
  events: {
    count: rows,
    columns: {
      tx: '0',
      id: timeId('evt'),
      account_id: owner,
      type: ifRecent(`'message.failed'`, `'message.read'`),
      subject: ifRecent(`'out_recent'`, id('out')),
      sequence: '1',
      created_at: `${start} + i * ${step}`,
      body: `'{"id":"' || i || '"}'`,
    },
  },
  webhooks: {
    count: 1,
    columns: {
      ...{
        id: `'whk_1'`,
        account_id: `'${accountId}'`,
        kind: `'events'`,
        url: `'https://hooks.test/'`,
        events: `' * '`,
      },
      ...{ active: '1', max_in_flight: '1', verification: `'verified'`, verification_attempts: '0' },
      ...{ verification_lease_until: '0', created_at: '1', updated_at: '1', revision: '1' },
    },
  },
  webhook_states: {
    count: 1,
    columns: { webhook_id: `'whk_1'`, total_sent: '0', total_failed: '0', paused_until: '0', replay_matched: '0' },
  },
  deliveries: {
    count: rows,
    columns: {
      webhook_id: `case when i % 10 = 0 then 'whk_2' else 'whk_1' end`,
      id: timeId('dlv'),
      account_id: owner,
      type: ifRare(`'message.failed'`, `'message.read'`),
      status: ifRare(`'failed'`, `'delivered'`),
      attempts: '1',
      cause: `'schedule'`,
      created_at: `${start} + i * ${step}`,
    },
  },
  templates: {
    count: rows,
    columns: {
      id: id('tpl'),
      account_id: owner,
      channel_id: `'chl_1'`,
      channel_kind: `'cloud'`,
      name: `'name_' || (2000000000 - i)`,
      language: `'en_US'`,
      category: ifRare(`'marketing'`, `'utility'`),
      parameter_format: `'named'`,
      components: `'[]'`,
      variables: `'[]'`,
      search_text: `''`,
      status: `'approved'`,
      source: `'platform'`,
      version: '1',
      change_count: '1',
      created_at: '1',
      updated_at: '1',
      revision: '1',
    },
  },
}

/** The feed begins with the oldest: what is rare in it is among the newest. */
function ifRecent(then: string, otherwise: string): string {
  return `case when i > ${rows - rare - 1} then ${then} else ${otherwise} end`
}

type Page = { pagination: { has_more: boolean; next_cursor: string | null; searched_back_to?: string } }

const isRare = { direction: 'inbound', type: 'image', template: 'offer', apiKeyId: 'key_2' } as const
const byTime = 'messages_list'

/** Each documented filter, the index it walks, and the rows it finds. */
const messageCases: readonly [name: string, filters: MessageFilters, index: string, found: number][] = [
  ['no filter', { since: end - 30 * step }, byTime, 27],
  ['a direction', { direction: 'inbound' }, byTime, rare],
  ['a type', { type: 'image' }, byTime, rare],
  ['a template', { template: 'offer' }, byTime, rare],
  ['a key', { apiKeyId: 'key_2' }, byTime, rare],
  ['a status that few have', { status: ['failed'] }, 'messages_failures', rare - 1],
  ['the status queued', { status: ['queued'] }, 'messages_open', 2],
  ['several statuses', { status: ['failed', 'queued'] }, byTime, rare + 1],
  ['a status that nothing has', { status: ['delivered'] }, byTime, 0],
  ['an unknown outcome', { outcome: 'unknown' }, 'messages_open', 1],
  ['the code of a failure', { errorCode: 'media_expired' }, 'messages_failures', rare - 1],
  ['a customer', { customerId: 'cus_rare' }, 'messages_customer', rare],
  ['a reference', { clientReference: 'old' }, 'messages_reference', rare],
  ['a day', { since: start + 5 * step, until: start + 8 * step }, byTime, 3],
  [
    'everything rare together',
    { ...isRare, status: ['failed'], customerId: 'cus_rare' },
    'messages_customer',
    rare - 1,
  ],
  ['a type and a status', { type: 'image', status: ['failed'] }, 'messages_failures', rare - 1],
  ['a key and a time', { apiKeyId: 'key_2', until: start + 30_000 * step }, byTime, rare],
]

describe.each(engines)(`on %s, with ${rows} rows in each list`, (engine) => {
  let made: TestRuntime
  let raw: RawDatabase
  let cost: ListCost
  let rt: Runtime
  let member: Member
  let inboxReader: InboxReader
  const asked: Question[] = []

  beforeAll(async () => {
    made = await aRuntime(engine)
    raw = await openRaw(made.database)
    await made.rt.store.days.make(start)
    for (const [table, { count, columns }] of Object.entries(tables)) await raw.fill(table, count, columns)
    if (engine === 'postgres') await raw.run('analyze')
    cost = await openListCost(made.database)
    const { store } = made.rt
    const list: typeof store.list = (query, owner) => {
      asked.push(query)
      return store.list(query, owner)
    }
    rt = { ...made.rt, store: { ...store, list } }
    member = { accountId, role: 'owner', plan: plans.enterprise } as unknown as Member
    const sender = { accountId, phoneNumberIds: null, keyId: null }
    inboxReader = { accountId, phoneNumberIds: null, seesPeople: true, sender }
  }, 300_000)
  afterAll(async () => {
    await cost?.close()
    await raw?.close()
    await made?.dispose()
  })

  /** All pages to the end, each measured. */
  async function walk<P extends Page>(read: (page: PageRequest) => Promise<P>, limit = 100) {
    const pages: P[] = []
    const costs: Cost[] = []
    let cursor: string | null = null
    do {
      asked.splice(0)
      const page = await read({ limit, cursor })
      for (const question of asked) costs.push(await cost.of(question))
      expect(page.pagination.has_more).toBe(page.pagination.next_cursor !== null)
      pages.push(page)
      cursor = page.pagination.next_cursor
    } while (cursor !== null)
    return { pages, read: Math.max(...costs.map(({ read }) => read)), costs }
  }

  test.each(messageCases)('messages with %s read at most a walk for a page', async (_, filters, index, found) => {
    for (const order of ['desc', 'asc'] as const) {
      const { pages, read, costs } = await walk((page) => listMessages(rt, accountId, { ...page, filters, order }))
      expect(read).toBeLessThanOrEqual(entriesMax)
      for (const { indexes } of costs) expect(indexes).toContain(index)
      const ids = pages.flatMap(({ messages }) => messages).map((message) => message.message_id)
      expect(ids).toHaveLength(found)
      expect(order === 'desc' ? ids.toSorted().reverse() : ids.toSorted()).toEqual(ids)
    }
  })

  test('any two filters of messages together read at most a walk', async () => {
    const each: MessageFilters[] = messageCases.map(([, filters]) => filters)
    for (const [index, one] of each.entries()) {
      for (const other of each.slice(index + 1)) {
        const filters = { ...one, ...other }
        asked.splice(0)
        await listMessages(rt, accountId, { filters, order: 'desc', limit: 100, cursor: null })
        for (const question of asked) {
          const { read } = await cost.of(question)
          expect([filters, read <= entriesMax]).toEqual([filters, true])
        }
      }
    }
  })

  test('a page that found nothing says how far it searched, and the next ones find the rest', async () => {
    const { pages } = await walk((page) =>
      listMessages(rt, accountId, { ...page, filters: { type: 'image' }, order: 'desc' }),
    )
    // Of ten rows nine are read.
    const own = Array.from({ length: rows }, (_, index) => rows - index).filter((i) => i % 10 > 0)
    const searched = (walks: number) => new Date(start + (own[walks * entriesMax - 1] ?? 0) * step).toISOString()
    expect(
      pages.map(({ messages, pagination }) => [messages.length, pagination.has_more, pagination.searched_back_to]),
    ).toEqual([
      [0, true, searched(1)],
      [0, true, searched(2)],
      [rare, false, undefined],
    ])
  })

  test('a page of what most rows have ends with its limit', async () => {
    const question = async (filters: MessageFilters) => {
      asked.splice(0)
      await listMessages(rt, accountId, { filters, order: 'desc', limit: 25, cursor: null })
      return (await cost.of(asked[0] as Question)).read
    }
    expect(await question({ direction: 'outbound' })).toBeLessThan(100)
    expect(await question({})).toBeLessThan(100)
  })

  test.each([
    ['not sent', { status: 'not_sent' }, rare],
    ['a template', { template: 'offer' }, rare],
    ['a code', { code: 'media_expired' }, rare - 1],
    ['a key', { key_id: 'key_2' }, 2 * rare],
    ['a customer', { search: '+12025550199' }, rare],
  ] as const)('the log of the console with %s reads at most a walk for each list', async (_, filter, found) => {
    const { pages, read } = await walk((page) => findMessages(rt, member, filter, page))
    expect(read).toBeLessThanOrEqual(entriesMax)
    expect(pages.flatMap(({ entries }) => entries)).toHaveLength(found)
  })

  test.each([
    ['refused', { outcome: 'refused' }, rare],
    ['a key', { key_id: 'key_2' }, rare],
    ['a search', { search: 'validation_failed' }, rare],
    ['a key and a search', { key_id: 'key_2', search: 'media' }, 0],
  ] as const)('the request log with %s reads at most a walk', async (_, filter, found) => {
    const { pages, read } = await walk((page) => findRequests(rt, member, filter, page))
    // Days are merged, with a row of each in hand.
    expect(read).toBeLessThanOrEqual(entriesMax + days)
    expect(pages.flatMap(({ requests }) => requests)).toHaveLength(found)
  })

  test.each([
    ['an action', { action: 'key' }, rare],
    ['an actor', { actor: 'usr_2' }, rare],
    ['both', { action: 'key.created', actor: 'usr_2' }, rare],
  ] as const)('the audit log with %s reads at most a walk', async (_, filter, found) => {
    const { pages, read } = await walk((page) => readAuditLog(rt, member, filter, page))
    expect(read).toBeLessThanOrEqual(entriesMax)
    expect(pages.flatMap(({ entries }) => entries)).toHaveLength(found)
  })

  test('the feed of one type reads at most a walk, and continues where it ended', async () => {
    const found: string[] = []
    const seen: [number, boolean, boolean][] = []
    let cursor: string | undefined
    do {
      asked.splice(0)
      const { events, pagination } = await readFeed(rt, accountId, {
        type: 'message.failed',
        limit: 100,
        ...(cursor && { cursor }),
      })
      for (const question of asked) expect((await cost.of(question)).read).toBeLessThanOrEqual(entriesMax + days)
      found.push(...events.map((event) => event.id))
      seen.push([events.length, pagination.has_more, pagination.searched_back_to !== undefined])
      cursor = pagination.has_more ? pagination.next_cursor : undefined
    } while (cursor !== undefined)
    expect(found).toHaveLength(rare)
    expect(seen).toEqual([
      [0, true, true],
      [0, true, true],
      [rare, false, false],
    ])
  })

  test('the feed from a time on, and that of one message, read what they show', async () => {
    const read = async (query: EventQuery) => {
      asked.splice(0)
      const { events } = await readFeed(rt, accountId, query)
      const costs = await Promise.all(asked.map((question) => cost.of(question)))
      return [events.length, Math.max(...costs.map((one) => one.read))]
    }
    const since = new Date(end - 20 * step).toISOString()
    const [recent = 0, readSince = 0] = await read({ since, limit: 100 })
    expect(recent).toBe(18)
    expect(readSince).toBeLessThan(100)
    const [ofMessage = 0, readOf = 0] = await read({ message_id: 'out_recent', limit: 100 })
    expect(ofMessage).toBe(rare)
    expect(readOf).toBeLessThan(100)
  })

  test.each<DeliveryQuery>([{ status: 'failed' }, { type: 'message.failed' }])(
    'deliveries with %o read at most a walk, and continue where it ended',
    async (filter) => {
      const { pages, read } = await walk(({ limit, cursor }) =>
        listDeliveries(rt, accountId, 'whk_1', { limit, ...(cursor && { cursor }), ...filter }),
      )
      expect(read).toBeLessThanOrEqual(entriesMax + days)
      expect(pages.map(({ deliveries, pagination }) => [deliveries.length, 'searched_back_to' in pagination])).toEqual([
        [0, true],
        [0, true],
        [rare, false],
      ])
    },
  )

  test('deliveries before a time read no more than they show', async () => {
    asked.splice(0)
    const until = new Date(start + 20 * step).toISOString()
    const { deliveries } = await listDeliveries(rt, accountId, 'whk_1', { until, limit: 100 })
    expect(deliveries).toHaveLength(18)
    const costs = await Promise.all(asked.map((question) => cost.of(question)))
    // A day more than asked for: ids are made before their rows.
    expect(Math.max(...costs.map((one) => one.read))).toBeLessThanOrEqual((2 * dayMs) / step)
  })

  test('templates with a category read at most a walk', async () => {
    const none = { statuses: null, category: null, language: null, name: null, search: null, source: null }
    const { pages, read } = await walk((page) =>
      listTemplates(rt, accountId, { ...page, filters: { ...none, category: 'marketing' } }),
    )
    expect(read).toBeLessThanOrEqual(entriesMax)
    expect(pages.flatMap(({ templates }) => templates)).toHaveLength(rare)
  })

  test('conversations read a page of entries, and a search at most a walk for each list', async () => {
    asked.splice(0)
    const first = await listConversations(rt, inboxReader, { limit: 25, cursor: null })
    expect(first.conversations).toHaveLength(25)
    for (const question of asked) expect((await cost.of(question)).read).toBeLessThan(200)
    const { pages, read } = await walk((page) => searchConversations(rt, member, 'needle', page))
    // Open and closed conversations are searched by one statement.
    expect(read).toBeLessThanOrEqual(engine === 'sqlite' ? 2 * entriesMax : entriesMax)
    const found = new Set(pages.flatMap(({ conversations }) => conversations).map(({ customer }) => customer))
    expect(found.size).toBe(rare + 1)
  })
})
