import {
  type Account,
  type AccountChange,
  addSandboxRequest,
  allAccounts,
  changeAccount,
  createAccount,
  operator,
  planDeletion,
  sandboxConnected,
} from '@postern/server/accounts.ts'
import type { Runtime } from '@postern/server/gateway.ts'
import { formatInstant } from '@postern/server/tools.ts'
import { planNames } from '@postern/server/words.ts'
import { chooseAccount } from '../choose-account.ts'
import { textOption } from '../command.ts'
import { isServed } from '../control/data-lock.ts'
import { dataCommand } from '../data-command.ts'
import { notFound, wrongUsage } from '../exit-codes.ts'
import { table } from '../output/table.ts'
import { choiceFlag, noWords, onlyWord, requiredFlag } from '../read-flags.ts'

const connectDeadlineMs = 10_000

export const accountsCreate = dataCommand({
  name: 'accounts create',
  makesData: true,
  summary: 'Create an account (a tenant) with its own sandbox number.',
  examples: [
    'postern accounts create --name "Acme Store"',
    'postern accounts create --name "Acme Store" --plan professional --json',
    'postern accounts create --name "Acme Live" --channel none',
  ],
  options: {
    name: textOption('Name of the business.'),
    plan: textOption(`One of ${planNames.join(', ')}. Default free.`),
    channel: textOption('`sandbox` (default) or `none`.'),
  },
  args(flags, words) {
    noWords(words)
    return {
      name: requiredFlag(flags, 'name', '"Acme Store"'),
      plan: choiceFlag(flags, 'plan', planNames) ?? 'free',
      channel: choiceFlag(flags, 'channel', ['sandbox', 'none']) ?? 'sandbox',
    }
  },
  async run(rt, { name, plan, channel }) {
    const requested = channel === 'sandbox' && rt.config.sandboxListen !== 'off'
    const { account } = await createAccount(rt, { name, plan, actor: operator }, (unit, draft) => {
      if (requested) addSandboxRequest(rt, unit, draft.account.id)
    })
    const ready = requested && isServed(rt.config) && (await sandboxConnected(rt, account.id, connectDeadlineMs))
    const sandbox = ready ? 'connected' : requested ? 'waiting' : 'none'
    return { ...describe(account), sandbox: sandbox as 'connected' | 'waiting' | 'none' }
  },
  text: ({ id, name, plan, sandbox }) =>
    `Created ${id} (${name}, plan ${plan}).\n${sandboxTexts[sandbox]}Next: postern keys create --name <name> --account ${id}\n`,
})

const sandboxTexts = {
  connected: 'It is connected to its own sandbox number.\n',
  waiting: 'Its sandbox number will be connected by the running server.\n',
  none: 'It has no channel yet.\n',
}

export const accountsList = dataCommand({
  name: 'accounts list',
  summary: 'List the accounts.',
  examples: ['postern accounts list', 'postern accounts list --json'],
  args(_flags, words) {
    noWords(words)
    return {}
  },
  async run(rt) {
    const accounts: AccountView[] = []
    for await (const account of allAccounts(rt)) accounts.push(describe(account))
    return { accounts }
  },
  text: ({ accounts }) =>
    table(
      ['id', 'name', 'plan', 'status', 'created'],
      accounts.map(({ id, name, plan, status, created_at }) => [id, name, plan, status, created_at]),
    ),
})

export const accountsSetPlan = dataCommand({
  name: 'accounts set-plan',
  summary: 'Change the plan of an account immediately. Past requests still count.',
  examples: ['postern accounts set-plan "Acme Store" --plan professional'],
  options: { plan: textOption(`One of ${planNames.join(', ')}.`) },
  args(flags, words) {
    const plan = choiceFlag(flags, 'plan', planNames)
    if (plan === null) throw wrongUsage(`Give --plan, one of ${planNames.join(', ')}.`)
    return { account: onlyWord(words, 'the account by id or name'), plan }
  },
  run: (rt, { account, plan }) => change(rt, account, { plan }),
  text: ({ name, plan }) => `${name} is now on the plan ${plan}.\n`,
})

export const accountsSuspend = dataCommand({
  name: 'accounts suspend',
  summary: 'Reject every request of an account until it is resumed.',
  examples: ['postern accounts suspend "Acme Store"', 'postern accounts suspend acc_01jd3z0a… --yes'],
  args: (_flags, words) => ({ account: onlyWord(words, 'the account by id or name') }),
  confirm: ({ account }) => ({ warning: `Every request of ${account} will be rejected.`, word: account }),
  run: (rt, { account }) => change(rt, account, { status: 'suspended' }),
  text: ({ id, name }) => `${name} is suspended. Undo: postern accounts resume ${id}\n`,
})

export const accountsResume = dataCommand({
  name: 'accounts resume',
  summary: 'Resume a suspended account, or one that is to be deleted.',
  examples: ['postern accounts resume "Acme Store"'],
  args: (_flags, words) => ({ account: onlyWord(words, 'the account by id or name') }),
  run: (rt, { account }) => change(rt, account, { status: 'active' }),
  text: ({ name }) => `${name} is active.\n`,
})

export const accountsDelete = dataCommand({
  name: 'accounts delete',
  summary: 'Suspend an account now, and delete all its data after seven days.',
  examples: ['postern accounts delete "Acme Store"', 'postern accounts delete acc_01jd3z0a… --yes'],
  args: (_flags, words) => ({ account: onlyWord(words, 'the account by id or name') }),
  confirm: ({ account }) => ({
    warning: `Every request of ${account} will be rejected, and in seven days its messages, files, keys and people are deleted.`,
    word: account,
  }),
  async run(rt, { account: named }) {
    const planned = await planDeletion(rt, (await chooseAccount(rt, named)).id, operator)
    if (!planned) throw notFound(`There is no account '${named}'; see 'postern accounts list'.`)
    return { ...describe(planned), delete_at: formatInstant(planned.delete_at) }
  },
  text: ({ id, name, delete_at }) =>
    `${name} is suspended and will be deleted on ${delete_at}. Undo: postern accounts resume ${id}\n`,
})

async function change(rt: Runtime, named: string, wanted: AccountChange): Promise<AccountView> {
  const account = await chooseAccount(rt, named)
  const changed = await changeAccount(rt, account.id, wanted, operator)
  if (!changed) throw notFound(`There is no account '${named}'; see 'postern accounts list'.`)
  return describe(changed)
}

type AccountView = { id: string; name: string; plan: string; status: string; created_at: string }

function describe({ id, name, plan, status, created_at }: Pick<Account, keyof AccountView>): AccountView {
  return { id, name, plan, status, created_at: formatInstant(created_at) }
}
