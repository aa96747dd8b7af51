import { operator } from '@postern/server/accounts.ts'
import {
  type ConnectResult,
  checkChannel,
  connectChannel,
  connectSandboxChannel,
  disconnectChannel,
  listChannels,
  readChannelManual,
  setDefaultNumber,
} from '@postern/server/channels.ts'
import type { Env } from '@postern/server/settings.ts'
import { readChannelSecrets } from '../channels/channel-secrets.ts'
import { connectByHand, manualText, stepLines } from '../channels/connect-by-hand.ts'
import { channelLines, findChannel, listedChannels, unknownChannel } from '../channels/listed-channels.ts'
import { accountOption, anyAccountOption, chooseAccount } from '../choose-account.ts'
import { type Flags, switchOption, textOption } from '../command.ts'
import { type DataCommand, dataCommand } from '../data-command.ts'
import { exitCodes, notFound, wrongUsage } from '../exit-codes.ts'
import { noWords, onlyWord, requiredFlag, textFlag } from '../read-flags.ts'

const connect = dataCommand({
  name: 'channels connect',
  summary: 'Connect a number of a WhatsApp Business account, checked live step by step.',
  examples: [
    'POSTERN_CHANNEL_TOKEN=… POSTERN_CHANNEL_APP_SECRET=… postern channels connect --business 1029… --number 1065…',
    'postern channels connect --business 1029… --number 1065… --secrets secrets.json --account "Acme Store" --json',
    'postern channels connect --business 1029… --number 1065… --app-id 6708… --manual',
    'postern channels connect --sandbox http://127.0.0.1:8081',
  ],
  options: {
    ...accountOption,
    business: textOption(
      'Id of the WhatsApp Business account (WABA). The page /docs/go-live of the gateway shows where to find each value.',
    ),
    number: textOption('Id of the phone number at Meta, not the number itself.'),
    'app-id': textOption('Id of the app at Meta; only needed if Meta does not return it.'),
    'take-over': switchOption('Replace callback addresses that belong to another service.'),
    manual: switchOption("Print what to enter in Meta's App Dashboard, and wait until Meta has verified the address."),
    wait: textOption('With --manual: how many seconds to wait. Default 600.'),
    'base-url': textOption("Address of Meta's API, if it differs from the settings."),
    secrets: textOption('JSON file with access_token, app_secret and, if needed, pin; - reads it from stdin.'),
    sandbox: textOption(
      'Address of a sandbox on this machine. Connects a new number of the sandbox; no other flag is needed.',
    ),
  },
  args: connectArgs,
  async run(rt, { account: named, sandbox, cloud }): Promise<ConnectResult> {
    const { id: accountId } = await chooseAccount(rt, named)
    if (cloud) return connectChannel(rt, { accountId, kind: 'cloud', ...cloud, actor: operator })
    return connectSandboxChannel(rt, accountId, sandbox ?? '')
  },
  text: ({ channel, steps }) => `${stepLines(steps)}${channel ? channelLines([channel]) : 'Nothing was connected.\n'}`,
  exitCode: ({ ok }) => (ok ? exitCodes.ok : exitCodes.failure),
})

/** By hand it takes two steps: what to enter at Meta, and what Meta made of it. */
export const channelsConnect: DataCommand = {
  ...connect,
  run(invocation) {
    if (invocation.flags.manual !== true) return connect.run(invocation)
    const verbs = { connect, manual: channelsManual, check: channelsCheck }
    return connectByHand(invocation, connectArgs(invocation.flags, invocation.positionals, invocation.host.env), verbs)
  },
}

export const channelsCheck = dataCommand({
  name: 'channels check',
  summary: 'Check connected channels live: address, token, permissions, numbers, subscriptions, callbacks, health.',
  examples: ['postern channels check', 'postern channels check chn_01jd41… --repair --json'],
  options: {
    ...anyAccountOption,
    repair: switchOption('Restore callback addresses that no longer point to this gateway.'),
    'take-over': switchOption('The same, and replace callback addresses that belong to another service.'),
  },
  args(flags, words) {
    const channel = words.length === 0 ? null : onlyWord(words, 'the channel by id')
    const [repair, takeOver] = [flags.repair === true, flags['take-over'] === true]
    return { account: textFlag(flags, 'account'), channel, repair, takeOver }
  },
  async run(rt, { account: named, channel: wanted, repair, takeOver }) {
    // Addresses of other services are never replaced for all tenants at once.
    const account = takeOver && wanted === null ? (await chooseAccount(rt, named)).id : named
    const channels = wanted === null ? await listedChannels(rt, account) : [await findChannel(rt, account, wanted)]
    if (channels.length === 0) throw notFound("No channel is connected; see 'postern channels connect'.")
    const checks = []
    const options = { repair, takeOver, byOperator: true }
    for (const { id, account_id, account_name } of channels) {
      const { ok, channel, steps } = (await checkChannel(rt, account_id, id, options)) ?? unknownChannel(id)
      checks.push({ ok, channel: { ...channel, account_name }, steps })
    }
    return { ok: checks.every(({ ok }) => ok), checks }
  },
  text: ({ checks }) => checks.map(({ channel, steps }) => `${channelLines([channel])}${stepLines(steps)}`).join('\n'),
  exitCode: ({ ok }) => (ok ? exitCodes.ok : exitCodes.failure),
})

export const channelsManual = dataCommand({
  name: 'channels manual',
  summary: "Show the values to enter manually in Meta's App Dashboard: callback URL, verify token, fields.",
  examples: ['postern channels manual chn_01jd41…', 'postern channels manual chn_01jd41… --json'],
  options: anyAccountOption,
  args: (flags, words) => ({ account: textFlag(flags, 'account'), channel: onlyWord(words, 'the channel by id') }),
  async run(rt, { account, channel }) {
    const { account_id } = await findChannel(rt, account, channel)
    return (await readChannelManual(rt, account_id, channel)) ?? unknownChannel(channel)
  },
  text: manualText,
})

export const channelsList = dataCommand({
  name: 'channels list',
  summary: 'List the connected channels and their numbers, and when their tokens expire.',
  examples: ['postern channels list', 'postern channels list --account "Acme Store" --json'],
  options: anyAccountOption,
  args(flags, words) {
    noWords(words)
    return { account: textFlag(flags, 'account') }
  },
  run: async (rt, { account }) => ({ channels: await listedChannels(rt, account) }),
  text: ({ channels }) => (channels.length === 0 ? 'No channel is connected.\n' : channelLines(channels)),
})

export const channelsDefault = dataCommand({
  name: 'channels default',
  summary: 'Choose the number for messages without `from`.',
  examples: ['postern channels default pn_01jd41…', 'postern channels default +351210000000 --account "Acme Store"'],
  options: accountOption,
  args: (flags, words) => ({
    account: textFlag(flags, 'account'),
    number: onlyWord(words, 'the number by id or as +351210000000'),
  }),
  async run(rt, { account: named, number: wanted }) {
    const account = await chooseAccount(rt, named)
    const numbers = (await listChannels(rt, account.id)).flatMap(({ numbers }) => numbers)
    const number = numbers.find(({ id, phone_number }) => id === wanted || phone_number === wanted)
    const numberId = number?.id ?? ''
    if (!number || !(await setDefaultNumber(rt, { accountId: account.id, numberId, actor: operator }))) {
      throw notFound(`${account.name} has no such number; see 'postern channels list'.`)
    }
    return { ...number, default: true }
  },
  text: ({ phone_number }) => `Messages without a sender are now sent from ${phone_number}.\n`,
})

export const channelsDisconnect = dataCommand({
  name: 'channels disconnect',
  summary: 'Disconnect a channel and delete its credentials. Its messages stay.',
  examples: ['postern channels disconnect chn_01jd41…', 'postern channels disconnect chn_01jd41… --yes --json'],
  options: anyAccountOption,
  args: (flags, words) => ({ account: textFlag(flags, 'account'), channel: onlyWord(words, 'the channel by id') }),
  confirm: ({ channel }) => ({
    warning: `The numbers of ${channel} can no longer send or receive messages.`,
    word: channel,
  }),
  async run(rt, { account, channel }) {
    const { account_id: accountId } = await findChannel(rt, account, channel)
    const step = await disconnectChannel(rt, { accountId, channelId: channel, actor: operator })
    return { disconnected: channel, steps: [step ?? unknownChannel(channel)] }
  },
  text: ({ disconnected, steps }) => `${stepLines(steps)}Disconnected ${disconnected}.\n`,
})

function connectArgs(flags: Flags, words: readonly string[], env: Env) {
  noWords(words)
  const account = textFlag(flags, 'account')
  const sandbox = textFlag(flags, 'sandbox')
  if (sandbox !== null) return { account, sandbox: addressOf(sandbox), cloud: null }
  const cloud = {
    wabaId: requiredId(flags, 'business', '102912345678901'),
    phoneNumberId: requiredId(flags, 'number', '106512345678901'),
    appId: textFlag(flags, 'app-id'),
    takeOver: flags['take-over'] === true,
    manual: flags.manual === true,
    baseUrl: textFlag(flags, 'base-url'),
    ...readChannelSecrets(textFlag(flags, 'secrets'), env),
  }
  return { account, sandbox, cloud }
}

/** A phone number instead of its id is the likeliest mistake. */
function requiredId(flags: Flags, name: 'business' | 'number', example: string): string {
  const id = requiredFlag(flags, name, example)
  if (/^\d+$/.test(id)) return id
  const what =
    name === 'number' ? 'the phone number id, not the phone number' : 'the id of the WhatsApp Business account'
  throw wrongUsage(`--${name} is ${what}: digits only, as Meta shows it under API Setup.`)
}

function addressOf(text: string): string {
  if (!URL.canParse(text)) throw wrongUsage('--sandbox is an address such as http://127.0.0.1:8081.')
  return new URL(text).origin
}
