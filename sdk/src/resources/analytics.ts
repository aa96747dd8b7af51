import type { ApiPromise } from '../api-promise.ts'
import type { RequestOptions } from '../call.ts'
import type { Transport } from '../request.ts'

/** What numbers can be grouped by. */
export type AnalyticsGroup =
  | 'template'
  | 'type'
  | 'category'
  | 'country'
  | 'phone_number'
  | 'api_key'
  | 'error_code'
  | (string & {})

/** What to count. */
export interface AnalyticsQuery {
  /** Inclusive. Default: the start of the day seven days ago. */
  from?: string | Date
  /** Exclusive. Default: now. */
  to?: string | Date
  /** `hour` (up to 31 days), `day` (366 days) or `month` (36 months). Default: `day`. */
  granularity?: 'hour' | 'day' | 'month'
  /** IANA name; buckets follow its calendar. Default: `UTC`. */
  timezone?: string
  /** Up to two. */
  groupBy?: AnalyticsGroup | readonly AnalyticsGroup[]
  template?: string
  type?: string
  direction?: 'outbound' | 'inbound'
  phoneNumber?: string
  apiKey?: string
  /** The smaller groups beyond this number are summed as `other`. Default: 10. */
  limitGroups?: number
}

/** Counts of messages created in a span of time. Rates are percentages, `null` when there is nothing to divide by. */
export interface AnalyticsCounts {
  sent: number
  delivered: number
  read: number
  failed: number
  received: number
  /** Delivered out of sent. */
  deliveryRate: number | null
  /** Read out of delivered. */
  readRate: number | null
}

/** Counts of the whole range. */
export interface AnalyticsTotals extends AnalyticsCounts {
  /** `null` with filters, or when the range is not made of whole UTC days. */
  uniqueRecipients: number | null
  deliverySecondsP50: number | null
  deliverySecondsP95: number | null
}

/** Counts of one bucket. */
export interface AnalyticsPoint extends AnalyticsCounts {
  start: string
  end: string
}

/** Answer of `analytics.get()`. */
export interface AnalyticsReport {
  from: string
  to: string
  granularity: 'hour' | 'day' | 'month' | (string & {})
  timezone: string
  groupBy: AnalyticsGroup[]
  /** Recent buckets can still grow after this moment. */
  asOf: string
  totals: AnalyticsTotals
  /** One series per group, complete and aligned; a single one without `groupBy`. */
  series: {
    /** Keyed by the values of `groupBy`, as they are written there: `group.phone_number`. */
    group: Record<string, string>
    totals: AnalyticsCounts
    points: AnalyticsPoint[]
  }[]
  failures: { code: string; count: number }[]
}

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
}
