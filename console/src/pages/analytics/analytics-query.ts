import type { Option } from '../../components/form/field.tsx'

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
/** Bare dates, both included, as people say it. */
export type Dates = { from: string; to: string }

export type AnalyticsQuestion = { span: Range | Dates; groupBy: Grouping }

/** The API gives at most that many days at once. */
const daysMax = 366
const dayMs = 86_400_000

/** The address of the page as a question; what it does not know is the default. */
export function readQuestion(search: URLSearchParams, today: string): AnalyticsQuestion {
  const days = ranges.find((range) => `${range}` === search.get('days')) ?? 30
  const dates = { from: search.get('from') ?? '', to: search.get('to') ?? '' }
  const groupBy = groupings.find((grouping) => grouping === search.get('by')) ?? 'template'
  return { span: Object.keys(findProblems(dates, today)).length === 0 ? dates : days, groupBy }
}

/** What stands in the address for a question. */
export function writeQuestion({ span, groupBy }: AnalyticsQuestion): Record<string, string> {
  return typeof span === 'number' ? { days: `${span}`, by: groupBy } : { ...span, by: groupBy }
}

/** What is the matter with two dates, by field; nothing when they can be asked for. */
export function findProblems({ from, to }: Dates, today: string): Partial<Dates> {
  if (!isDate(from)) return { from: 'Enter the first day.' }
  if (!isDate(to)) return { to: 'Enter the last day.' }
  if (to > today) return { to: 'The last day cannot be in the future.' }
  if (from > to) return { to: 'The last day cannot be before the first day.' }
  if ((Date.parse(to) - Date.parse(from)) / dayMs >= daysMax) return { from: `At most ${daysMax} days at a time.` }
  return {}
}

/** What the API is asked: whole days in the zone. Up to today there is no end, because today has not ended. */
export function toQuery({ span, groupBy }: AnalyticsQuestion, today: string, timezone: string) {
  const rest = { timezone, group_by: [groupBy] }
  if (typeof span === 'number') return { from: shiftDay(today, 1 - span), ...rest }
  return { from: span.from, ...(span.to === today ? {} : { to: shiftDay(span.to, 1) }), ...rest }
}

/** Whole days in UTC, at most the 92 that the API gives for service times. */
export function serviceRange(span: Range | Dates, today: string): DayRange {
  const { from, to } = dayRange(span, today)
  const earliest = shiftDay(typeof span === 'number' ? today : span.to, -serviceDaysMax)
  return { from: from < earliest ? earliest : from, to }
}

type DayRange = { from: string; to: string | undefined }

/** The days, the end exclusive; up to today there is none. */
export function dayRange(span: Range | Dates, today: string): DayRange {
  if (typeof span === 'number') return { from: shiftDay(today, 1 - span), to: undefined }
  return { from: span.from, to: span.to === today ? undefined : shiftDay(span.to, 1) }
}

const serviceDaysMax = 90

/** The date of a moment, such as `2026-11-15`. */
export function dateIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
}

/** Calendar days, because not every day has 24 hours. */
export function shiftDay(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

/** A day that exists: 30 February would be taken for 2 March. */
function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && shiftDay(text, 0) === text
}
