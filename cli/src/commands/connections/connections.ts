import { operator } from '@postern/server/accounts.ts'
import {
  addConnection,
  changeOptions,
  deleteConnection,
  describeConnection,
  listConnections,
  prepareAppSecret,
  requireConnection,
  rotateToken,
  type StoredConnection,
  switchAppSecret,
} from '@postern/server/connections.ts'
import type { Runtime } from '@postern/server/gateway.ts'
import { toolScopes, tools } from '@postern/server/words.ts'
import { accountOption, chooseAccount } from '../../choose-account.ts'
import { type Flags, textOption } from '../../command.ts'
import { behaviour, optionsOf, shownOptions } from '../../connections/connection-options.ts'
import { dataCommand } from '../../data-command.ts'
import { pairs, table } from '../../output/table.ts'
import { choiceFlag, listFlag, noWords, onlyWord, requiredFlag, scopesFlag, textFlag } from '../../read-flags.ts'

export const by = { actor: operator }

export const connectionsCreate = dataCommand({
  name: 'connections create',
  summary: "Connect a tool for Meta's Cloud API. Its token is shown once.",
  examples: [
    'postern connections create --tool chatwoot --name "Help desk" --numbers +15550783881',
    'postern connections create --tool pywa --name Bot --json',
  ],
  options: {
    name: textOption('Your name for the tool.'),
    tool: textOption(`Which tool it is: ${tools.join(', ')}. Default: generic.`),
    ...accountOption,
    numbers: textOption('Connected numbers that it may use, by id or phone number, comma-separated. Without it: all.'),
    scopes: textOption('Additional permissions, comma-separated, such as templates:write.'),
    ips: textOption('Allowed addresses or ranges, comma-separated. Without it: any.'),
    ...behaviour,
  },
  args(flags, words) {
    noWords(words)
    return {
      name: requiredFlag(flags, 'name', '"Help desk"'),
      tool: choiceFlag(flags, 'tool', tools) ?? 'generic',
      account: textFlag(flags, 'account'),
      numbers: listFlag(flags, 'numbers'),
      scopes: scopesFlag(flags) ?? [],
      ips: listFlag(flags, 'ips'),
      options: optionsOf(flags),
    }
  },
  async run(rt, { account: wanted, numbers, scopes, ips, options, ...given }) {
    const account = await chooseAccount(rt, wanted)
    const { row, key, token } = await addConnection(rt, {
      ...given,
      accountId: account.id,
      scopes: [...new Set([...toolScopes[given.tool], ...scopes])],
      numbers,
      allowedIps: ips,
      options,
    })
    return { ...(await describeConnection(rt, { row, key })), token }
  },
  text: (made) =>
    `${pairs([
      ['Connection', made.id],
      ['Address', made.address],
      ['Token', made.token],
      ['App id', made.app_id],
      ['App secret', made.app_secret],
      ...made.numbers.flatMap(({ phone_number, phone_number_id, waba_id }): [string, string][] => [
        [`Number ${phone_number}`, phone_number_id],
        ['  business account', waba_id],
      ]),
    ])}The token is not shown again: enter it in the tool now.\n`,
})

export const connectionsList = dataCommand({
  name: 'connections list',
  summary: 'List the connections of an account.',
  examples: ['postern connections list', 'postern connections list --account "Acme Store" --json'],
  options: accountOption,
  args(flags, words) {
    noWords(words)
    return { account: textFlag(flags, 'account') }
  },
  async run(rt, args) {
    const account = await chooseAccount(rt, args.account)
    const stored = await listConnections(rt, account.id)
    const connections = await Promise.all(stored.map((one) => describeConnection(rt, one)))
    return { account_id: account.id, connections: connections.map(({ app_secret: _, ...shown }) => shown) }
  },
  text: ({ connections }) =>
    table(
      ['connection', 'name', 'tool', 'numbers', 'last used'],
      connections.map(({ id, name, tool, numbers, last_used_at }) => [
        id,
        name,
        tool,
        numbers.map(({ phone_number }) => phone_number).join(' '),
        last_used_at ?? 'never',
      ]),
    ),
})

export const named = {
  options: accountOption,
  args: (flags: Flags, words: readonly string[]) => ({
    account: textFlag(flags, 'account'),
    id: onlyWord(words, "the connection by its id; see 'postern connections list'"),
  }),
}

export async function find(
  rt: Runtime,
  { account, id }: { account: string | null; id: string },
): Promise<StoredConnection> {
  const { id: accountId } = await chooseAccount(rt, account)
  return requireConnection(rt, accountId, id)
}

export const connectionsShow = dataCommand({
  name: 'connections show',
  summary: 'Show the values to enter in a tool, except its token.',
  examples: ['postern connections show con_01jd40m1…'],
  ...named,
  run: async (rt, args) => describeConnection(rt, await find(rt, args)),
  text: (shown) =>
    pairs([
      ['Connection', shown.id],
      ['Name', shown.name],
      ['Address', shown.address],
      ['App id', shown.app_id],
      ['App secret', shown.app_secret],
      ['Last used', shown.last_used_at ?? 'never'],
      ['Callbacks', shown.callback?.url ?? 'none'],
      ['Callbacks are', shown.callback?.problem ?? shown.callback?.state ?? 'not set'],
      ...shownOptions(shown.options),
    ]),
})

export const connectionsChange = dataCommand({
  name: 'connections change',
  summary: 'Change how a connection behaves.',
  examples: [
    'postern connections change con_01jd40m1… --repeats off',
    'postern connections change con_01jd40m1… --window meta',
  ],
  options: { ...accountOption, ...behaviour },
  args: (flags, words) => ({ ...named.args(flags, words), options: optionsOf(flags) }),
  async run(rt, args) {
    const stored = await find(rt, args)
    await changeOptions(rt, stored, args.options, by)
    return describeConnection(rt, await find(rt, args))
  },
  text: ({ options }) => pairs(shownOptions(options)),
})

export const connectionsRotate = dataCommand({
  name: 'connections rotate',
  summary: 'Create a new token. The old one keeps working for 24 hours.',
  examples: ['postern connections rotate con_01jd40m1…'],
  ...named,
  run: async (rt, args) => {
    const { token, previousUntil } = await rotateToken(rt, await find(rt, args), by)
    return { id: args.id, token, previous_token_until: previousUntil }
  },
  text: ({ token, previous_token_until }) =>
    `${pairs([['Token', token]])}The token is not shown again: enter it in the tool now. The old one works until ${previous_token_until}.\n`,
})

export const connectionsSecret = dataCommand({
  name: 'connections prepare-secret',
  summary: 'Prepare a new app secret, which signs callbacks after `connections switch-secret`.',
  examples: ['postern connections prepare-secret con_01jd40m1…'],
  ...named,
  run: async (rt, args) => ({ id: args.id, next_app_secret: await prepareAppSecret(rt, await find(rt, args), by) }),
  text: ({ id, next_app_secret }) =>
    `${pairs([['Next app secret', next_app_secret]])}Enter it in the tool, then run 'postern connections switch-secret ${id}'.\n`,
})

export const connectionsSwitch = dataCommand({
  name: 'connections switch-secret',
  summary: 'Use the prepared app secret from now on.',
  examples: ['postern connections switch-secret con_01jd40m1…'],
  ...named,
  run: async (rt, args) => {
    await switchAppSecret(rt, await find(rt, args), by)
    return { id: args.id }
  },
  text: ({ id }) => `${id} now uses the prepared app secret.\n`,
})

export const connectionsDelete = dataCommand({
  name: 'connections delete',
  summary: 'Delete a connection. Its token stops working immediately.',
  examples: ['postern connections delete con_01jd40m1…', 'postern connections delete con_01jd40m1… --yes --json'],
  ...named,
  confirm: ({ id }) => ({ warning: `The tool behind ${id} can no longer send or receive.`, word: id }),
  run: async (rt, args) => {
    await deleteConnection(rt, await find(rt, args), by)
    return { id: args.id, deleted: true }
  },
  text: ({ id }) => `Deleted ${id}.\n`,
})
