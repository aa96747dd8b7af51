import net from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countRoundTrips } from '../../../../test/support/postgres/count-round-trips.ts'
import { freshStore } from '../../../../test/support/postgres/databases.ts'
import { insertAccount, updateAccount } from '../accounts/accounts.ts'
import { lockFolds } from '../analytics/analytics.ts'
import { insertBudget, reserveBudget } from '../costs/budgets.ts'
import { ConditionFailed, StoreUnavailable, UniqueViolation } from '../engine/store-error.ts'
import { Unit } from '../engine/unit.ts'
import { runPostgresBatch } from './postgres-batch.ts'

let pool: pg.Pool
let dispose: () => Promise<void>
beforeAll(async () => {
  const fresh = await freshStore('postgres')
  dispose = fresh.dispose
  if (fresh.test.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  pool = new pg.Pool({ connectionString: fresh.test.database.url })
  // The end of a pool does not wait for its goodbyes, and the database is dropped under them.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
})
afterAll(async () => {
  await pool.end()
  await dispose()
})

function anAccount(id: string) {
  const unit = new Unit()
  const row = { id, name: 'Acme', plan: 'free', status: 'active', created_at: 1, updated_at: 1, revision: 1 }
  unit.add(insertAccount, row)
  return unit.calls
}

test('a connection that is lost between two halves of a batch is the failure of the second alone', async () => {
  await runPostgresBatch(() => pool.connect(), [anAccount('acc_taken')])
  let connects = 0
  const connect = () => (++connects > 2 ? Promise.reject(new Error('connection refused')) : pool.connect())
  const [kept, lost] = await runPostgresBatch(connect, [anAccount('acc_kept'), anAccount('acc_taken')])
  expect(kept).toMatchObject({ rowsByCall: [[]] })
  expect(lost).toMatchObject({ error: expect.any(StoreUnavailable) })
  expect((await pool.query("select 1 from accounts where id = 'acc_kept'")).rowCount).toBe(1)
})

test('a batch that fails leaves nothing of the units that failed, and all of the others', async () => {
  const ids = ['acc_a', 'acc_taken', 'acc_b', 'acc_c']
  const outcomes = await runPostgresBatch(() => pool.connect(), ids.map(anAccount))
  expect(outcomes.map((outcome) => 'error' in outcome && outcome.error instanceof UniqueViolation)).toEqual([
    false,
    true,
    false,
    false,
  ])
  expect((await pool.query("select id from accounts where id in ('acc_a', 'acc_b', 'acc_c')")).rowCount).toBe(3)
})

function renamed(id: string, revision: number) {
  const unit = new Unit()
  unit.add(updateAccount, { id, name: 'Renamed', plan: 'free', status: 'active', now: 2, revision })
  return unit.calls
}

test('a batch with conditions takes one round trip, and those that do not hold undo their units alone', async () => {
  await runPostgresBatch(() => pool.connect(), ['acc_1', 'acc_2', 'acc_3', 'acc_4'].map(anAccount))
  const counted = await countRoundTrips(String(pool.options.connectionString))
  const through = new pg.Pool({ connectionString: counted.url, max: 1 })
  try {
    const [held] = await runPostgresBatch(() => through.connect(), [renamed('acc_1', 1)])
    expect(held).toEqual({ rowsByCall: [[{ id: 'acc_1' }]], idle: new Set() })
    expect(counted.take()).toEqual([{ connection: 1, statements: ['discard plans', 'accounts.update'] }])
    const stale = [renamed('acc_1', 1), renamed('acc_2', 1), renamed('acc_3', 7), renamed('acc_4', 1)]
    const outcomes = await runPostgresBatch(() => through.connect(), stale)
    const unmet = { error: expect.any(ConditionFailed) }
    const kept = (id: string) => ({ rowsByCall: [[{ id }]] })
    expect(outcomes).toMatchObject([unmet, kept('acc_2'), unmet, kept('acc_4')])
    expect(counted.take()).toHaveLength(2)
    const { rows } = await pool.query("select id from accounts where name = 'Renamed' order by id")
    expect(rows).toEqual([{ id: 'acc_1' }, { id: 'acc_2' }, { id: 'acc_4' }])
  } finally {
    await through.end()
    await counted.close()
  }
})

test('sends that ask a budget together are granted one by one where it has no room for all', async () => {
  const place = { budget_id: 'bud_1', period: 1 }
  const setUp = new Unit()
  setUp.add(insertBudget, {
    id: 'bud_1',
    account_id: 'acc_1',
    key_id: '',
    period: 'month',
    currency: 'USD',
    created_at: 1,
    name: 'All',
    limit_micros: 100,
    warn_at: 80,
    stop: 1,
    exempt: '[]',
    updated_at: 1,
    revision: 1,
    most: 10,
  })
  await runPostgresBatch(() => pool.connect(), [setUp.calls])
  const asking = [30, 30, 50, 30, 10, 10].map((amount) => {
    const unit = new Unit()
    unit.add(reserveBudget, { ...place, amount })
    return unit.calls
  })
  const outcomes = await runPostgresBatch(() => pool.connect(), asking)
  const granted = outcomes.map((outcome) => !('error' in outcome))
  expect(granted).toEqual([true, true, false, true, true, false])
  expect(outcomes[2]).toEqual({ error: new ConditionFailed('budgets.reserve') })
  const { rows } = await pool.query("select reserved from budget_periods where budget_id = 'bud_1'")
  expect(rows).toEqual([{ reserved: '100' }])
})

test('a statement that fails, for whatever reason, leaves nothing of those behind it', async () => {
  const url = String(pool.options.connectionString)
  let failing = false
  // What cannot be parsed fails as early as a statement that an operator cancels, and can be repeated at will.
  const broken = await countRoundTrips(url, (bytes) =>
    failing ? Buffer.from(bytes.toString('latin1').replace('discard', 'discord'), 'latin1') : bytes,
  )
  const through = new pg.Pool({ connectionString: broken.url, max: 1 })
  try {
    const both = () => [[...anAccount('acc_half'), ...renamed('acc_half', 1)]]
    failing = true
    const [outcome] = await runPostgresBatch(() => through.connect(), both())
    expect(outcome).toMatchObject({ error: { code: '42601' } })
    expect((await pool.query("select 1 from accounts where id = 'acc_half'")).rowCount).toBe(0)
    failing = false
    // The same connection: what it had prepared before the failure does not stand in the way.
    expect(await runPostgresBatch(() => through.connect(), both())).toMatchObject([{ rowsByCall: [[], [{}]] }])
    expect((await pool.query("select 1 from accounts where id = 'acc_half'")).rowCount).toBe(1)
  } finally {
    await through.end()
    await broken.close()
  }
})

test('work apart that waits for a lock keeps no write waiting that came in the same moment', async () => {
  const fresh = await freshStore('postgres')
  if (fresh.test.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  const other = new pg.Client({ connectionString: fresh.test.database.url })
  await other.connect()
  try {
    await other.query('begin')
    await other.query('update analytics_folds set folds = folds where id = 1')
    const fold = new Unit()
    fold.add(lockFolds, {})
    let folded = false
    const apart = fresh.store.writeApart(fold).then(() => {
      folded = true
    })
    const unit = new Unit()
    unit.calls.push(...anAccount('acc_beside'))
    await fresh.store.write(unit)
    expect(folded).toBe(false)
    await other.query('rollback')
    await apart
    expect(folded).toBe(true)
  } finally {
    await other.end()
    await fresh.dispose()
  }
})

test.each(['40P01', '40001'])(
  'a batch that the database asks to repeat (%s) is repeated, five times at most',
  async (code) => {
    await pool.query('drop sequence if exists tries')
    await pool.query('create sequence tries')
    // A sequence counts on when the transaction around it is undone.
    await pool.query(`create or replace function ask_again() returns trigger language plpgsql as
    'begin if nextval(''tries'') <= tg_argv[0]::int then raise exception using errcode = ''${code}''; end if; return new; end'`)
    const asking = async (times: number, id: string) => {
      await pool.query(`create or replace trigger ask_again before insert on accounts
      for each row execute function ask_again(${times})`)
      await pool.query(`alter sequence tries restart`)
      return runPostgresBatch(() => pool.connect(), [anAccount(id)])
    }
    try {
      expect(await asking(5, `acc_again_${code}`)).toMatchObject([{ rowsByCall: [[]] }])
      expect(await asking(6, `acc_never_${code}`)).toMatchObject([{ error: { code } }])
    } finally {
      await pool.query('drop function ask_again() cascade')
    }
    const stored = await pool.query(`select id from accounts where id like 'acc_%_${code}'`)
    expect(stored.rows).toEqual([{ id: `acc_again_${code}` }])
  },
)

test('a batch whose answer is lost is unknown: it may be stored', async () => {
  const { hostname, port } = new URL(String(pool.options.connectionString))
  let armed = false
  const open = new Set<net.Socket>()
  // The server answers a batch when it has committed it; nothing of that arrives.
  const wire = net.createServer((client) => {
    const server = net.connect(Number(port), hostname)
    for (const socket of [client, server]) open.add(socket.on('error', () => {}))
    client.pipe(server)
    server.on('data', (bytes) => (armed ? client.destroy() : client.write(bytes)))
  })
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  const url = Object.assign(new URL(String(pool.options.connectionString)), {
    port: (wire.address() as net.AddressInfo).port,
  })
  const through = new pg.Pool({ connectionString: url.href, max: 1 })
  through.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  try {
    await runPostgresBatch(() => through.connect(), [anAccount('acc_before')])
    armed = true
    const lost = runPostgresBatch(() => through.connect(), [anAccount('acc_lost'), anAccount('acc_lost_too')])
    await expect(lost).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'unknown' })
    expect((await pool.query("select 1 from accounts where id in ('acc_lost', 'acc_lost_too')")).rowCount).toBe(2)
  } finally {
    for (const socket of open) socket.destroy()
    wire.close()
    await through.end()
  }
})

test.each([
  ['in a statement', 'not_stored', ['trigger', 'before insert', '']],
  ['with the commit', 'unknown', ['constraint trigger', 'after insert', 'deferrable initially deferred']],
])('a batch during which the server shuts down %s is %s', async (_when, outcome, [kind, at, moment]) => {
  // As a server says it that ends a session; one that waits for a standby has committed by then.
  await pool.query(`create or replace function shut_down() returns trigger language plpgsql as
    'begin raise exception using errcode = ''57P01''; end'`)
  await pool.query(`create ${kind} shut_down ${at} on accounts ${moment} for each row execute function shut_down()`)
  try {
    const ended = runPostgresBatch(() => pool.connect(), [anAccount('acc_ended'), anAccount('acc_ended_too')])
    await expect(ended).rejects.toMatchObject({ name: 'StoreUnavailable', outcome })
  } finally {
    await pool.query('drop function shut_down() cascade')
  }
})
