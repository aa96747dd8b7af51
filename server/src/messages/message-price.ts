import { formatAmount } from '../costs/money.ts'
import { readPriceKey } from '../costs/price-key.ts'
import { priceOf, readPriceList } from '../costs/price-of.ts'
import type { Runtime } from '../runtime.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { historyOf } from './message-record.ts'

/** What Meta charges a message as, and by the cards of today how much; the amount is for who may see costs. */
export async function priceOfMessage(rt: Runtime, row: MessageRow, seesCosts: boolean) {
  const told = historyOf(row).find(({ pricing }) => pricing !== undefined)
  if (told?.pricing === undefined || told.priceDay === undefined || row.origin !== null) return null
  const { pricing, priceDay: day } = told
  const facts = readPriceKey(pricing)
  const price = { ...facts, day: new Date(day).toISOString().slice(0, 10) }
  if (!seesCosts) return { ...price, currency: null, amount: null }
  const [list, numbers] = await Promise.all([
    readPriceList(rt, row.account_id),
    rt.store.read(readNumberFacts, { account_id: row.account_id }),
  ])
  const currency = numbers.find(({ id }) => id === row.number_id)?.currency ?? null
  const rate = priceOf(list, { country: row.country, currency, day, facts })
  return { ...price, currency, amount: rate === null ? null : formatAmount(rate) }
}
