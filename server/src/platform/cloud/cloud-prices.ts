import type { ChatPlatform, ReportedPrice } from '../chat-platform.ts'
import { type CloudCaller, nodePath } from './cloud-request.ts'
import { listOf, numberOf, objectOf, textOf } from './lenient-json.ts'

const dimensions = ['COUNTRY', 'PRICING_CATEGORY', 'PRICING_TYPE', 'TIER']

/** The platform's own counts and charges, by day of the business account. It describes them as approximate. */
export function cloudPrices(caller: CloudCaller): Pick<ChatPlatform, 'reportedPrices'> {
  return {
    async reportedPrices(number, { from, to }) {
      const seconds = (ms: number) => Math.floor(ms / 1_000)
      const range = `start(${seconds(from)}).end(${seconds(to)}).granularity(DAILY)`
      const asked = `metric_types(${JSON.stringify(['COST', 'VOLUME'])}).dimensions(${JSON.stringify(dimensions)})`
      const query = { fields: `pricing_analytics.${range}.${asked}` }
      const path = nodePath(number.wabaId)
      const answer = await caller.call(number, { method: 'GET', path, query, context: { purpose: 'read' } })
      return listOf(objectOf(answer.pricing_analytics)?.data).flatMap((one) =>
        listOf(objectOf(one)?.data_points).flatMap((point) => priceIn(objectOf(point) ?? {})),
      )
    },
  }
}

function priceIn(point: Record<string, unknown>): ReportedPrice[] {
  const start = numberOf(point.start)
  const volume = numberOf(point.volume)
  if (start === null || volume === null) return []
  const word = (value: unknown) => textOf(value)?.toLowerCase() ?? ''
  return [
    {
      at: start * 1_000,
      country: textOf(point.country) ?? '',
      category: word(point.pricing_category),
      type: word(point.pricing_type),
      tier: textOf(point.tier) ?? '',
      volume,
      // Accounts on the credit line of a partner are told no cost.
      cost: numberOf(point.cost),
    },
  ]
}
