import { settleMessage } from '@postern/server/messages.ts'
import { textOption } from '../../command.ts'
import { dataCommand } from '../../data-command.ts'
import { wrongUsage } from '../../exit-codes.ts'
import { onlyWord, textFlag } from '../../read-flags.ts'

export const messagesSettle = dataCommand({
  name: 'messages settle',
  summary: 'Settle a message with an unknown outcome, once you know whether Meta sent it.',
  examples: ['postern messages settle out_01m7qrh78f4k31gz6jppsgrkrp --as sent'],
  options: {
    as: textOption('sent, or failed if it was not sent: a retry with the same idempotency key then sends it.'),
  },
  args(flags, words) {
    const as = textFlag(flags, 'as')
    if (as !== 'sent' && as !== 'failed') throw wrongUsage('Give --as sent or --as failed.')
    return { id: onlyWord(words, 'the id of the message, which begins with out_'), as }
  },
  async run(rt, { id, as }) {
    const { account_id, status } = await settleMessage(rt, id, as === 'sent' ? 'sent' : 'failed')
    return { message_id: id, account_id, status }
  },
  text: ({ message_id, status }) => `${message_id} is settled as ${status}.\n`,
})
