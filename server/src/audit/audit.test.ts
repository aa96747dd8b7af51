import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { createAccount } from '../installation/create-account.ts'
import { createMutexByKey } from '../lib/async/mutex-by-key.ts'
import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { expireAudit, lastAudit, moveAnchor, readAudit } from '../store/accounts/audit-log.ts'
import { Unit } from '../store/engine/unit.ts'
import { operator, writeAudited } from './audit.ts'
import { expireOldAudit } from './expire-audit.ts'
import { verifyAudit } from './verify-audit.ts'

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
