import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Member } from '../../server/src/access/console-member.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { removeMember } from '../../server/src/people/change-member.ts'
import { createUser } from '../../server/src/people/create-user.ts'
import { findUser } from '../../server/src/store/accounts/users.ts'
import { schemaTables } from '../../server/src/store/sqlite/sqlite-copy-end.ts'
import { engines } from '../support/postgres/databases.ts'
import { openRaw, type RawDatabase } from '../support/raw-database.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'

/** What becomes of a column that names a member, or the person behind it, once the member is removed. */
const columns: Readonly<Record<string, 'gone' | 'kept'>> = {
  'alert_choices.user_id': 'gone',
  'conversations.assignee_id': 'gone',
  'identities.person_id': 'gone',
  'members.person_id': 'gone',
  'recovery_codes.person_id': 'gone',
  'sessions.person_id': 'gone',
  'sessions.user_id': 'gone',
  // Records of what was done, without a name or an address.
  'mails.user_id': 'kept',
  'replies.user_id': 'kept',
  'reply_days.user_id': 'kept',
  'setup_links.user_id': 'kept',
  'signups.user_id': 'kept',
}
/** Of a customer. */
const others = ['messages.user_id']

describe.each(engines)('a member who is removed, on %s', (engine) => {
  let world: TestRuntime
  let raw: RawDatabase
  beforeAll(async () => {
    world = await aRuntime(engine)
    raw = await openRaw(world.database)
  })
  afterAll(async () => {
    await raw.close()
    await world.dispose()
  })

  test('leaves behind what is declared, and nothing in a table that nobody thought of', async () => {
    const { rt } = world
    const { account } = await createAccount(rt, { name: 'Acme', plan: 'free', actor: operator })
    const { user } = await createUser(rt, {
      accountId: account.id,
      name: 'Ana',
      email: 'ana@acme.test',
      role: 'support',
    })
    const [row] = await rt.store.read(findUser, { id: user.id })
    const ids: Record<string, string> = { person_id: row?.person_id ?? '', user_id: user.id, assignee_id: user.id }
    const tables = schemaTables().map(({ name, columns: own }) => ({
      table: name,
      own,
      naming: own.flatMap((column) => (column.name in ids ? [column.name] : [])),
    }))
    const naming = tables.flatMap(({ table, naming }) => naming.map((column) => `${table}.${column}`))
    expect(naming.toSorted()).toEqual([...Object.keys(columns), ...others].sort())

    const ofMember = tables.filter(({ table, naming }) => naming.length > 0 && !['members', 'messages'].includes(table))
    for (const { table, own } of ofMember) {
      const value = ({ name, type }: { name: string; type: string }) => (type === 'text' ? (ids[name] ?? 'x') : 1)
      const values = Object.fromEntries(own.map((column) => [column.name, value(column)]))
      await raw.insert(table, 'account_id' in values ? { ...values, account_id: account.id } : values)
    }
    const left = async () => {
      const found: string[] = []
      for (const place of naming) {
        const [table = '', column = ''] = place.split('.')
        if ((await raw.rows(table)).some((one) => one[column] === ids[column])) found.push(place)
      }
      return found.sort()
    }
    expect(await left()).toEqual(Object.keys(columns).sort())
    const owner = { accountId: account.id, userId: 'usr_owner', personId: 'per_owner', name: 'Bea', role: 'owner' }
    const context = { ip: '192.0.2.1', user_agent: null, request_id: null }
    await removeMember(rt, { ...owner, context } as Member, user.id)
    expect(await left()).toEqual(
      Object.keys(columns)
        .filter((place) => columns[place] === 'kept')
        .sort(),
    )
    const links = (await raw.rows('setup_links')).filter(({ user_id }) => user_id === user.id)
    expect(links.filter(({ used_at }) => used_at === null)).toEqual([])
    expect((await raw.rows('people')).filter(({ id }) => id === row?.person_id)).toEqual([])
  })
})
