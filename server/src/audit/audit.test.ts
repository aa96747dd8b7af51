import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { createProcessState } from '../create-runtime.ts'
import { createAccount } from '../installation/account.ts'
import { rotateMasterKey } from '../installation/rotate-master-key.ts'
import { createMutexByKey } from '../lib/async/with-timeout.ts'
import { dayMs } from '../lib/durations.ts'
import { createSecrets, type Secrets } from '../lib/secrets.ts'
import type { Runtime } from '../runtime.ts'
import { expireAudit, lastAudit, moveAnchor, readAudit } from '../store/accounts/audit-log.ts'
import { operation } from '../store/engine/operation.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { expireOldAudit, operator, verifyAudit, writeAudited } from './audit.ts'
import { chainOf } from './audit-chain.ts'

describe.each(engines)('lines of the audit log, on %s,', (engine) => {
  let world: TestRuntime
  let accountId = ''

  beforeEach(async () => {
    world = await aRuntime(engine)
    accountId = (await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })).account.id
  })
  afterEach(() => world.dispose())

  const write = (rt: Runtime, index: number) =>
    writeAudited(rt, { accountId, action: 'test.done', actor: operator, targets: [], metadata: { index } }, () => {})

  test('are all written and chained when forty changes of one account come at once', async () => {
    const before = await verifyAudit(world.rt, accountId)
    await Promise.all(Array.from({ length: 40 }, (_, index) => write(world.rt, index)))
    expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: true, entries: before.entries + 40, brokenAt: null })
  })

  test('are all written when four nodes have ten changes of one account each', async () => {
    const before = await verifyAudit(world.rt, accountId)
    // Nodes share a database and nothing else.
    const nodes = Array.from({ length: 4 }, (): Runtime => ({ ...world.rt, mutex: createMutexByKey() }))
    await Promise.all(nodes.flatMap((node) => Array.from({ length: 10 }, (_, index) => write(node, index))))
    expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: true, entries: before.entries + 40, brokenAt: null })
  })

  test('expire after 400 days in batches, and what is left is verified from the anchor on', async () => {
    const { rt, clock } = world
    const audited = { accountId, action: 'test.done', actor: operator, targets: [] }
    const many = Array.from({ length: 1_500 }, () => audited) as [typeof audited, ...(typeof audited)[]]
    await writeAudited(rt, many, () => {})
    const { entries: old } = await verifyAudit(rt, accountId)
    clock.advance(rt.config.retentionMetadataDays * dayMs)
    for (let index = 0; index < 3; index++) await write(rt, index)
    await expireOldAudit(rt)
    expect(await verifyAudit(rt, accountId)).toEqual({ ok: true, entries: old + 3, brokenAt: null })
    clock.advance(1)
    await expireOldAudit(rt)
    expect(await verifyAudit(rt, accountId)).toEqual({ ok: true, entries: 3, brokenAt: null })
    // The chain goes on, also when no line is left.
    clock.advance(rt.config.retentionMetadataDays * dayMs)
    await expireOldAudit(rt)
    expect(await verifyAudit(rt, accountId)).toEqual({ ok: true, entries: 0, brokenAt: null })
    await write(rt, 4)
    expect(await rt.store.read(lastAudit, { account_id: accountId })).toMatchObject([{ seq: old + 4 }])
    expect(await verifyAudit(rt, accountId)).toEqual({ ok: true, entries: 1, brokenAt: null })
  })

  test('cannot be cut off by moving the anchor, and a line missing after it is found', async () => {
    const { rt, clock } = world
    for (let index = 0; index < 3; index++) await write(rt, index)
    clock.advance(rt.config.retentionMetadataDays * dayMs + 1)
    for (let index = 0; index < 3; index++) await write(rt, index)
    await expireOldAudit(rt)
    const [first, second] = await rt.store.read(readAudit, { account_id: accountId, after: 0, count: 10 })
    if (!first || !second) throw new Error('no lines')
    const cut = new Unit()
    cut.add(expireAudit, { account_id: accountId, seq: first.seq })
    await rt.store.write(cut)
    expect(await verifyAudit(rt, accountId)).toEqual({ ok: false, entries: 0, brokenAt: first.seq })
    const moved = new Unit()
    moved.add(moveAnchor, { account_id: accountId, seq: first.seq, hash: first.hash, sealed: 'made up' })
    await rt.store.write(moved)
    expect(await verifyAudit(rt, accountId)).toEqual({ ok: false, entries: 0, brokenAt: first.seq })
  })

  describe('tampered with by an attacker who can write to the database,', () => {
    const change = (sql: string) => {
      const whose = `${sql} and account_id = (select account from rows)`
      const tampering = operation({ name: `test.${sql}`, input: { account: 'text' }, alone: true, sql: whose })
      return world.rt.store.write(unitOf(tampering, { account: accountId }))
    }
    const newest = async () => (await world.rt.store.read(lastAudit, { account_id: accountId }))[0]?.seq ?? 0
    beforeEach(async () => {
      for (let index = 0; index < 6; index++) await write(world.rt, index)
    })

    test('are missed at the end too, also when others have followed since', async () => {
      const last = await newest()
      await change(`delete from audit_log where seq > ${last - 2}`)
      const found = { ok: false, entries: last - 2, brokenAt: last - 1 }
      expect(await verifyAudit(world.rt, accountId)).toEqual(found)
      await write(world.rt, 7)
      expect(await verifyAudit(world.rt, accountId)).toEqual(found)
    })

    test('are found when one was rewritten and all hashes after it were computed anew with another key', async () => {
      const rows = await world.rt.store.read(readAudit, { account_id: accountId, after: 0, count: 100 })
      let prev = rows[1]?.hash ?? ''
      const theirs = await chainOf({ pepper: async () => Buffer.alloc(32) }, accountId)
      for (const row of rows.slice(2)) {
        const entry = row.entry.replace('"index":1', '"index":99')
        const hash = theirs.hash({ seq: row.seq - 1, hash: prev }, entry)
        const columns = `entry = '${entry}', prev_hash = '${prev}', hash = '${hash}'`
        await change(`update audit_log set ${columns} where seq = ${row.seq}`)
        prev = hash
      }
      expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: false, entries: 2, brokenAt: 3 })
    })

    test('are found when the sealed head is gone, and the next line does not hide it', async () => {
      const last = await newest()
      await change(`delete from audit_log where seq > ${last - 2}`)
      await change('delete from audit_heads where true')
      expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: false, entries: last - 2, brokenAt: last - 1 })
      await write(world.rt, 7)
      expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: false, entries: last - 2, brokenAt: last - 1 })
    })

    test('are missed when the whole log is gone', async () => {
      await change('delete from audit_log where true')
      await change('delete from audit_heads where true')
      expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: false, entries: 0, brokenAt: 1 })
      await write(world.rt, 7)
      expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: false, entries: 0, brokenAt: 1 })
    })

    test('do not expire because their dates were changed', async () => {
      const last = await newest()
      await change('update audit_log set occurred_at = 0 where seq > 0')
      await expireOldAudit(world.rt)
      expect(await newest()).toBe(last)
      expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: false, entries: 0, brokenAt: 1 })
    })

    test('do not expire on from an anchor that was moved', async () => {
      const [, second] = await world.rt.store.read(readAudit, { account_id: accountId, after: 0, count: 2 })
      const moved = new Unit()
      moved.add(expireAudit, { account_id: accountId, seq: 2 })
      moved.add(moveAnchor, { account_id: accountId, seq: 2, hash: second?.hash ?? '', sealed: 'made up' })
      await world.rt.store.write(moved)
      world.clock.advance(world.rt.config.retentionMetadataDays * dayMs + 1)
      await expireOldAudit(world.rt)
      expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: false, entries: 0, brokenAt: 2 })
    })
  })

  test('are sound after the master key was rotated, and new ones follow them', async () => {
    const { rt } = world
    await write(rt, 1)
    const next = createSecrets(randomBytes(32))
    const open: Secrets['open'] = (purpose, boundTo, sealed) =>
      (sealed.startsWith(next.keyId) ? next : rt.secrets).open(purpose, boundTo, sealed)
    await rotateMasterKey(rt, { ...next, open })
    const restarted = { ...rt, secrets: next, ...createProcessState({ ...rt, secrets: next }) }
    const { entries } = await verifyAudit(restarted, accountId)
    await write(restarted, 2)
    expect(await verifyAudit(restarted, accountId)).toEqual({ ok: true, entries: entries + 1, brokenAt: null })
    expect(entries).toBeGreaterThan(1)
  })

  test('do not wait for a change before them that failed', async () => {
    const broken = writeAudited(world.rt, { accountId, action: 'test.broken', actor: operator, targets: [] }, () => {
      throw new Error('no such change')
    })
    const next = write(world.rt, 1)
    await expect(broken).rejects.toThrow('no such change')
    await expect(next).resolves.toBeDefined()
    expect(await verifyAudit(world.rt, accountId)).toMatchObject({ ok: true })
  })
})
