import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { feedSettled } from '../../../../test/support/feed.ts'
import { engines, freshStore } from '../../../../test/support/postgres/databases.ts'
import { countJobs } from '../../../../test/support/store-queries.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import {
  type AccountRow,
  accountColumns,
  findAccount,
  insertAccount,
  listAccounts,
  updateAccount,
} from '../accounts/accounts.ts'
import { claimJobs, enqueueJob, finishJob, nextJobAt, rescheduleJob } from '../jobs/jobs.ts'
import { insertEvent, readFeed } from '../webhooks/events.ts'
import { listCompiler } from './cursor.ts'
import { operation, query } from './operation.ts'
import type { Store } from './store.ts'
import { ConditionFailed, UniqueViolation } from './store-error.ts'
import type { Touched } from './topics.ts'
import { Unit, unitOf } from './unit.ts'

let serial = 0
const anAccount = (over: Partial<AccountRow> = {}): AccountRow => ({
  id: `acc_${String(++serial).padStart(8, '0')}`,
  name: 'Acme',
  plan: 'free',
  status: 'active',
  created_at: 1_000,
  updated_at: 1_000,
  revision: 1,
  delete_at: null,
  delete_asked_by: null,
  deleting_at: null,
  ...over,
})

const anEvent = (account: string, over: { id?: string; body?: string } = {}) => ({
  id: over.id ?? `evt_${++serial}`,
  account_id: account,
  type: 'message.sent',
  subject: null,
  sequence: 1,
  created_at: 1_000,
  body: over.body ?? '{}',
  traceparent: null,
})

const renameQuietly = operation({
  name: 'test.rename_quietly',
  input: { account_id: 'text', name: 'text' },
  wakes: 'audit',
  sql: 'update accounts set name = rows.name from rows where accounts.id = rows.account_id',
})

const accountIn = async (store: Store, id: string): Promise<AccountRow | undefined> =>
  (await store.read(findAccount, { id }))[0]

/** What every engine promises to the domain. */
describe.each(engines)('the store on %s', (engine) => {
  let store: Store
  let dispose: () => Promise<void>
  beforeAll(async () => {
    ;({ store, dispose } = await freshStore(engine))
  })
  afterAll(() => dispose())

  test('reads back what was written, values unchanged', async () => {
    const account = anAccount({ name: 'Zoë ✓ 💬 "quoted" \\ and \u2028', created_at: 2 ** 53 - 1 })
    const unit = new Unit()
    unit.add(insertAccount, account)
    await store.write(unit)
    expect(await accountIn(store, account.id)).toEqual(account)
  })

  test('keeps its promises also for what is written apart', async () => {
    const [kept, twice] = [anAccount(), anAccount()]
    const heard = new Promise<void>((resolve) => {
      store.onCommit('events', () => resolve())
    })
    const first = new Unit()
    first.add(insertAccount, twice)
    first.add(insertEvent, anEvent(twice.id))
    await store.writeApart(first)
    await heard
    const unit = new Unit()
    unit.add(insertAccount, kept)
    unit.add(insertAccount, twice)
    await expect(store.writeApart(unit)).rejects.toThrow(UniqueViolation)
    expect(await accountIn(store, kept.id)).toBeUndefined()
    expect(await accountIn(store, twice.id)).toEqual(twice)
  })

  test('stores all of a unit or nothing', async () => {
    const [kept, twice] = [anAccount(), anAccount()]
    const first = new Unit()
    first.add(insertAccount, twice)
    await store.write(first)
    const unit = new Unit()
    unit.add(insertAccount, kept)
    unit.add(insertAccount, twice)
    await expect(store.write(unit)).rejects.toThrow(UniqueViolation)
    expect(await accountIn(store, kept.id)).toBeUndefined()
  })

  test('a unit that fails costs none of its 63 neighbours in the same batch', async () => {
    const taken = anAccount()
    const first = new Unit()
    first.add(insertAccount, taken)
    await store.write(first)
    const accounts = Array.from({ length: 64 }, (_, index) => (index === 40 ? taken : anAccount()))
    const outcomes = await Promise.allSettled(
      accounts.map((account) => {
        const unit = new Unit()
        unit.add(insertAccount, account)
        unit.add(insertEvent, anEvent(account.id))
        return store.write(unit)
      }),
    )
    expect(outcomes.map((outcome) => outcome.status).filter((status) => status === 'rejected')).toHaveLength(1)
    for (const [index, account] of accounts.entries()) {
      if (index === 40)
        expect(outcomes[index]).toMatchObject({ reason: { name: 'UniqueViolation', table: 'accounts' } })
      else expect(await accountIn(store, account.id)).toEqual(account)
    }
    expect(await feedOf(taken.id)).toEqual([])
  })

  test('a required operation that finds no row undoes its unit, and only its own', async () => {
    const account = anAccount()
    const create = new Unit()
    create.add(insertAccount, account)
    await store.write(create)
    const change = (name: string, revision: number) => {
      const unit = new Unit()
      unit.add(insertEvent, anEvent(account.id, { body: name }))
      unit.add(updateAccount, { id: account.id, name, plan: 'starter', status: 'active', now: 2_000, revision })
      return store.write(unit)
    }
    const outcomes = await Promise.allSettled([change('first', 1), change('second', 1)])
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find((outcome) => outcome.status === 'rejected')?.reason).toBeInstanceOf(ConditionFailed)
    const stored = await accountIn(store, account.id)
    expect(stored?.revision).toBe(2)
    expect((await feedOf(account.id)).map((event) => event.body)).toEqual([stored?.name])
  })

  test('a condition that did not hold is the reason, also where a later call of the unit would fail by itself', async () => {
    const account = anAccount()
    const create = new Unit()
    create.add(insertAccount, account)
    await store.write(create)
    const unit = new Unit()
    unit.add(updateAccount, { id: account.id, name: 'x', plan: 'free', status: 'active', now: 2, revision: 99 })
    unit.add(insertAccount, account)
    await expect(store.write(unit)).rejects.toThrow(ConditionFailed)
  })

  test('answers each unit with its own result rows, in the order of its input rows', async () => {
    const accounts = Array.from({ length: 20 }, () => anAccount())
    const create = new Unit()
    create.add(insertAccount, ...accounts)
    await store.write(create)
    const answers = await Promise.all(
      accounts.map(async (account, index) => {
        const other = accounts[(index + 7) % 20] ?? account
        const unit = new Unit()
        const call = unit.add(touchAccount, { id: other.id }, { id: account.id })
        return (await store.write(unit)).rows(call).map((row) => row.id)
      }),
    )
    for (const [index, account] of accounts.entries()) {
      expect(answers[index]).toEqual([accounts[(index + 7) % 20]?.id, account.id])
    }
  })

  test('a unit sees what an earlier call of the same unit wrote', async () => {
    const account = anAccount()
    const unit = new Unit()
    unit.add(insertAccount, account)
    unit.add(updateAccount, { id: account.id, name: 'Later', plan: 'free', status: 'active', now: 5, revision: 1 })
    await store.write(unit)
    expect(await accountIn(store, account.id)).toMatchObject({ name: 'Later', revision: 2 })
  })

  test('lists run by keyset, and lists that Kysely compiled give the same', async () => {
    const rows = await store.read(listAccounts, { after: '', count: 5 })
    expect(rows).toHaveLength(5)
    expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.id).sort())
    const compiler = listCompiler<{ accounts: AccountRow }>(engine)
    const columns = Object.keys(accountColumns) as (keyof AccountRow)[]
    const compiled = compiler
      .selectFrom('accounts')
      .select(columns)
      .where('id', '>', '')
      .orderBy('id')
      .limit(5)
      .compile()
    expect(await store.list(compiled, 'acc_1')).toEqual(rows)
  })

  test('list parameters of many values find exactly those rows', async () => {
    const two = (await store.read(listAccounts, { after: '', count: 2 })).map((row) => row.id)
    const found = await store.read(accountsByIds, { ids: [...two, 'acc_none'] })
    expect(found.map((row) => row.id).sort()).toEqual(two)
  })

  test('the feed gives events in the order they were committed', async () => {
    const account = anAccount().id
    for (let index = 0; index < 30; index++) {
      const unit = new Unit()
      unit.add(insertEvent, anEvent(account, { body: String(index) }))
      await store.write(unit)
    }
    expect((await feedOf(account)).map((event) => event.body)).toEqual(Array.from({ length: 30 }, (_, i) => String(i)))
  })

  test('wakes listeners after the commit of what they wait for', async () => {
    // Who is woken looks at once: before the commit there would be nothing to see.
    const seen: Promise<{ total: number }[]>[] = []
    const stop = store.onCommit('jobs', () => seen.push(store.read(countJobs, { kind: 'wake' })))
    await enqueue('wake', 0)
    await waitFor(() => seen.length > 0)
    stop()
    expect(await seen[0]).toEqual([{ total: 1 }])
  })

  test('wakes nobody for a statement that changed nothing, and everybody when a part of it did', async () => {
    const heard: Touched[] = []
    const stop = store.onCommit('audit', (touched) => heard.push(touched))
    const account = anAccount()
    await store.write(unitOf(insertAccount, account))
    const renamed = (id: string) => store.write(unitOf(renameQuietly, { account_id: id, name: 'Renamed' }))
    await renamed('acc_nobody')
    expect(heard).toEqual([])
    await Promise.all([renamed('acc_nobody'), renamed(account.id), renamed('acc_neither')])
    stop()
    expect(heard).not.toEqual([])
    expect(heard.some((touched) => touched !== 'anybody' && touched.has(account.id))).toBe(true)
  })

  test('a write probe succeeds', async () => {
    await expect(store.probeWrite()).resolves.toBeUndefined()
    await expect(store.probeRead()).resolves.toBeUndefined()
  })

  describe('jobs', () => {
    test('one per kind and subject, moved only forward in time', async () => {
      await enqueue('one', 500)
      await enqueue('one', 900)
      await enqueue('one', 200)
      expect(await store.read(countJobs, { kind: 'one' })).toEqual([{ total: 1 }])
      expect(await claim(100, 'x')).not.toContainEqual(expect.objectContaining({ kind: 'one' }))
      expect(await claim(200, 'x')).toContainEqual(expect.objectContaining({ kind: 'one', attempts: 1 }))
    })

    test('are claimed by one worker only, however many ask at once', async () => {
      await Promise.all(Array.from({ length: 40 }, (_, index) => enqueue('crowd', 1_000, String(index))))
      const claims = await Promise.all(['a', 'b', 'c', 'd'].map((worker) => claim(1_000, worker, 20)))
      const subjects = claims
        .flat()
        .filter((job) => job.kind === 'crowd')
        .map((job) => job.subject)
      expect(new Set(subjects).size).toBe(subjects.length)
    })

    test('with an expired lease go to another worker, and the first can no longer finish them', async () => {
      await enqueue('lease', 5_000)
      const [mine] = (await claim(5_000, 'slow')).filter((job) => job.kind === 'lease')
      const [theirs] = (await claim(5_000 + 60_000, 'quick')).filter((job) => job.kind === 'lease')
      expect(theirs).toMatchObject({ id: mine?.id, attempts: 2 })
      expect(await finish(mine?.id ?? '', 'slow')).toBe(false)
      expect(await finish(theirs?.id ?? '', 'quick')).toBe(true)
    })

    test('given back are due again at their new time', async () => {
      await enqueue('again', 6_000)
      const [job] = (await claim(100_000, 'w')).filter((candidate) => candidate.kind === 'again')
      const unit = new Unit()
      unit.add(rescheduleJob, { id: job?.id ?? '', claim: 'w', run_at: 900_000, attempts: 3, last_error: 'no answer' })
      await store.write(unit)
      expect((await claim(899_999, 'w')).map((candidate) => candidate.kind)).not.toContain('again')
      expect(await claim(900_000, 'w')).toContainEqual(expect.objectContaining({ kind: 'again', attempts: 4 }))
    })

    test('are next at their time, and claimed ones at the end of their lease', async () => {
      await claim(2_000_000, 'w')
      await enqueue('next', 2_000_100)
      expect(await store.read(nextJobAt.main, {})).toEqual([{ at: 2_000_100 }])
      await claim(2_000_100, 'w')
      expect(await store.read(nextJobAt.main, {})).toEqual([{ at: 2_060_000 }])
      expect(await store.read(nextJobAt.media, {})).toEqual([{ at: null }])
    })
  })

  async function feedOf(account: string) {
    await feedSettled(store)
    return store.read(readFeed, { account_id: account, after_tx: -1, after_seq: 0, count: 100 })
  }

  async function enqueue(kind: string, runAt: number, subject = ''): Promise<void> {
    const unit = new Unit()
    unit.add(enqueueJob, {
      id: `job_${++serial}`,
      lane: 'main',
      kind,
      subject,
      account_id: null,
      payload: '{}',
      run_at: runAt,
      now: 0,
    })
    await store.write(unit)
  }

  async function claim(now: number, worker: string, count = 100) {
    const unit = new Unit()
    const call = unit.add(claimJobs, { now, lease_until: now + 60_000, claim: worker, count })
    return (await store.write(unit)).rows(call)
  }

  async function finish(id: string, worker: string): Promise<boolean> {
    const unit = new Unit()
    const call = unit.add(finishJob, { id, claim: worker })
    return (await store.write(unit)).rows(call).length === 1
  }
})

const accountsByIds = query({
  name: 'test.accounts_by_ids',
  params: { ids: 'text[]' },
  returns: { id: 'text' },
  sql: 'select id from accounts where id in {list:ids}',
})

const touchAccount = operation({
  name: 'test.touch_account',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  sql: 'update accounts set updated_at = updated_at + 1 from rows where accounts.id = rows.id returning accounts.id',
})
