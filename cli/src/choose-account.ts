import type { Runtime } from '@postern/server/runtime.ts'
import { type AccountRow, findAccount, listAccounts } from '@postern/server/store/accounts/accounts.ts'
import { textOption } from './command.ts'
import { notFound, wrongUsage } from './exit-codes.ts'

export const accountOption = { account: textOption('Id or name of the account. Needed if there are several.') }
export const anyAccountOption = { account: textOption('Id or name of one account. Without it: all.') }

/** The account that was named by id or name; without a name the only one. */
export async function chooseAccount(rt: Runtime, named: string | null): Promise<AccountRow> {
  if (named === null) return onlyAccount(rt)
  if (named.startsWith('acc_')) {
    const [account] = await rt.store.read(findAccount, { id: named })
    if (account) return account
  }
  const fitting: AccountRow[] = []
  for await (const account of allAccounts(rt)) if (account.name === named) fitting.push(account)
  const [account, second] = fitting
  if (second) throw wrongUsage(`Several accounts are called '${named}': name one by id, see 'postern accounts list'.`)
  return account ?? fail(`There is no account '${named}'; see 'postern accounts list'.`)
}

/** The account that was named; without a name all of them. */
export async function chooseAccounts(rt: Runtime, named: string | null): Promise<AccountRow[]> {
  if (named !== null) return [await chooseAccount(rt, named)]
  const accounts: AccountRow[] = []
  for await (const account of allAccounts(rt)) accounts.push(account)
  return accounts
}

/** The oldest account, which is the operator's. */
export async function firstAccount(rt: Runtime): Promise<AccountRow> {
  const [first] = await rt.store.read(listAccounts, { after: '', count: 1 })
  return first ?? fail(noAccount)
}

/** A guess could change or erase something of the wrong tenant. */
async function onlyAccount(rt: Runtime): Promise<AccountRow> {
  const rows = await rt.store.read(listAccounts, { after: '', count: mentioned + 1 })
  const [only, second] = rows
  if (!only) return fail(noAccount)
  if (!second) return only
  const names = rows.slice(0, mentioned).map(({ id, name }) => `${name} (${id})`)
  const others = rows.length > mentioned ? " and others, see 'postern accounts list'" : ''
  throw wrongUsage(`There are several accounts: name one with --account. They are ${names.join(', ')}${others}.`)
}

const mentioned = 10
const noAccount = "There is no account yet: start the server once, or run 'postern accounts create --name <name>'."

function fail(sentence: string): never {
  throw notFound(sentence)
}

const page = 200

export async function* allAccounts(rt: Runtime): AsyncGenerator<AccountRow> {
  let after = ''
  for (;;) {
    const rows = await rt.store.read(listAccounts, { after, count: page })
    yield* rows
    if (rows.length < page) return
    after = rows.at(-1)?.id ?? ''
  }
}
