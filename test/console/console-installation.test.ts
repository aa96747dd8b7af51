import { describe, expect, test } from 'vitest'
import { databaseTroubles, diskTroubles } from '../../server/src/installation/troubles.ts'
import { addOperator, endOperator } from '../../server/src/people/operators.ts'
import { saveQuota } from '../../server/src/store/accounts/quotas.ts'
import { findUserByEmail } from '../../server/src/store/accounts/users.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { appCode } from '../support/console/authenticator.ts'
import {
  aMember,
  anOwner,
  type ConsoleWorld,
  password,
  type Reply,
  sharedConsole,
  type Visitor,
  withNewAccount,
} from '../support/console/console-world.ts'
import { engines } from '../support/postgres/databases.ts'

const aConsole = sharedConsole()
const codeOf = ({ status, json }: Reply) => [status, json.error?.code ?? 'ok']

async function turnOnSecond(world: ConsoleWorld, visitor: Visitor): Promise<void> {
  const { secret } = (await visitor.call('POST', '/me/two-factor')).json.data
  await visitor.call('POST', '/me/two-factor/confirm', { code: appCode(secret, world.clock.now()) })
}

async function userOf({ rt }: ConsoleWorld, email: string) {
  const [user] = await rt.store.read(findUserByEmail, { email })
  if (!user) throw new Error('This person is unknown.')
  return user
}

describe.each(engines)('the installation on %s', (engine) => {
  async function anOperator() {
    const world = await aConsole(engine)
    const ana = await anOwner(world)
    await addOperator(world.rt, await userOf(world, `ana@${world.domain}`))
    await turnOnSecond(world, ana)
    return { world, ana }
  }
  const troubleOf = async (ana: Visitor, accountId: string) => {
    const { troubles } = (await ana.call('GET', '/installation')).json.data
    return troubles.filter((one: { account_id: string }) => one.account_id === accountId)
  }

  test('is for named operators with a second factor, whatever their role, and for nobody else', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const viewer = await aMember(world, 'viewer')
    const paths = ['/installation', '/installation/accounts', '/installation/settings']
    for (const path of paths) expect(codeOf(await owner.call('GET', path)), path).toEqual([403, 'insufficient_role'])
    const user = await userOf(world, `viewer@${world.domain}`)
    expect(await addOperator(world.rt, user)).toBe(true)
    expect(codeOf(await viewer.call('GET', '/installation'))).toEqual([403, 'two_factor_setup_required'])
    await turnOnSecond(world, viewer)
    for (const path of paths) expect(codeOf(await viewer.call('GET', path)), path).toEqual([200, 'ok'])
    expect(codeOf(await viewer.call('GET', '/members'))).toEqual([403, 'insufficient_role'])
    expect(await endOperator(world.rt, user)).toBe(true)
    expect(codeOf(await viewer.call('GET', '/installation'))).toEqual([403, 'insufficient_role'])
    expect(await endOperator(world.rt, user)).toBe(false)
  })

  test('creates an account with the link for its owner, changes its plan, suspends and resumes it', async () => {
    const { ana } = await anOperator()
    const created = await ana.call('POST', '/installation/accounts', { name: ' Harbour Café ', plan: 'free' })
    expect(created.json.data).toMatchObject({ name: 'Harbour Café', link: expect.stringContaining('/setup#token=') })
    const { id } = created.json.data
    const find = async () => {
      const { accounts } = (await ana.call('GET', '/installation/accounts')).json.data
      return accounts.find((one: { id: string }) => one.id === id)
    }
    expect(await find()).toMatchObject({ plan: 'free', status: 'active', has_owner: false, members: 0 })
    const at = `/installation/accounts/${id}`
    expect(codeOf(await ana.call('PUT', `${at}/plan`, { plan: 'starter' }))).toEqual([200, 'ok'])
    expect(codeOf(await ana.call('PUT', `${at}/status`, { status: 'suspended' }))).toEqual([200, 'ok'])
    expect(await find()).toMatchObject({ plan: 'starter', status: 'suspended', requests_quota: 10_000 })
    expect(codeOf(await ana.call('PUT', `${at}/status`, { status: 'active' }))).toEqual([200, 'ok'])
    const unknown = await ana.call('PUT', '/installation/accounts/acc_none/plan', { plan: 'free' })
    expect(codeOf(unknown)).toEqual([404, 'account_not_found'])
    // No way from an account on this page into it.
    expect(codeOf(await ana.call('POST', '/session/account', { account_id: id }))).toEqual([404, 'account_not_found'])
  })

  test('deletes an account in seven days: its owner sees when, and it can be kept until then', async () => {
    const { world, ana } = await anOperator()
    const other = await withNewAccount(world)
    const bea = await anOwner(other)
    const at = `/installation/accounts/${other.accountId}`
    const wrong = await ana.call('PUT', `${at}/deletion`, { confirm: 'Acme' })
    expect([...codeOf(wrong), wrong.json.error.details[0].field]).toEqual([400, 'validation_failed', 'confirm'])
    const planned = await ana.call('PUT', `${at}/deletion`, { confirm: 'Acme Store' })
    const deleteAt = new Date(world.clock.now() + 7 * 86_400_000).toISOString()
    expect(planned.json.data).toEqual({ delete_at: deleteAt })
    const accountOf = async () => (await bea.call('GET', '/session')).json.data.account
    expect(await accountOf()).toMatchObject({ status: 'suspended', delete_at: deleteAt })
    expect(codeOf(await bea.call('PUT', '/account', { name: 'Late' }))).toEqual([403, 'account_suspended'])
    const { entries } = (await bea.call('GET', '/audit')).json.data
    expect(entries[0]).toMatchObject({ action: 'account.deletion_planned', metadata: { delete_at: deleteAt } })

    expect(codeOf(await ana.call('PUT', `${at}/status`, { status: 'suspended' }))).toEqual([200, 'ok'])
    expect(await accountOf()).toMatchObject({ status: 'suspended', delete_at: null })
    expect(codeOf(await ana.call('PUT', `${at}/status`, { status: 'active' }))).toEqual([200, 'ok'])
    expect(await accountOf()).toMatchObject({ status: 'active', delete_at: null })
    const unknown = await ana.call('PUT', '/installation/accounts/acc_none/deletion', { confirm: 'x' })
    expect(codeOf(unknown)).toEqual([404, 'account_not_found'])
    const own = await ana.call('PUT', `/installation/accounts/${world.accountId}/deletion`, { confirm: 'Acme Store' })
    expect(codeOf(own)).toEqual([403, 'operator_only_here'])
  })

  test('changes nothing without the password of the last five minutes', async () => {
    const { world, ana } = await anOperator()
    world.clock.advance(6 * 60_000)
    const create = () => ana.call('POST', '/installation/accounts', { name: 'Late', plan: 'free' })
    expect(codeOf(await create())).toEqual([403, 'recent_sign_in_required'])
    await ana.call('POST', '/confirm', { password })
    expect(codeOf(await create())).toEqual([201, 'ok'])
  })

  test('shows an account over its plan, until the day is over or the plan is larger', async () => {
    const { world, ana } = await anOperator()
    const other = await withNewAccount(world)
    const day = world.clock.now() - (world.clock.now() % 86_400_000)
    const used = { hour_start: day, hour_used: 0, day_start: day, day_used: 10_000 }
    await world.rt.store.write(unitOf(saveQuota, { account_id: other.accountId, ...used }))
    expect(await troubleOf(ana, other.accountId)).toMatchObject([{ kind: 'plan_used_up', tone: 'warn' }])
    await ana.call('PUT', `/installation/accounts/${other.accountId}/plan`, { plan: 'professional' })
    expect(await troubleOf(ana, other.accountId)).toEqual([])
  })

  test('says whether secrets are set, never what they are', async () => {
    const { ana } = await anOperator()
    const { settings } = (await ana.call('GET', '/installation/settings')).json.data
    const names = settings.map(({ name }: { name: string }) => name)
    expect(names).toContain('POSTERN_LOG_LEVEL')
    const key = settings.find(({ name }: { name: string }) => name === 'POSTERN_MASTER_KEY')
    expect(['set', 'not set']).toContain(key.value)
  })
})

test('a disk counts as full from 90 %, a database as slow from 250 ms', () => {
  const node = { name: 'one:8080', state: 'running' as const, disk_bytes: 1_000 }
  expect(diskTroubles([{ ...node, disk_free_bytes: 101 }])).toEqual([])
  expect(diskTroubles([{ ...node, disk_free_bytes: 100 }])).toMatchObject([{ kind: 'disk_full', tone: 'error' }])
  expect(databaseTroubles(249)).toEqual([])
  expect(databaseTroubles(250)).toMatchObject([{ kind: 'database_slow' }])
})
