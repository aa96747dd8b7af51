import { type Author, writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { bodyProblem, type FieldProblem } from '../contract/schema.ts'
import { formatInstant, parseDate } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'
import { markRates, outdateBudgets } from '../store/costs/budgets.ts'
import {
  findRateCard,
  insertRateCard,
  listRateCards,
  type RateCardRow,
  removeRateCard,
  replaceRateCard,
} from '../store/costs/rate-cards.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { currencyNames, currencyOf, formatAmount } from './money.ts'
import { type LineProblem, parseRates, priceCategories, type RateFile, type Rates } from './parse-rates.ts'

/** Stands for all accounts: the operator imports cards for everybody. */
export const everyAccount = ''

export type RateImport = {
  /** Of the file, for people. */
  name: string
  /** The first day the card holds for, of every WABA in its own time zone. */
  from: string
  /** Only where the file doesn't say. */
  currency?: string | null | undefined
  text: string
}

/** Checks a file without keeping anything: what it holds, or every line that is wrong. */
export function checkRates({
  text,
  currency,
  from,
}: RateImport): { file: RateFile; problems: LineProblem[] } | { file: null; problems: LineProblem[] } {
  if (!parseDate(from))
    throw new AppError('validation_failed', 'Give the first day as 2026-10-01.', { details: [fromProblem] })
  const given = currency ? currencyOf(currency) : null
  if (currency && given === null) {
    const message = `Use one of ${currencyNames}.`
    throw new AppError('validation_failed', message, { details: [bodyProblem('currency', 'invalid_value', message)] })
  }
  const parsed = parseRates(text, given)
  return parsed.ok ? { file: parsed.file, problems: [] } : { file: null, problems: parsed.problems }
}

const fromProblem = bodyProblem('from', 'invalid_format', 'Give a day such as 2026-10-01.')

/** Keeps a card. One of the same currency and first day is replaced: a corrected card corrects the past. */
export async function importRates(rt: Runtime, accountId: string, wanted: RateImport, author: Author) {
  const { file, problems } = checkRates(wanted)
  if (!file) throw new AppError('rate_card_invalid', sentenceOf(problems), { details: problems.map(toDetail) })
  const now = rt.clock.now()
  const { kind } = file
  const content = kind === 'rates' ? file.rates : file.regions
  const row: RateCardRow = {
    id: rt.newId('rat'),
    account_id: accountId,
    kind,
    currency: kind === 'regions' ? '' : file.currency,
    from_day: wanted.from,
    name: wanted.name,
    content: JSON.stringify(content),
    imported_at: now,
    imported_by: author.actor.name,
    removed_at: null,
    replaced_by: null,
  }
  await change(rt, row, author, 'rate_card.imported', (unit) => {
    unit.add(replaceRateCard, row)
    unit.add(insertRateCard, row)
  })
  return toRateCard(row)
}

function sentenceOf([first, ...others]: readonly LineProblem[]): string {
  const where = first ? toDetail(first).message : 'The file could not be read.'
  return `Nothing was imported. ${where}${others.length > 0 ? ` There ${others.length === 1 ? 'is 1 more problem' : `are ${others.length} more problems`}.` : ''}`
}

function toDetail({ line, column, message }: LineProblem): FieldProblem {
  return bodyProblem('text', 'invalid_value', `Line ${line}${column ? `, ${column}` : ''}: ${message}`)
}

/** A card of the account, or of all for the operator. What it priced has no amount from now on, or that of another card. */
export async function removeRates(rt: Runtime, accountId: string, id: string, author: Author): Promise<void> {
  const [row] = await rt.store.read(findRateCard, { id })
  const isOwn = row && row.account_id === accountId && row.removed_at === null
  if (!isOwn) throw new AppError('rate_card_not_found', missingSentence(row, accountId))
  try {
    const call = { id, account_id: accountId, now: rt.clock.now() }
    await change(rt, row, author, 'rate_card.removed', (unit) => void unit.add(removeRateCard, call))
  } catch (error) {
    if (error instanceof ConditionFailed) throw new AppError('rate_card_not_found', missingSentence(row, accountId))
    throw error
  }
}

function missingSentence(row: RateCardRow | undefined, accountId: string): string {
  const isOperators = row?.account_id === everyAccount && accountId !== everyAccount
  return isOperators
    ? 'The operator imported this rate card for all accounts; only they remove it.'
    : 'No rate card in use has this id.'
}

async function change(
  rt: Runtime,
  { id, account_id: accountId, kind, currency, from_day }: RateCardRow,
  { actor, context }: Author,
  action: string,
  build: (unit: Unit) => void,
): Promise<void> {
  const targets = [{ type: 'rate_card', id, name: [kind, currency, from_day].filter(Boolean).join(' ') }]
  // What holds for all accounts stands in the log of the installation, which has the same id.
  await writeAudited(rt, { accountId, action, actor, context, targets }, (unit) => {
    build(unit)
    // What budgets reserve and have spent follows the cards.
    unit.add(markRates, { account_id: accountId, mark: rt.clock.now() })
    unit.add(outdateBudgets, { account_id: accountId })
  })
}

export async function listRates(rt: Runtime, accountId: string, { history }: { history: boolean }) {
  const [rows, numbers] = await Promise.all([
    rt.store.read(listRateCards, { account_id: accountId, history: Number(history) }),
    rt.store.read(readNumberFacts, { account_id: accountId }),
  ])
  return {
    cards: rows.map(toRateCard),
    currencies: [...new Set(numbers.flatMap(({ currency }) => currency ?? []))].sort(),
  }
}

const sampleRows = 8

/** The same check for people: the first rows as they were understood. */
export function checkFile(wanted: RateImport) {
  const { file, problems } = checkRates(wanted)
  const none = { kind: null, currency: null, rows: 0, columns: [], sample: [], problems }
  if (!file) return none
  const table = tableOf(file)
  const currency = file.kind === 'regions' ? null : file.currency
  return {
    kind: file.kind,
    currency,
    rows: table.rows.length,
    columns: table.columns,
    sample: table.rows.slice(0, sampleRows),
    problems,
  }
}

function tableOf(file: RateFile): { columns: string[]; rows: { name: string; values: string[] }[] } {
  if (file.kind === 'regions') {
    return {
      columns: ['Region'],
      rows: Object.entries(file.regions).map(([name, region]) => ({ name, values: [region] })),
    }
  }
  const columns = priceCategories.filter((one) => Object.values(file.rates).some((rates) => one in rates))
  const shown = (rate: number | undefined) => (rate === undefined ? 'none' : formatAmount(rate))
  const rows = Object.entries(file.rates).map(([name, rates]) => ({
    name,
    values: columns.map((one) => shown(rates[one])),
  }))
  return { columns: [...columns], rows }
}

export function toRateCard(row: RateCardRow) {
  const content = JSON.parse(row.content) as Rates | Record<string, string>
  return {
    id: row.id,
    kind: row.kind as RateFile['kind'],
    currency: row.currency === '' ? null : row.currency,
    from: row.from_day,
    name: row.name,
    /** Markets, or countries. */
    rows: Object.keys(content).length,
    for_all_accounts: row.account_id === everyAccount,
    imported_at: formatInstant(row.imported_at),
    imported_by: row.imported_by,
    removed_at: formatInstant(row.removed_at),
    replaced_by: row.replaced_by,
  }
}
