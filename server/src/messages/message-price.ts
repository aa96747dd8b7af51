import { formatAmount } from '../costs/money.ts'
import { priceOf, readPriceKey, readPriceList } from '../costs/price-of.ts'
import type { Cell } from '../lib/text/csv.ts'
import type { Runtime } from '../runtime.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { historyOf } from './message-record.ts'

type Charged = Pick<MessageRow, 'history' | 'origin' | 'number_id' | 'country'>
export type MessagePrice = NonNullable<ReturnType<typeof chargedAs>> & {
  currency: string | null
  amount: string | null
}
export type MessagePricer = (row: Charged) => MessagePrice | null

/** Meta's pricing of a message; null until Meta reports it. */
function chargedAs({ history, origin }: Pick<Charged, 'history' | 'origin'>) {
  const told = historyOf({ history }).find(({ pricing }) => pricing !== undefined)
  if (told?.pricing === undefined || told.priceDay === undefined || origin !== null) return null
  return { ...readPriceKey(told.pricing), day: new Date(told.priceDay).toISOString().slice(0, 10) }
}

/** Meta's pricing of a message, and its amount by today's cards, for callers who can see costs. */
export async function priceOfMessage(rt: Runtime, row: MessageRow, seesCosts: boolean): Promise<MessagePrice | null> {
  const charged = chargedAs(row)
  if (charged === null || !seesCosts) return charged && { ...charged, currency: null, amount: null }
  return (await messagePricer(rt, row.account_id))(row)
}

/** The same for many messages of an account, by the cards as they are now. */
export async function messagePricer(rt: Runtime, accountId: string): Promise<MessagePricer> {
  const [list, numbers] = await Promise.all([
    readPriceList(rt, accountId),
    rt.store.read(readNumberFacts, { account_id: accountId }),
  ])
  const currencies = new Map(numbers.map(({ id, currency }) => [id, currency]))
  return (row) => {
    const charged = chargedAs(row)
    if (charged === null) return null
    const { day, ...facts } = charged
    const currency = currencies.get(row.number_id) ?? null
    const rate = priceOf(list, { country: row.country, currency, day: Date.parse(day), facts })
    return { ...charged, currency, amount: rate === null ? null : formatAmount(rate) }
  }
}

/** The price in a file, for who may see costs. */
export const priceColumns: readonly (readonly [name: string, cellOf: (price: MessagePrice | null) => Cell])[] = [
  ['price_category', (price) => price?.category ?? null],
  ['price_type', (price) => price?.type ?? null],
  ['price_free', (price) => price?.free ?? null],
  ['price_day', (price) => price?.day ?? null],
  ['currency', (price) => price?.currency ?? null],
  ['amount', (price) => price?.amount ?? null],
]
