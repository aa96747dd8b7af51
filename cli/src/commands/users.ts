import type { Runtime } from '@postern/server/gateway.ts'
import {
  addOperator,
  createUser,
  describeOperators,
  endOperator,
  findOwner,
  findUser,
  makeEntryLink,
  renewOwnerLink,
  resetPassword,
  resetTwoFactor,
  type User,
  type UserWithLink,
} from '@postern/server/people.ts'
import { formatInstant } from '@postern/server/tools.ts'
import { roles } from '@postern/server/words.ts'
import { accountOption, chooseAccount } from '../choose-account.ts'
import { textOption } from '../command.ts'
import { dataCommand } from '../data-command.ts'
import { CommandFailure, notFound, wrongUsage } from '../exit-codes.ts'
import { table } from '../output/table.ts'
import { choiceFlag, noWords, onlyWord, requiredFlag, textFlag } from '../read-flags.ts'

export const usersCreate = dataCommand({
  name: 'users create',
  summary: 'Invite a person to the console. Prints a one-time link; the person chooses the password.',
  examples: [
    'postern users create --email ana@acme.example --name "Ana Sousa" --role admin',
    'postern users create --email rui@acme.example --name Rui --role viewer --account "Acme Store" --json',
  ],
  options: {
    email: textOption('Email address the person signs in with.'),
    name: textOption('Name of the person.'),
    role: textOption(`One of ${roles.join(', ')}.`),
    ...accountOption,
  },
  args(flags, words) {
    noWords(words)
    const role = choiceFlag(flags, 'role', roles)
    if (role === null) throw wrongUsage(`Give --role, one of ${roles.join(', ')}.`)
    const email = requiredFlag(flags, 'email', 'ana@acme.example')
    if (!/^[^@\s]{1,64}@[^@\s]{1,189}$/.test(email)) throw wrongUsage('--email is an address such as ana@acme.example.')
    return { email, name: requiredFlag(flags, 'name', '"Ana Sousa"'), role, account: textFlag(flags, 'account') }
  },
  async run(rt, { email, name, role, account }) {
    const { id } = await chooseAccount(rt, account)
    return describe(await createUser(rt, { accountId: id, name, email, role }))
  },
  text: linkText,
})

export const usersResetPassword = dataCommand({
  name: 'users reset-password',
  summary: "Reset a person's password, end their sessions, and print a one-time link to choose a new password.",
  examples: ['postern users reset-password ana@acme.example', 'postern users reset-password ana@acme.example --yes'],
  args: (_flags, words) => ({ email: onlyWord(words, 'the person by email address').toLowerCase() }),
  confirm: ({ email }) => ({ warning: `${email} is signed out everywhere and needs the new link.`, word: email }),
  run: async (rt, { email }) => describe(await resetPassword(rt, await requireUser(rt, email))),
  text: linkText,
})

export const usersResetTwoFactor = dataCommand({
  name: 'users reset-two-factor',
  summary: 'Turn off two-factor sign-in for a person who lost their phone and recovery codes. The password stays.',
  examples: [
    'postern users reset-two-factor ana@acme.example',
    'postern users reset-two-factor ana@acme.example --yes',
  ],
  args: (_flags, words) => ({ email: onlyWord(words, 'the person by email address').toLowerCase() }),
  confirm: ({ email }) => ({
    warning: `${email} is signed out everywhere and then signs in with only the password.`,
    word: email,
  }),
  async run(rt, { email }) {
    const user = await requireUser(rt, email)
    await resetTwoFactor(rt, user)
    return { user_id: user.id, account_id: user.account_id, email, two_factor: false }
  },
  text: ({ email }) => `Two-factor sign-in of ${email} is off.\n`,
})

export const usersSignInLink = dataCommand({
  name: 'users sign-in-link',
  summary: 'Print a one-time link that signs a person in without a password or provider. It works for 15 minutes.',
  examples: ['postern users sign-in-link ana@acme.example'],
  args: (_flags, words) => ({ email: onlyWord(words, 'the person by email address').toLowerCase() }),
  async run(rt, { email }) {
    const user = await requireUser(rt, email)
    if (user.joined_at === null) throw new CommandFailure(`${email} has not used their invite link yet.`)
    return describe(await makeEntryLink(rt, user))
  },
  text: linkText,
})

export const operatorsAdd = dataCommand({
  name: 'operators add',
  summary: 'Let a person operate the installation in the console. They need two-factor sign-in.',
  examples: ['postern operators add ana@acme.example'],
  args: (_flags, words) => ({ email: onlyWord(words, 'the person by email address').toLowerCase() }),
  async run(rt, { email }) {
    const user = await requireUser(rt, email)
    if (!(await addOperator(rt, user))) throw new CommandFailure(`${email} has not used their invite link yet.`)
    return { email, operator: true, two_factor: user.two_factor_since !== null }
  },
  text: ({ email, two_factor }) =>
    `${email} operates the installation.${two_factor ? '' : ' They first turn on two-factor sign-in under Settings, Security.'}\n`,
})

export const operatorsRemove = dataCommand({
  name: 'operators remove',
  summary: "Revoke a person's operator access. Their accounts and roles stay.",
  examples: ['postern operators remove ana@acme.example'],
  args: (_flags, words) => ({ email: onlyWord(words, 'the person by email address').toLowerCase() }),
  async run(rt, { email }) {
    if (!(await endOperator(rt, await requireUser(rt, email)))) throw notFound(`${email} is not an operator.`)
    return { email, operator: false }
  },
  text: ({ email }) => `${email} is no longer an operator.\n`,
})

export const operatorsList = dataCommand({
  name: 'operators list',
  summary: 'List the people who operate the installation.',
  examples: ['postern operators list', 'postern operators list --json'],
  args(_flags, words) {
    noWords(words)
    return {}
  },
  run: async (rt) => ({ operators: await describeOperators(rt) }),
  text: ({ operators }) =>
    operators.length === 0
      ? 'Nobody is an operator. Name one: postern operators add <email>\n'
      : table(
          ['email', 'name', 'two-factor since'],
          operators.map(({ email, name, two_factor_since }) => [email ?? '', name, two_factor_since ?? 'off']),
        ),
})

export const setupLink = dataCommand({
  name: 'setup-link',
  summary: 'Print a new one-time link for the owner of an account, as long as the owner has not signed in.',
  examples: ['postern setup-link', 'postern setup-link --account "Acme Store" --json'],
  options: accountOption,
  args(flags, words) {
    noWords(words)
    return { account: textFlag(flags, 'account') }
  },
  async run(rt, { account }) {
    const { id, name } = await chooseAccount(rt, account)
    const owner = await findOwner(rt, id)
    if (!owner) throw notFound(`${name} has no owner.`)
    if (owner.joined_at !== null) {
      throw new CommandFailure(
        `${name} already has an owner. For a forgotten password: postern users reset-password <email>`,
      )
    }
    return describe(await renewOwnerLink(rt, owner))
  },
  text: linkText,
})

async function requireUser(rt: Runtime, email: string): Promise<User> {
  const user = await findUser(rt, email)
  if (!user) throw notFound(`No user signs in as '${email}'.`)
  return user
}

function describe({ user, link, expiresAt }: UserWithLink) {
  const { id, account_id, email, name, role } = user
  return { user_id: id, account_id, email, name, role, console_link: link, expires_at: formatInstant(expiresAt) }
}

function linkText({ console_link, expires_at }: { console_link: string; expires_at: string }): string {
  return `${console_link}\nThe link works once, until ${expires_at}.\n`
}
