import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { author, everyAccount, importRates, listRates, removeRates } from '@postern/server/accounts.ts'
import type { Runtime } from '@postern/server/gateway.ts'
import { anyAccountOption, chooseAccount } from '../../choose-account.ts'
import { switchOption, textOption } from '../../command.ts'
import { dataCommand } from '../../data-command.ts'
import { wrongUsage } from '../../exit-codes.ts'
import { table } from '../../output/table.ts'
import { noWords, onlyWord, requiredFlag, textFlag } from '../../read-flags.ts'

async function ownerOf(rt: Runtime, account: string | null): Promise<string> {
  return account === null ? everyAccount : (await chooseAccount(rt, account)).id
}

export const ratesImport = dataCommand({
  name: 'rates import',
  summary: "Import one of Meta's rate cards, or its mapping of countries, as CSV.",
  examples: [
    'postern rates import rates-eur.csv --from 2026-10-01',
    'postern rates import rates.csv --from 2026-10-01 --currency EUR --account "Acme Store"',
  ],
  options: {
    from: textOption('The first day it applies to, such as 2026-10-01.'),
    currency: textOption('Required if the file names none, such as EUR.'),
    ...anyAccountOption,
  },
  args(flags, words) {
    const file = onlyWord(words, 'the file')
    return {
      name: basename(file),
      text: readText(file),
      from: requiredFlag(flags, 'from', '2026-10-01'),
      currency: textFlag(flags, 'currency'),
      account: textFlag(flags, 'account'),
    }
  },
  async run(rt, { account, ...wanted }) {
    return importRates(rt, await ownerOf(rt, account), wanted, author)
  },
  text: ({ id, kind, currency, from, rows }) =>
    `Imported ${id}: ${[currency, nouns[kind]].filter(Boolean).join(' ')}, ${rows} rows, from ${from} on.\n`,
})

const nouns = { rates: 'rates', regions: 'mapping of countries' } as const

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw wrongUsage(`${file} cannot be read.`)
  }
}

export const ratesList = dataCommand({
  name: 'rates list',
  summary: 'List the rate cards in use, newest first.',
  examples: ['postern rates list', 'postern rates list --history --json'],
  options: { history: switchOption('Include replaced and removed cards.'), ...anyAccountOption },
  args(flags, words) {
    noWords(words)
    return { history: flags.history === true, account: textFlag(flags, 'account') }
  },
  run: async (rt, { account, history }) => listRates(rt, await ownerOf(rt, account), { history }),
  text: ({ cards }) =>
    cards.length === 0
      ? 'There is no rate card: costs are counts without amounts. Import one with postern rates import.\n'
      : table(
          ['id', 'what', 'currency', 'from', 'rows', 'file', 'imported', 'removed'],
          cards.map((card) => [
            card.id,
            nouns[card.kind],
            card.currency ?? '-',
            card.from,
            String(card.rows),
            card.name.replace(/\p{C}/gu, '?'),
            card.imported_at,
            card.removed_at ?? '-',
          ]),
        ),
})

export const ratesRemove = dataCommand({
  name: 'rates remove',
  summary: 'Remove a rate card. Its messages get their price from another card, or none.',
  examples: ['postern rates remove rat_01m7qrh78f4k31gz6jppsgrkrp'],
  options: anyAccountOption,
  args: (flags, words) => ({
    id: onlyWord(words, 'the rate card by id; see postern rates list'),
    account: textFlag(flags, 'account'),
  }),
  async run(rt, { id, account }) {
    await removeRates(rt, await ownerOf(rt, account), id, author)
    return { id }
  },
  text: ({ id }) => `${id} is removed. Import its file again to undo.\n`,
})
