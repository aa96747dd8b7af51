import { askStatus } from '@postern/server/messages.ts'
import { accountOption, chooseAccount } from '../../choose-account.ts'
import { dataCommand } from '../../data-command.ts'
import { onlyWord, textFlag } from '../../read-flags.ts'

export const messagesAsk = dataCommand({
  name: 'messages ask',
  summary: 'Ask Meta for the status of a message whose statuses never arrived.',
  examples: ['postern messages ask wamid.HBgMMTIwMjU1NTAxMDAVAgARGBI5 --account acc_01jd3z…'],
  options: accountOption,
  args(flags, words) {
    return { id: onlyWord(words, 'the id of the message'), account: textFlag(flags, 'account') }
  },
  async run(rt, { id, account: wanted }) {
    const account = await chooseAccount(rt, wanted)
    const { row, news } = await askStatus(rt, account.id, id)
    return { message_id: row.channel_message_id ?? row.id, account_id: account.id, status: row.status, events: news }
  },
  text: ({ message_id, status, events }) =>
    events === 0 ? `${message_id} is ${status}; Meta reports no change.\n` : `${message_id} is ${status} now.\n`,
})
