import { afterAll, describe, expect, test } from 'vitest'
import { installationLog, operator, verifyAudit } from '../../server/src/audit/audit.ts'
import { changeAccount, createAccount } from '../../server/src/installation/account.ts'
import { deleteDueAccounts, graceMs, planDeletion } from '../../server/src/installation/delete-account.ts'
import { minuteMs } from '../../server/src/lib/durations.ts'
import type { IdPrefix } from '../../server/src/lib/ids.ts'
import { accountRows } from '../../server/src/store/account-rows.ts'
import { findAccount } from '../../server/src/store/accounts/accounts.ts'
import { schemaTables } from '../../server/src/store/sqlite/sqlite-copy-end.ts'
import { engines } from '../support/postgres/databases.ts'
import { openRaw, type RawDatabase, type RawRow } from '../support/raw-database.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { tablesNaming } from '../support/tables-naming.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Tables that know no account: of the installation, of people as such, and what is a hash or passes within hours. */
const ofNobody = new Set(
  `schema_migrations signing_keys analytics_folds installation probes nodes size_days retention_clock callback_seen guesses
   sign_in_flows pacing loose_blobs`.split(/\s+/),
)
/** Made with the account itself, or by hand below. */
const madeApart = new Set(['accounts', 'people', 'members', 'recovery_codes', 'identities', 'attempts', 'deliveries'])

/** Columns that name a row of another table. */
const parents: Readonly<Record<string, string>> = {
  webhook_id: 'webhooks',
  broadcast_id: 'broadcasts',
  upload_id: 'broadcast_uploads',
  number_id: 'numbers',
  customer_id: 'customers',
  media_id: 'media',
  message_id: 'messages',
  budget_id: 'budgets',
  key_id: 'api_keys',
  chain_id: 'token_chains',
  template_id: 'templates',
  channel_id: 'channels',
  blob_id: 'blobs',
}
const inDays: Readonly<Record<string, IdPrefix>> = { events: 'evt', request_log: 'req' }
const each = 3

/** Rows of an account in every table there is; whatever text stands in them names the account. */
async function fill(world: TestRuntime, raw: RawDatabase, accountId: string): Promise<void> {
  for (const { name: table, columns, counter, key } of schemaTables()) {
    if (ofNobody.has(table) || madeApart.has(table)) continue
    for (let n = 1; n <= each; n++) {
      const cell = (column: string, type: string): unknown => {
        if (column === 'account_id') return accountId
        if (table in inDays && column === 'id') return world.rt.newId(inDays[table] ?? 'evt')
        const parent = parents[column]
        if (parent) return `${accountId} ${parent} ${n}`
        if (column === 'user_id') return `usr both ${accountId}`
        if (type === 'text') return column === 'id' ? `${accountId} ${table} ${n}` : `${accountId} ${column} ${n}`
        return type === 'blob' ? Buffer.from(`${accountId} ${n}`) : n
      }
      const row: RawRow = {}
      for (const { name, type } of columns) if (name !== counter) row[name] = cell(name, type)
      if (table === 'blobs') row.place = 'here'
      if (table === 'customers') row.merged_into = n === 1 ? `${accountId} customers 2` : null
      // One row of what an account has once.
      const isOne = key.length === 1 && (key[0] === 'account_id' || key[0] === 'user_id')
      if (isOne && (n > 1 || table === 'quotas')) continue
      if (['audit_log', 'audit_heads'].includes(table)) continue
      await raw.insert(table, row)
    }
  }
  for (const webhook of [`${accountId} webhooks 1`, `${accountId} listeners 1`, `${accountId} listener that is gone`]) {
    const id = world.rt.newId('dlv')
    const base = {
      webhook_id: webhook,
      id,
      account_id: accountId,
      type: 'message.sent',
      status: 'succeeded',
      attempts: 1,
    }
    const event_id = webhook.includes('listener') ? `${accountId} event` : null
    await raw.insert('deliveries', { ...base, event_id, cause: 'event', created_at: 1 })
    const attempt = {
      delivery_id: id,
      id: `${accountId} attempt`,
      webhook_id: webhook,
      number: 1,
      cause: 'event',
      late: 0,
    }
    const response = { url: 'https://a.test', started_at: 1, duration_ms: 1, response_headers: '{}' }
    await raw.insert('attempts', { ...attempt, ...response })
  }
}

async function addPerson(
  raw: RawDatabase,
  name: string,
  accountIds: readonly string[],
  operates: string | null = null,
) {
  const id = `per ${name}`
  const times = { created_at: 1, updated_at: 1 }
  const counts = { accounts: accountIds.length, joined: accountIds.length, operator: operates }
  await raw.insert('people', {
    id,
    email: `${name}@acme.test`,
    name,
    password_hash: 'x',
    two_factor_since: 1,
    ...counts,
    ...times,
  })
  await raw.insert('recovery_codes', { person_id: id, code_mac: name })
  await raw.insert('identities', { issuer: 'https://id.test', subject: name, person_id: id, linked_at: 1 })
  for (const account_id of accountIds) {
    const member = { id: `usr ${name} ${account_id}`, account_id, person_id: id, name, role: 'owner', joined_at: 1 }
    await raw.insert('members', { ...member, ...times })
  }
}

async function rowsNaming(raw: RawDatabase, word: string): Promise<string[]> {
  const found: string[] = []
  const text = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)
  for (const { name, columns } of schemaTables()) {
    for (const row of await raw.rows(name)) {
      const line = `${name} ${JSON.stringify(columns.map((column) => text(row[column.name])))}`
      if (line.includes(word)) found.push(line)
    }
  }
  return found.sort()
}

async function twoAccounts(engine: (typeof engines)[number]) {
  const world = await aRuntime(engine)
  closers.push(world.dispose)
  await world.rt.store.days.make(world.clock.now())
  const raw = await openRaw(world.database)
  closers.push(raw.close)
  const make = async (name: string) =>
    (await createAccount(world.rt, { name, plan: 'starter', actor: operator })).account.id
  return { world, rt: world.rt, clock: world.clock, raw, gone: await make('Gone'), kept: await make('Kept') }
}

const find = async ({ rt }: TestRuntime, id: string) => (await rt.store.read(findAccount, { id }))[0]

test('every table that knows an account is one that a deletion looks at', () => {
  const looked = new Set([...accountRows().map(({ table }) => table), 'accounts', 'members', 'blobs', 'loose_blobs'])
  const ofAccounts = schemaTables().filter(({ columns }) => columns.some(({ name }) => name === 'account_id'))
  expect(ofAccounts.length).toBeGreaterThan(60)
  expect(ofAccounts.map(({ name }) => name).filter((name) => !looked.has(name))).toEqual([])
})

describe.each(engines)('the deletion of an account, on %s', (engine) => {
  test('leaves no row of it in any table, and every row of another account as it was', async () => {
    const { world, rt, clock, raw, gone, kept } = await twoAccounts(engine)
    await addPerson(raw, 'only', [gone])
    await addPerson(raw, 'both', [gone, kept])
    for (const id of [gone, kept]) await fill(world, raw, id)
    const others = schemaTables().flatMap(({ name }) => (ofNobody.has(name) ? [] : [name]))
    const direct = others.filter((name) => !['recovery_codes', 'identities', 'people'].includes(name))
    expect(await tablesNaming(world.database, gone)).toEqual(expect.arrayContaining(direct))

    await planDeletion(rt, gone, operator)
    const before = await rowsNaming(raw, kept)
    expect(await deleteDueAccounts(rt)).toBe('done')
    clock.advance(graceMs)
    let runs = 0
    for (let next = await deleteDueAccounts(rt); next !== 'done'; next = await deleteDueAccounts(rt)) {
      if (++runs > 20) throw new Error('It does not end.')
      clock.advance(Math.max(0, next.againAt - clock.now()))
    }
    expect(await tablesNaming(world.database, gone)).toEqual(['audit_log'])
    expect(await find(world, gone)).toBeUndefined()
    const own = (line: string) => !line.startsWith('people ')
    expect((await rowsNaming(raw, kept)).filter(own)).toEqual(before.filter(own))
    const people = (await raw.rows('people')).map(({ id, accounts, joined }) => [id, Number(accounts), Number(joined)])
    expect(people.filter(([id]) => String(id).startsWith('per '))).toEqual([['per both', 1, 1]])
    expect((await raw.rows('recovery_codes')).map(({ person_id }) => person_id)).toEqual(['per both'])
    expect((await raw.rows('identities')).map(({ person_id }) => person_id)).toEqual(['per both'])
    const log = (await raw.rows('audit_log')).filter(({ account_id }) => account_id === installationLog)
    expect(log.map(({ action }) => action)).toEqual(['account.deletion_begun', 'account.deleted'])
    expect(log.map(({ entry }) => JSON.parse(String(entry)).targets[0].name)).toEqual(['Gone', 'Gone'])
    expect((await verifyAudit(rt, installationLog)).ok).toBe(true)
  }, 60_000)

  test('suspends at once, can be taken back for seven days, and then not any more', async () => {
    const { world, rt, clock, gone } = await twoAccounts(engine)
    const planned = await planDeletion(rt, gone, operator)
    expect(planned).toMatchObject({ status: 'suspended', delete_at: clock.now() + graceMs })
    expect((await planDeletion(rt, gone, operator))?.delete_at).toBe(planned?.delete_at)
    clock.advance(graceMs - 1)
    expect(await deleteDueAccounts(rt)).toBe('done')
    await changeAccount(rt, gone, { plan: 'free' }, operator)
    expect(await find(world, gone)).toMatchObject({ plan: 'free', delete_at: planned?.delete_at })
    await changeAccount(rt, gone, { status: 'active' }, operator)
    expect(await find(world, gone)).toMatchObject({ status: 'active', delete_at: null, deleting_at: null })
    clock.advance(2)
    expect(await deleteDueAccounts(rt)).toBe('done')
    expect((await verifyAudit(rt, gone)).ok).toBe(true)

    await planDeletion(rt, gone, operator)
    clock.advance(graceMs)
    expect(await deleteDueAccounts(rt)).toEqual({ againAt: clock.now() + minuteMs })
    expect(await changeAccount(rt, gone, { status: 'active' }, operator)).toBeNull()
    expect(await planDeletion(rt, gone, operator)).toBeNull()
  }, 30_000)

  test('waits for files whose store is away, and is refused where an operator could sign in nowhere else', async () => {
    const { world, rt, clock, raw, gone, kept } = await twoAccounts(engine)
    await addPerson(raw, 'operator', [gone], 'named')
    await expect(planDeletion(rt, gone, operator)).rejects.toMatchObject({ code: 'operator_only_here' })
    await addPerson(raw, 'other', [gone, kept], 'named')
    await raw.run(`update people set operator = null where id = 'per operator'`)
    const loose = { id: 'loose', place: 'elsewhere', account_id: gone, due_at: 0, doomed: 0 }
    await raw.insert('loose_blobs', loose)
    await planDeletion(rt, gone, operator)
    clock.advance(graceMs)
    for (let minute = 0; minute < 6; minute++) {
      await deleteDueAccounts(rt)
      clock.advance(minuteMs)
    }
    expect(await find(world, gone)).toBeDefined()
    await raw.run(`delete from loose_blobs where id = 'loose'`)
    for (let minute = 0; minute < 3; minute++) {
      await deleteDueAccounts(rt)
      clock.advance(minuteMs)
    }
    expect(await find(world, gone)).toBeUndefined()
  }, 30_000)
})
