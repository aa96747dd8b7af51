import { describe, expect, test } from 'vitest'
import { createUser } from '../../server/src/people/create-user.ts'
import { resetPassword } from '../../server/src/people/reset-password.ts'
import { findUser, findUserByEmail } from '../../server/src/store/accounts/users.ts'
import { appCode } from '../support/console/authenticator.ts'
import {
  aMember,
  anOwner,
  aVisitor,
  type ConsoleWorld,
  password,
  type Reply,
  sharedConsole,
  type Visitor,
  withNewAccount,
} from '../support/console/console-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { tokenOfLink } from '../support/setup-link.ts'

const aConsole = sharedConsole()
const otherPassword = 'another horse entirely'
const codeOf = ({ status, json }: Reply) => [status, json.error?.code ?? 'ok']

describe.each(engines)('one person in several accounts on %s', (engine) => {
  /** Two accounts; Ana owns the first, Bea the second. */
  async function twoAccounts() {
    const first = await aConsole(engine)
    const second = await withNewAccount(first)
    const [ana, bea] = [await anOwner(first), await anOwner(second, `bea@${second.domain}`)]
    return { first, second, ana, bea, email: `ana@${first.domain}` }
  }
  const invite = (by: Visitor, email: string, role = 'support') =>
    by.call('POST', '/members', { name: 'Ana S.', email, role })
  const join = (world: ConsoleWorld, link: string, given: object = {}) => {
    const visitor = aVisitor(world)
    const setup = { token: tokenOfLink(link), name: 'Ana', email: 'x@x.test', password, ...given }
    return visitor.call('POST', '/setup', setup).then((reply) => ({ visitor, reply }))
  }
  const actionsOf = async (owner: Visitor) =>
    (await owner.call('GET', '/audit?limit=100')).json.data.entries.map(({ action }: { action: string }) => action)

  test('an invitation says the same whether the address signs in elsewhere or not', async () => {
    const { first, ana, bea, email } = await twoAccounts()
    const { secret } = (await ana.call('POST', '/me/two-factor')).json.data
    await ana.call('POST', '/me/two-factor/confirm', { code: appCode(secret, first.clock.now()) })
    const known = await invite(bea, email)
    const unknown = await invite(bea, `zoe@${first.domain}`)
    const shape = ({ status, json }: Reply) => {
      const { member, link, expires_at } = json.data
      return [status, { ...member, id: typeof member.id, email: '' }, link.length, expires_at]
    }
    expect(shape(known)).toEqual(shape(unknown))
    expect(known.json.data.member).toMatchObject({ name: 'Ana S.', status: 'invited', two_factor: false })
    // Ids are in the order of time: one that is older than the invitation would tell.
    expect(known.json.data.member.id > (await bea.call('GET', '/session')).json.data.user.id).toBe(true)
    const page = async (reply: Reply) => {
      const token = tokenOfLink(reply.json.data.link)
      return { ...(await aVisitor(first).call('POST', '/setup/lookup', { token })).json.data, email: '' }
    }
    expect(await page(known)).toEqual(await page(unknown))
    const listed = (await bea.call('GET', '/members')).json.data.members
    const rows = listed.filter(({ status }: { status: string }) => status === 'invited')
    expect(rows.map((row: object) => ({ ...row, id: '', email: '' }))).toEqual(
      Array.from({ length: 2 }, () => expect.objectContaining({ name: 'Ana S.', two_factor: false })),
    )
    expect(codeOf(await invite(bea, email))).toEqual([400, 'validation_failed'])
  })

  test('joins with the password they have, and switches between accounts with a role in each', async () => {
    const { first, ana, bea, email } = await twoAccounts()
    const { link } = (await invite(bea, email)).json.data
    expect(codeOf((await join(first, link, { password: otherPassword })).reply)).toEqual([401, 'invalid_credentials'])
    const { visitor, reply } = await join(first, link)
    expect(reply.json.data.user).toMatchObject({ name: 'Ana Sousa', email, role: 'support' })
    // The session that was open in the first account goes on.
    const here = (await ana.call('GET', '/session')).json.data
    expect(here.accounts.map(({ role }: { role: string }) => role).sort()).toEqual(['owner', 'support'])
    expect(codeOf((await join(first, link)).reply)).toEqual([401, 'setup_link_invalid'])

    const back = await visitor.call('POST', '/session/account', { account_id: here.account.id })
    expect(back.json.data).toMatchObject({
      account: { id: here.account.id },
      user: { id: here.user.id, role: 'owner' },
    })
    // Signing in leads to where the person was last.
    const again = await aVisitor(first).call('POST', '/sign-in', { email, password })
    expect(again.json.data.account.id).toBe(here.account.id)
    const members = (await bea.call('GET', '/members')).json.data.members
    expect(members.find((one: { email: string }) => one.email === email)).toMatchObject({
      name: 'Ana Sousa',
      status: 'active',
    })
  })

  test('enters no account they do not belong to, and leaves one without leaving the other', async () => {
    const { first, second, ana, bea, email } = await twoAccounts()
    const enter = (account_id: string) => ana.call('POST', '/session/account', { account_id })
    expect(codeOf(await enter(second.accountId))).toEqual([404, 'account_not_found'])
    const { link, member } = (await invite(bea, email)).json.data
    expect(codeOf(await enter(second.accountId))).toEqual([404, 'account_not_found'])
    const { visitor } = await join(first, link)
    expect((await bea.call('DELETE', `/members/${member.id}`)).status).toBe(200)
    expect(codeOf(await visitor.call('GET', '/session'))).toEqual([401, 'missing_credentials'])
    expect(codeOf(await enter(second.accountId))).toEqual([404, 'account_not_found'])
    expect(codeOf(await ana.call('GET', '/session'))).toEqual([200, 'ok'])
    // A person who leaves the last account is forgotten: the next invitation is a first one.
    const dev = await aMember(second, 'developer')
    const { id } = (await dev.call('GET', '/session')).json.data.user
    await bea.call('DELETE', `/members/${id}`)
    expect(await second.rt.store.read(findUserByEmail, { email: `developer@${second.domain}` })).toEqual([])
  })

  test('is rejected by pages that another tab left behind', async () => {
    const { first, second, bea, email } = await twoAccounts()
    const { visitor } = await join(first, (await invite(bea, email)).json.data.link)
    const shown = { 'x-postern-account': second.accountId }
    expect(codeOf(await visitor.call('GET', '/limits', undefined, shown))).toEqual([200, 'ok'])
    await visitor.call('POST', '/session/account', { account_id: first.accountId })
    expect(codeOf(await visitor.call('PUT', '/me', { name: 'X' }, shown))).toEqual([403, 'account_switched'])
    expect((await visitor.call('GET', '/session')).json.data.user.name).toBe('Ana Sousa')
  })

  test('an owner of one account gets no way into the others: a new link asks for the password, and for the code', async () => {
    const { first, ana, bea, email } = await twoAccounts()
    const { link, member } = (await invite(bea, email)).json.data
    await join(first, link)
    await ana.call('POST', '/confirm', { password })
    const { secret } = (await ana.call('POST', '/me/two-factor')).json.data
    await ana.call('POST', '/me/two-factor/confirm', { code: appCode(secret, first.clock.now()) })
    first.clock.advance(30_000)
    await bea.call('POST', '/confirm', { password })
    const renewed = (await bea.call('POST', `/members/${member.id}/link`)).json.data
    expect(renewed.member).toMatchObject({ status: 'invited', two_factor: false })
    expect(codeOf((await join(first, renewed.link, { password: otherPassword })).reply)[1]).toBe('invalid_credentials')
    expect(codeOf((await join(first, renewed.link)).reply)).toEqual([401, 'two_factor_required'])
    // Nothing of the first account has changed.
    expect((await ana.call('GET', '/session')).json.data.user.two_factor).toBe('on')
    const code = appCode(secret, first.clock.now())
    expect(codeOf((await join(first, renewed.link, { code })).reply)).toEqual([200, 'ok'])
  })

  test('of two accounts that invite a new address, neither can take the person over in the other', async () => {
    const { first, ana, bea } = await twoAccounts()
    const email = `zoe@${first.domain}`
    const [one, two] = [(await invite(ana, email)).json.data, (await invite(bea, email)).json.data]
    expect(codeOf((await join(first, one.link)).reply)).toEqual([200, 'ok'])
    expect(codeOf((await join(first, two.link, { password: otherPassword })).reply)[1]).toBe('invalid_credentials')
    // Also not while the operator's reset leaves the person without a password.
    const [zoe] = await first.rt.store.read(findUser, { id: one.member.id })
    if (!zoe) throw new Error('Zoe is gone.')
    const reset = await resetPassword(first.rt, zoe)
    expect(codeOf((await join(first, two.link, { password: otherPassword })).reply)[1]).toBe('invalid_credentials')
    expect(codeOf((await join(first, reset.link, { password: otherPassword })).reply)).toEqual([200, 'ok'])
    expect(codeOf((await join(first, two.link, { password: otherPassword })).reply)).toEqual([200, 'ok'])
  })

  test('of two links opened at once for a new address, one sets the password', async () => {
    const { first, ana, bea } = await twoAccounts()
    const email = `zoe@${first.domain}`
    const [one, two] = [(await invite(ana, email)).json.data, (await invite(bea, email)).json.data]
    const both = await Promise.all([join(first, one.link), join(first, two.link, { password: otherPassword })])
    expect(both.map(({ reply }) => codeOf(reply)[0]).sort()).toEqual([200, 401])
    const [zoe] = await first.rt.store.read(findUserByEmail, { email })
    const joined = both[0].reply.status === 200 ? one : two
    expect(zoe?.id).toBe(joined.member.id)
  })

  test('becomes the owner of a new account through its link, with the sign-in they have', async () => {
    const { first, second, email } = await twoAccounts()
    const third = await withNewAccount(first)
    const { reply, visitor } = await join(first, await third.ownerLink(), { email })
    expect(reply.json.data).toMatchObject({ account: { id: third.accountId }, user: { email, role: 'owner' } })
    expect(reply.json.data.accounts).toHaveLength(2)
    expect(await actionsOf(visitor)).toEqual(['member.joined', 'account.created'])
    // The record that stood for the owner is gone.
    const before = await second.rt.store.read(findUser, { id: third.ownerId })
    expect(before).toMatchObject([{ email, role: 'owner' }])
  })

  test('an invitation and the removal of the person at the same moment leave both right', async () => {
    const { second, bea } = await twoAccounts()
    const third = await withNewAccount(second)
    const leaver = await aMember(second, 'viewer')
    const { id, email } = (await leaver.call('GET', '/session')).json.data.user
    const [removed, invited] = await Promise.all([
      bea.call('DELETE', `/members/${id}`),
      createUser(third.rt, { accountId: third.accountId, name: 'Vi', email, role: 'viewer' }),
    ])
    expect(removed.status).toBe(200)
    const { reply } = await join(third, invited.link, { password: otherPassword })
    expect(codeOf(reply)).toEqual([200, 'ok'])
    expect(reply.json.data.accounts).toHaveLength(1)
  })
})
