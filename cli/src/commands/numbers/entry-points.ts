import { author } from '@postern/server/accounts.ts'
import { requireBody } from '@postern/server/bodies.ts'
import {
  AutomationChange,
  deleteLink,
  getAutomation,
  getKeywords,
  KeywordsChange,
  LinkRequest,
  listLinks,
  saveLink,
  setAutomation,
  setKeywords,
} from '@postern/server/numbers.ts'
import { accountOption, chooseAccount } from '../../choose-account.ts'
import { type Flags, switchOption, textOption } from '../../command.ts'
import { dataCommand } from '../../data-command.ts'
import { wrongUsage } from '../../exit-codes.ts'
import { listFlag, onlyWord, textFlag } from '../../read-flags.ts'

const numberOf = (words: readonly string[]) =>
  words.length === 0 ? null : onlyWord(words, 'the number by id or as +351210000000')

export const channelsLinks = dataCommand({
  name: 'channels links',
  summary: 'List the short links of a number. With flags, create, change or delete one first.',
  examples: [
    'postern channels links',
    'postern channels links +351210000000 --create "I have a question about my order"',
    'postern channels links --delete 4O4YGZEG3RIVE1 --json',
  ],
  options: {
    ...accountOption,
    create: textOption('Message of a new link.'),
    change: textOption('Id of a link that gets the message of --to.'),
    to: textOption('With --change: the new message.'),
    delete: textOption('Id of a link to delete.'),
  },
  args(flags, words) {
    const [create, change, message] = [textFlag(flags, 'create'), textFlag(flags, 'change'), textFlag(flags, 'to')]
    if ((change === null) !== (message === null)) throw wrongUsage('--change names a link, and --to its new message.')
    const saved = create ?? message
    if (saved !== null) requireBody(LinkRequest, { message: saved })
    return {
      account: textFlag(flags, 'account'),
      number: numberOf(words),
      create,
      change,
      message,
      remove: textFlag(flags, 'delete'),
    }
  },
  async run(rt, { account: named, number, create, change, message, remove }) {
    const { id: accountId } = await chooseAccount(rt, named)
    const owner = { accountId, phoneNumberIds: null }
    if (create !== null) await saveLink(rt, owner, { from: number, message: create }, author)
    if (change !== null && message !== null) await saveLink(rt, owner, { from: number, message, code: change }, author)
    if (remove !== null) await deleteLink(rt, owner, remove, number ?? undefined, author)
    return listLinks(rt, owner, number ?? undefined)
  },
  text: ({ phone_number, links }) =>
    links.length === 0
      ? `${phone_number} has no short links.\n`
      : links.map(({ link_id, url, message }) => `${link_id}  ${url}  ${message}\n`).join(''),
})

export const channelsAutomation = dataCommand({
  name: 'channels automation',
  summary: 'Show the ice breakers and commands of a number. With flags, replace them first.',
  examples: [
    'postern channels automation',
    'postern channels automation --prompts "Where is my order?,When are you open?"',
    'postern channels automation --commands "order=Where is my order?,hours=Opening hours" --json',
    'postern channels automation --no-prompts',
  ],
  options: {
    ...accountOption,
    prompts: textOption('Ice breakers, separated by commas.'),
    commands: textOption('Commands as name=description, separated by commas.'),
    'no-prompts': switchOption('Remove all ice breakers.'),
    'no-commands': switchOption('Remove all commands.'),
  },
  args: (flags, words) => ({
    account: textFlag(flags, 'account'),
    number: numberOf(words),
    change: automationIn(flags),
  }),
  async run(rt, { account: named, number, change }) {
    const { id: accountId } = await chooseAccount(rt, named)
    const owner = { accountId, phoneNumberIds: null }
    if (Object.keys(change).length === 0) return getAutomation(rt, owner, number ?? undefined)
    return setAutomation(rt, owner, { ...change, from: number }, author)
  },
  text: ({ phone_number, prompts, commands }) =>
    [
      `Ice breakers of ${phone_number}:`,
      ...(prompts.length === 0 ? ['  none'] : prompts.map((prompt) => `  ${prompt}`)),
      'Commands:',
      ...(commands.length === 0 ? ['  none'] : commands.map(({ name, description }) => `  /${name}  ${description}`)),
      '',
    ].join('\n'),
})

function automationIn(flags: Flags) {
  const prompts = flags['no-prompts'] === true ? [] : listFlag(flags, 'prompts')
  const written = flags['no-commands'] === true ? [] : listFlag(flags, 'commands')
  const commands = written?.map((one) => {
    const [name = '', ...rest] = one.split('=')
    return { name: name.trim().replace(/^\//, ''), description: rest.join('=').trim() }
  })
  const change = { ...(prompts && { prompts }), ...(commands && { commands }) }
  requireBody(AutomationChange, change)
  return change
}

export const channelsKeywords = dataCommand({
  name: 'channels keywords',
  summary: 'Show the words that stop and start marketing messages of a number. With flags, set them first.',
  examples: [
    'postern channels keywords',
    'postern channels keywords +351210000000 --stop STOP,PARAR --start START',
    'postern channels keywords --off --json',
  ],
  options: {
    ...accountOption,
    stop: textOption('Words that opt out, separated by commas.'),
    start: textOption('Words that opt in again, separated by commas.'),
    off: switchOption('Remove all words.'),
  },
  args(flags, words) {
    const off = flags.off === true
    const [stop, start] = [off ? [] : listFlag(flags, 'stop'), off ? [] : listFlag(flags, 'start')]
    const change = { ...(stop && { stop_words: stop }), ...(start && { start_words: start }) }
    requireBody(KeywordsChange, change)
    return { account: textFlag(flags, 'account'), number: numberOf(words), change }
  },
  async run(rt, { account: named, number, change }) {
    const { id: accountId } = await chooseAccount(rt, named)
    const owner = { accountId, phoneNumberIds: null }
    if (Object.keys(change).length === 0) return getKeywords(rt, owner, number ?? undefined)
    return setKeywords(rt, owner, { ...change, from: number }, author)
  },
  text: ({ phone_number, stop_words, start_words }) =>
    stop_words.length + start_words.length === 0
      ? `${phone_number} has no stop or start words.\n`
      : `Stop words of ${phone_number}: ${stop_words.join(', ') || 'none'}\nStart words: ${start_words.join(', ') || 'none'}\n`,
})
