import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createLogger } from '../../server/src/observe/log.ts'
import { type Service, startService } from '../../server/src/service.ts'
import { saveQuota } from '../../server/src/store/accounts/quotas.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { enqueueJob } from '../../server/src/store/jobs/jobs.ts'
import { appCode } from '../support/console/authenticator.ts'
import { aConsoleService, type ConsoleService } from '../support/console/console-service.ts'
import { aVisitor, type Visitor } from '../support/console/console-world.ts'
import { type EngineName, engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const key = 'e7'.repeat(32)
type Trouble = { kind: string; text: string; since: string | null; account_id: string | null }

async function anInstallation(engine: EngineName): Promise<ConsoleService> {
  const world = await aConsoleService(engine, { POSTERN_MASTER_KEY: key })
  closers.push(world.stop)
  const { secret } = (await world.owner.call('POST', '/me/two-factor')).json.data
  await world.owner.call('POST', '/me/two-factor/confirm', { code: appCode(secret, Date.now()) })
  return world
}

const troubles = async ({ call }: Visitor): Promise<Trouble[]> =>
  (await call('GET', '/installation')).json.data.troubles
const kinds = async (owner: Visitor) => (await troubles(owner)).map(({ kind }) => kind)

describe.each(engines)('an operator sees, on %s', (engine) => {
  test('a restricted account, a job that keeps failing, an account over its plan and an old backup', async () => {
    const world = await anInstallation(engine)
    const { owner, service, accountId } = world
    const { rt } = service
    const value = { event: 'ACCOUNT_RESTRICTION', violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE' } }
    await world.control('POST', '/_sandbox/events', { field: 'account_update', value })
    const now = rt.clock.now()
    const job = { id: rt.newId('job'), lane: 'main', kind: 'alerts.tell', subject: 'broken', account_id: accountId }
    await rt.store.write(unitOf(enqueueJob, { ...job, payload: 'not what it should be', run_at: now, now }))
    const day = now - (now % 86_400_000)
    const used = { hour_start: day, hour_used: 0, day_start: day, day_used: 10_000 }
    const { id } = (await owner.call('POST', '/installation/accounts', { name: 'Harbour', plan: 'free' })).json.data
    await rt.store.write(unitOf(saveQuota, { account_id: id, ...used }))
    const wanted = ['restricted', 'job_failing', 'plan_used_up']
    if (engine === 'sqlite') {
      const made_at = new Date(Date.now() - 3 * 86_400_000).toISOString()
      await writeFile(join(rt.config.dataDir, 'last-backup.json'), JSON.stringify({ made_at, bytes: 1 }))
      wanted.push('backup_old')
    }
    await waitFor(async () => {
      const found = await kinds(owner)
      return wanted.every((kind) => found.includes(kind))
    }, 20_000)
    const { nodes, growth, backup, database } = (await owner.call('GET', '/installation')).json.data
    expect(nodes).toMatchObject([{ state: 'running', role: 'all' }])
    expect([growth.length, database.bytes > 0, backup.by]).toEqual([
      1,
      true,
      engine === 'sqlite' ? 'backup' : 'archive',
    ])
    const { tables } = (await owner.call('GET', '/installation/tables')).json.data
    expect(tables.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['people', 'audit_log']))
  }, 60_000)

  test('what waits too long: messages and callbacks, while no worker runs', async () => {
    const world = await anInstallation(engine)
    const { config } = world.service.rt
    const port = Number(new URL(world.service.urls.base).port)
    await world.service.stop()
    Object.assign(world.service, { stop: async () => {} })
    const log = createLogger({ level: 'silent', format: 'json' })
    const alone = await startService({ ...config, role: 'api', listen: { ...config.listen, port } }, log, {
      sandbox: null,
    })
    closers.push(() => alone.stop())
    const owner = Object.assign(aVisitor({ url: alone.urls.console }), { cookie: world.owner.cookie })
    expect(
      (await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Later', queue: true })).status,
    ).toBe(200)
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Zimtstern' })
    const queues = async () => (await owner.call('GET', '/installation')).json.data.queues
    await waitFor(async () => {
      const found = (await queues()) as { name: string; waiting: number }[]
      return ['Waiting messages', 'Callbacks of Meta'].every((name) =>
        found.some((one) => one.name === name && one.waiting > 0),
      )
    }, 10_000)
    windForward(alone, 90_000)
    expect(await kinds(owner)).toEqual(expect.arrayContaining(['sends_late', 'callbacks_late']))
    const all = JSON.stringify([
      (await owner.call('GET', '/installation')).json,
      (await owner.call('GET', '/installation/audit')).json,
    ])
    expect([all.includes('Zimtstern'), all.includes(world.customer.slice(1))]).toEqual([false, false])
  }, 60_000)

  test('one log of all accounts, without names of people and customers', async () => {
    const world = await anInstallation(engine)
    await world.owner.call('POST', '/members', { name: 'Zimtstern', email: 'zimtstern@acme.test', role: 'viewer' })
    await world.owner.call('POST', '/installation/accounts', { name: 'Harbour', plan: 'free' })
    const { entries, more } = (await world.owner.call('GET', '/installation/audit')).json.data
    const actions = entries.map(({ action, account_name }: Record<string, string>) => `${account_name}: ${action}`)
    expect(actions).toEqual(expect.arrayContaining(['Harbour: account.created', 'My business: member.invited']))
    expect(JSON.stringify(entries)).not.toMatch(/zimtstern/i)
    expect(more).toBe(false)
    const older = (await world.owner.call('GET', `/installation/audit?before=${entries[0].id}`)).json.data.entries
    expect(older).toEqual(entries.slice(1))
  }, 60_000)
})

/** The node reads the time later than it is; nothing else of it changes. */
function windForward({ rt }: Service, ms: number): void {
  const { clock } = rt
  Object.assign(rt, { clock: { now: () => clock.now() + ms } })
}
