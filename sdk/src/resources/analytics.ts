import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Filters, Moment } from '../http/wire.ts'

/** What numbers can be grouped by. */
export type AnalyticsGroup = Answer<'Analytics'>['groupBy'][number]

/** What to count. */
export interface AnalyticsQuery extends Omit<Filters<'getAnalytics'>, 'from' | 'to' | 'groupBy'> {
  /** Inclusive. Default: the start of the day seven days ago. */
  from?: Moment
  /** Exclusive. Default: now. */
  to?: Moment
  /** `hour` (up to 31 days), `day` (366 days) or `month` (36 months). Default: `day`. */
  granularity?: 'hour' | 'day' | 'month'
  /** IANA name; buckets follow its calendar. Default: `UTC`. */
  timezone?: string
  /** Up to two. */
  groupBy?: AnalyticsGroup | readonly AnalyticsGroup[]
  /** One of your numbers, or its id. */
  phoneNumber?: string
  /** Id of an API key. */
  apiKey?: string
  /** The smaller groups beyond this number are summed as `other`. Default: 10. */
  limitGroups?: number
}

/** Answer of `analytics.get()`. */
export interface AnalyticsReport extends Answer<'Analytics'> {
  /** Recent buckets can still grow after this moment. */
  asOf: string
  totals: AnalyticsTotals
  /** One series per group, complete and aligned; a single one without `groupBy`. */
  series: AnalyticsSeries[]
}

/** Counts of the whole range. */
export interface AnalyticsTotals extends Totals {
  /** Handed in, whatever became of them. */
  created: number
  /** `null` with filters, for ranges that are not whole UTC days, and for those older than messages are kept. */
  uniqueRecipients: number | null
}

type Totals = Answer<'Analytics'>['totals']
type Series = Answer<'Analytics'>['series'][number]

/** Counts of one group. */
export interface AnalyticsSeries extends Series {
  /** Keyed by the values of `groupBy`, as they are written there: `group.phone_number`. `null` is none. */
  group: Series['group']
  points: AnalyticsPoint[]
}

/** Counts of messages created in a span of time. Rates are percentages, `null` when there is nothing to divide by. */
export type AnalyticsCounts = Series['totals']

/** Counts of one bucket. */
export type AnalyticsPoint = Answer<'AnalyticsPoint'>

/** Which days service times are asked for. */
export type ServiceTimesQuery = Filters<'getServiceTimes'>

/** Answer of `analytics.serviceTimes()`. */
export type ServiceTimes = Answer<'ServiceTimes'>

/** What costs are asked for. */
export interface CostsQuery extends Omit<Filters<'getCosts'>, 'groupBy'> {
  /** Up to two. */
  groupBy?: CostGroup | readonly CostGroup[]
}

/** What costs can be grouped by. */
export type CostGroup = Answer<'Costs'>['groupBy'][number]

/** Answer of `analytics.costs()`. */
export type CostReport = Answer<'Costs'>

/** What messages cost in one currency. */
export type Cost = Answer<'Cost'>

/** Numbers over time. */
export class Analytics {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Counts messages by the time they were created. */
  get(query: AnalyticsQuery = {}, options?: RequestOptions): ApiPromise<AnalyticsReport> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/analytics', query: { ...query } }, options)
  }

  /** How long customers waited for a reply of a person, by day and by who replied. */
  serviceTimes(query: ServiceTimesQuery = {}, options?: RequestOptions): ApiPromise<ServiceTimes> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/service-times', query: { ...query } }, options)
  }

  /** Cost of delivered messages, by the imported rate cards. */
  costs(query: CostsQuery = {}, options?: RequestOptions): ApiPromise<CostReport> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/costs', query: { ...query } }, options)
  }
}
