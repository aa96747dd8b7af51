import type { Option } from '../../components/field.tsx'

export const groupings = ['template', 'type', 'category', 'country', 'phone_number', 'api_key', 'error_code'] as const
export type Grouping = (typeof groupings)[number]

export const groupNames: Record<Grouping, string> = {
  template: 'Template',
  type: 'Type',
  category: 'Category',
  country: 'Country',
  phone_number: 'Phone number',
  api_key: 'API key',
  error_code: 'Error code',
}
export const groupOptions: readonly Option[] = groupings.map((value) => ({
  value,
  label: `By ${groupNames[value].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`,
}))

export const ranges = [7, 30, 90] as const
export type Range = (typeof ranges)[number]

export type AnalyticsQuestion = { days: Range; groupBy: Grouping }

/** The address of the page as a question; what it does not know is the default. */
export function readQuestion(search: URLSearchParams): AnalyticsQuestion {
  const days = ranges.find((range) => `${range}` === search.get('days')) ?? 30
  const groupBy = groupings.find((grouping) => grouping === search.get('by')) ?? 'template'
  return { days, groupBy }
}

/** What the API is asked: whole days in the zone, the last of them today. */
export function toQuery({ days, groupBy }: AnalyticsQuestion, now: number, timezone: string) {
  return { from: dayBefore(now, days - 1, timezone), timezone, group_by: [groupBy] }
}

/** Calendar days, because not every day has 24 hours. */
function dayBefore(now: number, days: number, timeZone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now)
  const day = new Date(`${today}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - days)
  return day.toISOString().slice(0, 10)
}
