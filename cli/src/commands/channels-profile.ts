import { author } from '@postern/server/accounts.ts'
import { requireBody } from '@postern/server/bodies.ts'
import {
  BlockRequest,
  blockCustomers,
  getProfile,
  listBlocked,
  ProfileChanges,
  unblockCustomer,
  updateProfile,
} from '@postern/server/numbers.ts'
import { accountOption, chooseAccount } from '../choose-account.ts'
import { type Flags, textOption } from '../command.ts'
import { dataCommand } from '../data-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { countFlag, listFlag, onlyWord, textFlag } from '../read-flags.ts'

const numberOf = (words: readonly string[]) =>
  words.length === 0 ? null : onlyWord(words, 'the number by id or as +351210000000')

export const channelsProfile = dataCommand({
  name: 'channels profile',
  summary: 'Show the business profile of a number at Meta. With flags, change it first.',
  examples: [
    'postern channels profile',
    'postern channels profile +351210000000 --about "Open every day" --websites https://acme.example --json',
  ],
  options: {
    ...accountOption,
    about: textOption('The line under the name, 1 to 139 characters.'),
    address: textOption('Address of the business.'),
    description: textOption('What the business does.'),
    email: textOption('Email address for customers.'),
    category: textOption("Meta's category, such as RETAIL."),
    websites: textOption('One or two addresses, separated by a comma.'),
  },
  args: (flags, words) => ({
    account: textFlag(flags, 'account'),
    number: numberOf(words),
    changes: changesIn(flags),
  }),
  async run(rt, { account: named, number: from, changes }) {
    const { id: accountId } = await chooseAccount(rt, named)
    const owner = { accountId, phoneNumberIds: null, seesPeople: true }
    if (Object.keys(changes).length === 0) return getProfile(rt, owner, from)
    return updateProfile(rt, owner, { ...changes, from }, author)
  },
  text: (profile) =>
    Object.entries(profile)
      .map(([name, value]) => `${`${name}:`.padEnd(14)}${String(value ?? '')}\n`)
      .join(''),
})

type Changes = Omit<Parameters<typeof updateProfile>[2], 'from' | 'photo'>

function changesIn(flags: Flags): Changes {
  const given = {
    about: textFlag(flags, 'about'),
    address: textFlag(flags, 'address'),
    description: textFlag(flags, 'description'),
    email: textFlag(flags, 'email'),
    vertical: textFlag(flags, 'category'),
    websites: listFlag(flags, 'websites'),
  }
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Changes
  requireBody(ProfileChanges, changes)
  return changes
}

function blockIn(flags: Flags): string[] {
  const customers = listFlag(flags, 'block')
  if (customers) requireBody(BlockRequest, { customers })
  return customers ?? []
}

export const channelsBlocked = dataCommand({
  name: 'channels blocked',
  summary: 'List the blocked customers of a number at Meta. With flags, block or unblock customers first.',
  examples: [
    'postern channels blocked',
    'postern channels blocked +351210000000 --block +12025550100,+12025550101',
    'postern channels blocked --unblock +12025550100 --json',
  ],
  options: {
    ...accountOption,
    block: textOption('Customers to block, separated by commas. They must have written in the last 24 hours.'),
    unblock: textOption('Customers to unblock, separated by commas.'),
    limit: textOption('How many to list, up to 100. Default 25.'),
  },
  args: (flags, words) => ({
    account: textFlag(flags, 'account'),
    number: numberOf(words),
    block: blockIn(flags),
    unblock: listFlag(flags, 'unblock') ?? [],
    limit: countFlag(flags, 'limit', { max: 100 }) ?? 25,
  }),
  async run(rt, { account: named, number: from, block, unblock, limit }) {
    const { id: accountId } = await chooseAccount(rt, named)
    const owner = { accountId, phoneNumberIds: null, seesPeople: true }
    for (const customer of unblock) await unblockCustomer(rt, owner, { from, customer }, author)
    const failed =
      block.length === 0 ? [] : (await blockCustomers(rt, owner, { from, customers: block }, author)).failed
    return { ...(await listBlocked(rt, owner, { from, limit, cursor: null })), failed }
  },
  text: ({ phone_number, blocked, failed, pagination }) =>
    [
      ...failed.map(({ customer, message }) => `Not blocked: ${customer}. ${message}`),
      blocked.length === 0 ? `Nobody is blocked at ${phone_number}.` : `Blocked at ${phone_number}:`,
      ...blocked.map(({ customer, name }) => `  ${customer}${name === null ? '' : `  ${name}`}`),
      ...(pagination.has_more ? ['  … and more'] : []),
      '',
    ].join('\n'),
  exitCode: ({ failed }) => (failed.length === 0 ? exitCodes.ok : exitCodes.failure),
})
