import { operator } from '@postern/server/accounts.ts'
import { eraseCustomer, parseRecipient } from '@postern/server/messages.ts'
import { formatInstant } from '@postern/server/tools.ts'
import { accountOption, chooseAccount } from '../choose-account.ts'
import { type Flags, textOption } from '../command.ts'
import { dataCommand } from '../data-command.ts'
import { wrongUsage } from '../exit-codes.ts'
import { noWords, textFlag } from '../read-flags.ts'

/** The receipt says how many rows of which table held the person: an operator can hand it to the person who asked to be forgotten. */
export const purge = dataCommand({
  name: 'purge',
  summary: 'Erase one customer of an account: messages, files, name and number. Statistics stay.',
  examples: [
    'postern purge --phone +351912345678',
    'postern purge --user US.13491208655302741918 --account acc_01jd3z… --yes --json',
  ],
  options: {
    phone: textOption('The phone number of the customer, with + and country code.'),
    user: textOption("Meta's user id of the customer."),
    ...accountOption,
  },
  args(flags, words) {
    noWords(words)
    return { address: readAddress(flags), account: textFlag(flags, 'account') }
  },
  confirm: ({ address }) => ({
    warning: 'All messages from and to this customer are erased permanently.',
    word: address,
  }),
  async run(rt, { address, account: wanted }) {
    const account = await chooseAccount(rt, wanted)
    const { rows, callbacks_waiting, files_waiting, contact_book_failed } = await eraseCustomer(
      rt,
      account.id,
      address,
      { actor: operator },
    )
    return {
      account_id: account.id,
      erased_at: formatInstant(rt.clock.now()),
      ...rows,
      callbacks_waiting,
      files_waiting,
      contact_book_failed,
    }
  },
  text: ({ account_id, erased_at, callbacks_waiting, files_waiting, contact_book_failed, ...erased }) => {
    const found = Object.entries(erased).filter(([, rows]) => rows > 0)
    const lines = found.map(([table, rows]) => `  ${table.replaceAll('_', ' ').padEnd(18)}${rows}\n`)
    const done = `Erased at ${erased_at} in ${account_id}:\n${lines.join('') || '  there was nothing left to erase\n'}`
    return `${done}${callbacks_waiting === 0 ? '' : notAll(callbacks_waiting)}${files_waiting === 0 ? '' : notGone(files_waiting)}${contact_book_failed.length === 0 ? '' : stillAtMeta(contact_book_failed)}`
  },
})

/** Erased before they are applied, callbacks would take the news about other customers with them. */
function notAll(waiting: number): string {
  return `Not complete: callbacks from Meta about this customer that are not processed yet: ${waiting}.
They restore data about the customer. Run the command again once a gateway has processed them.\n`
}

function notGone(waiting: number): string {
  return `Not complete: deleted files of this account whose bytes are still in the storage of files: ${waiting}.
A running gateway tries again every 10 minutes; "postern doctor" says whether the storage can be reached.\n`
}

function stillAtMeta(userIds: readonly string[]): string {
  const commands = userIds.map((id) => `  postern purge --user ${id}\n`).join('')
  return `Not complete: Meta's contact book may still have the number of this customer. Run again when Meta responds:\n${commands}`
}

function readAddress(flags: Flags): string {
  const [phone, user] = [textFlag(flags, 'phone'), textFlag(flags, 'user')]
  if ((phone === null) === (user === null)) throw wrongUsage('Give either --phone or --user.')
  const parsed = parseRecipient(phone ?? user ?? '')
  if (!parsed.ok) throw wrongUsage(parsed.message)
  return parsed.value
}
