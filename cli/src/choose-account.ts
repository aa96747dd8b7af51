import type { Runtime } from '@postern/server/runtime.ts'
import { type AccountRow, findAccount, listAccounts } from '@postern/server/store/accounts/accounts.ts'
import { textOption } from './command.ts'
import { notFound, wrongUsage } from './exit-codes.ts'

export const accountOption = { account: textOption('Id or name of the account; without it the first one.') }
export const anyAccountOption = { account: textOption('Id or name of one account. Without it: all.') }

/** The account that was named by id or name; without a name the first one, which is the operator's. */
export async function chooseAccount(rt: Runtime, named: string | null): Promise<AccountRow> {
  if (named?.startsWith('acc_')) {
    const [account] = await rt.store.read(findAccount, { id: named })
    if (account) return account
  }
  const fitting: AccountRow[] = []
  for await (const account of allAccounts(rt)) {
    if (named === null) return account
    if (account.name === named) fitting.push(account)
  }
  const [account, second] = fitting
  if (second) throw wrongUsage(`Several accounts are called '${named}': name one by id, see 'postern accounts list'.`)
  if (account) return account
  throw notFound(
    named === null
      ? "There is no account yet: start the server once, or run 'postern accounts create --name <name>'."
      : `There is no account '${named}'; see 'postern accounts list'.`,
  )
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
