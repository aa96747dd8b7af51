import { type Account, accountsCalled, allAccounts, firstAccounts } from '@postern/server/accounts.ts'
import type { Runtime } from '@postern/server/gateway.ts'
import { textOption } from './command.ts'
import { notFound, wrongUsage } from './exit-codes.ts'

export const accountOption = { account: textOption('Id or name of the account. Needed if there are several.') }
export const anyAccountOption = { account: textOption('Id or name of one account. Without it: all.') }

/** The account that was named by id or name; without a name the only one. */
export async function chooseAccount(rt: Runtime, named: string | null): Promise<Account> {
  if (named === null) return onlyAccount(rt)
  const [account, second] = await accountsCalled(rt, named)
  if (second) throw wrongUsage(`Several accounts are called '${named}': name one by id, see 'postern accounts list'.`)
  return account ?? fail(`There is no account '${named}'; see 'postern accounts list'.`)
}

/** The account that was named; without a name all of them. */
export async function chooseAccounts(rt: Runtime, named: string | null): Promise<Account[]> {
  if (named !== null) return [await chooseAccount(rt, named)]
  const accounts: Account[] = []
  for await (const account of allAccounts(rt)) accounts.push(account)
  return accounts
}

/** The oldest account, which is the operator's. */
export async function firstAccount(rt: Runtime): Promise<Account> {
  const [first] = await firstAccounts(rt, 1)
  return first ?? fail(noAccount)
}

/** A guess could change or erase something of the wrong tenant. */
async function onlyAccount(rt: Runtime): Promise<Account> {
  const rows = await firstAccounts(rt, mentioned + 1)
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
