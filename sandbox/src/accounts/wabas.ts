import { graphError, invalid } from '../http/errors.ts'
import { pickFields, splitFields } from '../http/fields.ts'
import { type Call, ok, type Reply } from '../http/http.ts'
import { type Json, looseList, parse, record, text } from '../http/json.ts'
import { page } from '../http/paging.ts'
import type { Platform } from '../platform.ts'
import type { Token, Waba } from '../world.ts'
import { healthOfWaba } from './health.ts'
import { numberView } from './numbers.ts'

/** `GET /{waba}`; analytics are asked for as a field with arguments. */
export function readWaba(platform: Platform, call: Call, waba: Waba, { appId }: Token): Reply {
  const fields = call.query.get('fields') ?? 'id,name,timezone_id,message_template_namespace'
  const all: Json = {
    id: waba.id,
    name: waba.name,
    timezone_id: '1',
    currency: 'USD',
    country: 'US',
    account_review_status: 'APPROVED',
    business_verification_status: waba.verified === false ? 'not_verified' : 'verified',
    message_template_namespace: `sandbox_${waba.id}`,
    ownership_type: 'SELF',
    status: 'ACTIVE',
    is_enabled_for_insights: waba.insightsEnabled,
    marketing_messages_onboarding_status: waba.marketingMessages ? 'ONBOARDED' : 'ELIGIBLE',
    health_status: healthOfWaba(platform, waba, appId),
    analytics: undefined,
    conversation_analytics: undefined,
    pricing_analytics: undefined,
  }
  for (const field of splitFields(fields)) {
    const name = /^(?:conversation_|pricing_)?analytics/.exec(field)?.[0]
    if (name !== undefined) all[name] = analytics(platform, waba, name, field)
  }
  return ok(pickFields(all, fields, 'WhatsAppBusinessAccount'))
}

/** `POST /{waba}?is_enabled_for_insights=true`: once and for ever. */
export function updateWaba(platform: Platform, call: Call, waba: Waba): Reply {
  if (String(call.params.is_enabled_for_insights) === 'true') waba.insightsEnabled = true
  platform.changed()
  return ok({ id: waba.id })
}

export function listNumbers(platform: Platform, call: Call, waba: Waba, { appId }: Token): Reply {
  const own = [...platform.world.numbers.values()].filter((number) => number.wabaId === waba.id)
  const fields = call.query.get('fields')
  return ok(page(own, call, platform.baseUrl(), (number) => numberView(platform, number, appId, fields)))
}

/** One data point over the whole range, counted from the messages still remembered. */
function analytics(platform: Platform, waba: Waba, name: string, field: string): Json {
  const argument = (key: string) => new RegExp(`\\.${key}\\(([^)]*)\\)`).exec(field)?.[1]
  const start = Number(argument('start'))
  const end = Number(argument('end'))
  const granularity = argument('granularity') ?? ''
  const known = name === 'analytics' ? ['HALF_HOUR', 'DAY', 'MONTH'] : ['HALF_HOUR', 'DAILY', 'MONTHLY']
  if (!(start > 0 && end > start)) throw invalid('start and end are unix seconds, start before end')
  if (!known.includes(granularity)) throw invalid(`granularity must be one of ${known.join(', ')}`)
  if (name === 'pricing_analytics') return { data: [{ data_points: pricePoints(platform, waba, start, end) }] }
  const counts = countMessages(platform, waba, start, end)
  if (name === 'analytics') {
    return { phone_numbers: counts.numbers, granularity, data_points: [{ start, end, ...counts.totals }] }
  }
  return { data: [{ data_points: [{ start, end, conversation: counts.totals.delivered, cost: 0 }] }] }
}

const daySeconds = 86_400
/** What every charged message costs here, in the currency of the account. */
const pricePerMessage = 0.05

/** By UTC day, category and type, as delivered messages were priced. The country is that of a few calling codes. */
function pricePoints(platform: Platform, waba: Waba, start: number, end: number): Json[] {
  const numbers = [...platform.world.numbers.values()].filter((number) => number.wabaId === waba.id)
  const ids = new Set(numbers.map((number) => number.id))
  const points = new Map<string, Json & { volume: number; cost: number }>()
  const messages = platform.messages.list(
    ({ direction, numberId }) => direction === 'outbound' && ids.has(numberId),
    Number.MAX_SAFE_INTEGER,
  )
  for (const message of messages) {
    const step = message.history.find(({ status }) => status === 'delivered')
    if (!step) continue
    const seconds = Math.floor(step.atMs / 1_000)
    if (seconds < start || seconds >= end) continue
    const day = seconds - (seconds % daySeconds)
    const category = categoryOf(platform, message.payload)
    const country = countryOf(message.customerDigits)
    const type = category === 'SERVICE' ? 'FREE_CUSTOMER_SERVICE' : 'REGULAR'
    const key = `${day} ${country} ${category} ${type}`
    const point = points.get(key) ?? {
      start: day,
      end: day + daySeconds,
      country,
      pricing_category: category,
      pricing_type: type,
      tier: '0:MAX',
      volume: 0,
      cost: 0,
    }
    point.volume++
    if (type === 'REGULAR') point.cost = Math.round((point.cost + pricePerMessage) * 100) / 100
    points.set(key, point)
  }
  return [...points.values()]
}

function categoryOf(platform: Platform, payload: string): string {
  const name = nameOf(payload)
  const template = [...platform.world.templates.values()].find((one) => one.name === name)
  return template?.category ?? 'SERVICE'
}

const callingCodes: Readonly<Record<string, string>> = { 1: 'US', 351: 'PT', 49: 'DE', 55: 'BR', 91: 'IN' }

function countryOf(digits: string | null): string {
  const code = Object.keys(callingCodes).find((one) => digits?.startsWith(one))
  return code === undefined ? 'US' : (callingCodes[code] ?? 'US')
}

type Counts = { numbers: string[]; totals: { sent: number; delivered: number } }

function countMessages(platform: Platform, waba: Waba, start: number, end: number): Counts {
  const numbers = [...platform.world.numbers.values()].filter((number) => number.wabaId === waba.id)
  const ids = new Set(numbers.map((number) => number.id))
  const inRange = platform.messages.list(
    (message) =>
      message.direction === 'outbound' &&
      ids.has(message.numberId) &&
      message.acceptedAtMs >= start * 1000 &&
      message.acceptedAtMs < end * 1000,
    Number.MAX_SAFE_INTEGER,
  )
  const reached = (status: string) => inRange.filter((m) => m.history.some((step) => step.status === status)).length
  return { numbers: numbers.map((n) => n.digits), totals: { sent: reached('sent'), delivered: reached('delivered') } }
}

/** `GET /{waba}/template_analytics` */
export function templateAnalytics(platform: Platform, call: Call, waba: Waba): Reply {
  if (!waba.insightsEnabled) throw graphError(200007, 'Enable template insights first.')
  const { query } = call
  const ids = looseList(query.get('template_ids') ?? '')
  if (ids.length < 1 || ids.length > 10) throw invalid('template_ids holds between 1 and 10 ids')
  if (query.get('granularity')?.toUpperCase() !== 'DAILY') throw invalid('granularity must be daily')
  const start = Number(query.get('start'))
  const end = Number(query.get('end'))
  const points = ids.map((id) => ({ template_id: id, start, end, ...countTemplate(platform, id) }))
  return ok({ data: [{ granularity: 'DAILY', product_type: 'cloud_api', data_points: points }], paging: {} })
}

function countTemplate(platform: Platform, templateId: string): Json {
  const template = platform.world.templates.get(templateId)
  const sends = platform.messages.list(
    ({ direction, payload }) => direction === 'outbound' && template !== undefined && nameOf(payload) === template.name,
    Number.MAX_SAFE_INTEGER,
  )
  const reached = (status: string) => sends.filter((m) => m.history.some((step) => step.status === status)).length
  return { sent: reached('sent'), delivered: reached('delivered'), read: reached('read'), clicked: [], cost: [] }
}

function nameOf(payload: string): string | undefined {
  return text(record(record(parse(payload)).template).name)
}
