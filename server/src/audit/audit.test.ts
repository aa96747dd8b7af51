import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { createAccount } from '../installation/create-account.ts'
import type { Runtime } from '../runtime.ts'
import { operator, writeAudited } from './audit.ts'
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
    const nodes = Array.from({ length: 4 }, (): Runtime => ({ ...world.rt, store: { ...world.rt.store } }))
    await Promise.all(nodes.flatMap((node) => Array.from({ length: 10 }, (_, index) => write(node, index))))
    expect(await verifyAudit(world.rt, accountId)).toEqual({ ok: true, entries: before.entries + 40, brokenAt: null })
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
