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
  const counts = countMessages(platform, waba, start, end)
  if (name === 'analytics') {
    return { phone_numbers: counts.numbers, granularity, data_points: [{ start, end, ...counts.totals }] }
  }
  const volume = counts.totals.delivered
  const point =
    name === 'pricing_analytics' ? { start, end, volume, cost: 0 } : { start, end, conversation: volume, cost: 0 }
  return { data: [{ data_points: [point] }] }
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
