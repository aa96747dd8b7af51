import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type GatewayProcess, startGateway } from '../../bench/gateway.ts'
import { createCloner, figuresOf, type TableRows } from '../../bench/growth/clone-rows.ts'
import { type RawDatabase, rawPostgres, rawSqlite, rowsSince } from '../../bench/growth/databases.ts'
import { startTraffic, type Traffic } from '../../bench/growth/real-sends.ts'
import { engines } from '../support/postgres/databases.ts'

const sent = 20
const copies = 3
const customers = 50
const dayMs = 86_400_000

type Page = { messages: { message_id: string; status: string }[]; deliveries: unknown[] }

/** `npm run bench growth` measures on copies of real rows: they are worth what this shows. */
describe.each(engines)('copies of what real sends left, on %s', { timeout: 120_000 }, (engine) => {
  let gateway: GatewayProcess
  let traffic: Traffic
  let database: RawDatabase
  let real: TableRows[]
  beforeAll(async () => {
    const postgres = engine === 'postgres' ? { url: inject('postgresUrl') } : undefined
    gateway = await startGateway(postgres, { customers })
    database = gateway.databaseUrl
      ? await rawPostgres(gateway.databaseUrl)
      : rawSqlite(join(gateway.folder, 'postern.db'))
    traffic = await startTraffic(gateway, { customers, quietMs: 250 })
    await traffic.quiet()
    const before = await database.counts()
    await traffic.messages(sent)
    real = await rowsSince(database, before, sent)
  }, 120_000)
  afterAll(async () => {
    await traffic?.stop()
    await database?.close()
    await gateway?.stop()
  })

  test('differ from them in no column: as often empty, as long, as varied', () => {
    const names = real.map(({ table }) => table)
    expect(names).toEqual(expect.arrayContaining(['messages', 'events', 'idempotency_keys', 'request_log']))
    const cloner = createCloner(real)
    for (const table of real) {
      const copy = { ...table, rows: cloner.clone(table, 7, -dayMs) }
      expect({ table: table.table, figures: figuresOf(copy) }).toEqual({
        table: table.table,
        figures: figuresOf(table),
      })
    }
  })

  test('are stored beside them, and the gateway shows them as its own', async () => {
    const before = await database.counts()
    const cloner = createCloner(real)
    for (let number = 1; number <= copies; number++) {
      for (const table of real) await database.insert({ ...table, rows: cloner.clone(table, number, -number * 60_000) })
    }
    await database.settle()
    const after = await database.counts()
    for (const { table, rows } of real)
      expect((after.get(table) ?? 0) - (before.get(table) ?? 0)).toBe(copies * rows.length)
    const get = async (path: string) => {
      const answer = await traffic.client.request({ method: 'GET', path, headers: gateway.headers })
      const { data } = (await answer.body.json()) as { data: Page }
      return data
    }
    const { messages: data } = await get('/v1/chat/messages?limit=100&direction=outbound')
    expect([data.length, new Set(data.map(({ message_id }) => message_id)).size]).toEqual([
      sent * (copies + 1),
      sent * (copies + 1),
    ])
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['read']))
    const { deliveries } = await get(
      `/v1/webhooks/${traffic.webhookId}/deliveries?limit=10&message_id=${data.at(-1)?.message_id}`,
    )
    expect(deliveries.length).toBeGreaterThanOrEqual(3)
    // Numbers that the database gives out go on behind the copies.
    await traffic.messages(1)
  })
})
