import { setNumberCallback } from '../callbacks/subscriptions.ts'
import { graphError, invalid } from '../http/errors.ts'
import { pickFields } from '../http/fields.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import { isRecord, type Json, list, record, text } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import { atMost } from '../templates/rule-helpers.ts'
import { findCustomer, messagingLimitOf, type PhoneNumber, type Token, windowIsOpen } from '../world.ts'
import { healthOfNumber } from './health.ts'

const DEFAULT_FIELDS =
  'verified_name,code_verification_status,display_phone_number,quality_rating,platform_type,throughput,' +
  'webhook_configuration,last_onboarded_time'

export function numberView(platform: Platform, number: PhoneNumber, appId: string, fields: string | null): Json {
  const connected = number.status === 'CONNECTED'
  const limit = messagingLimitOf(platform.world.wabas.get(number.wabaId))
  const all: Json = {
    id: number.id,
    verified_name: number.verifiedName,
    display_phone_number: displayed(number.digits),
    quality_rating: number.quality,
    code_verification_status: number.verification,
    platform_type: connected ? 'CLOUD_API' : 'NOT_APPLICABLE',
    throughput: { level: connected ? (number.throughput ?? 'STANDARD') : 'NOT_APPLICABLE' },
    name_status: number.nameStatus ?? 'APPROVED',
    status: number.status,
    account_mode: number.allowList === null ? 'LIVE' : 'SANDBOX',
    is_official_business_account: false,
    is_pin_enabled: number.pin !== null,
    webhook_configuration: callbackChain(platform, number, appId),
    is_on_biz_app: number.onBusinessApp ?? false,
    health_status: healthOfNumber(platform, number, appId),
    whatsapp_business_manager_messaging_limit: limit,
    messaging_limit_tier: limit,
    last_onboarded_time: new Date(number.onboardedAtMs).toISOString().replace(/\.\d+Z/, '+0000'),
    username: undefined,
  }
  return pickFields(all, fields ?? DEFAULT_FIELDS, 'WhatsAppBusinessPhoneNumber')
}

/** `+1 555-010-0001` for people; callbacks carry the bare digits. */
function displayed(digits: string): string {
  const [, country, area, middle, last] = /^(\d+?)(\d{3})(\d{3})(\d{4})$/.exec(digits) ?? []
  return country === undefined ? `+${digits}` : `+${country} ${area}-${middle}-${last}`
}

/** The addresses of the app that asks, the winning one first. */
function callbackChain(platform: Platform, number: PhoneNumber, appId: string): Json {
  const subscription = platform.world.wabas.get(number.wabaId)?.subscriptions.find((own) => own.appId === appId)
  const chain: Json = {}
  if (number.callbackUrl !== null) chain.phone_number = number.callbackUrl
  if (subscription?.overrideUrl) chain.whatsapp_business_account = subscription.overrideUrl
  const application = platform.world.apps.get(appId)?.callbackUrl
  if (application) chain.application = application
  return chain
}

export function readNumber(platform: Platform, call: Call, number: PhoneNumber, { appId }: Token): Reply {
  return ok(numberView(platform, number, appId, call.query.get('fields')))
}

/** `POST /{phone_number_id}`: the two-step PIN, or a callback address of its own. */
export async function updateNumber(platform: Platform, call: Call, number: PhoneNumber): Promise<Reply> {
  const { pin, webhook_configuration: configuration } = call.params
  if (pin !== undefined) {
    if (!/^\d{6}$/.test(String(pin))) throw invalid("Parameter 'pin' must have 6 digits")
    number.pin = String(pin)
  }
  if (isRecord(configuration)) await setNumberCallback(platform, number, configuration)
  platform.changed()
  return SUCCESS
}

export function readProfile(_platform: Platform, call: Call, number: PhoneNumber): Reply {
  const fields = call.query.get('fields')?.split(',')
  const wanted = Object.entries(number.profile).filter(([name]) => fields === undefined || fields.includes(name))
  return ok({ data: [{ messaging_product: 'whatsapp', ...Object.fromEntries(wanted) }] })
}

const PROFILE_MOST: Record<string, number> = { about: 139, address: 256, description: 512, email: 128 }

export function updateProfile(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const { params } = call
  for (const [name, most] of Object.entries(PROFILE_MOST)) {
    const value = text(params[name])
    if (value === undefined) continue
    atMost(name, value, most)
    number.profile[name] = value
  }
  if (params.websites !== undefined) {
    const websites = list(params.websites).map(String)
    if (websites.length > 2) throw invalid('A profile has at most 2 websites')
    for (const website of websites) atMost('website', website, 256)
    number.profile.websites = websites
  }
  if (text(params.vertical)) number.profile.vertical = params.vertical
  if (text(params.profile_picture_handle)) {
    number.profile.profile_picture_url = `${platform.baseUrl()}/profile-picture/${number.id}`
  }
  platform.changed()
  return SUCCESS
}

export function updateSettings(): Reply {
  return SUCCESS
}

/** `block_users`: only customers who wrote in the last 24 hours can be blocked. */
export function blockedUsers(platform: Platform, call: Call, number: PhoneNumber): Reply {
  if (call.method === 'GET') {
    return ok({ data: number.blocked.map((digits) => ({ messaging_product: 'whatsapp', wa_id: digits })), paging: {} })
  }
  const wanted = list(call.params.block_users).map((item) => String(record(item).user ?? '').replace(/\D/g, ''))
  const add = call.method === 'POST'
  const done = wanted.filter((digits) => !add || windowIsOpen(findCustomer(number, digits), platform.clock.now()))
  const others = number.blocked.filter((digits) => !done.includes(digits))
  number.blocked = add ? [...others, ...done] : others
  platform.changed()
  if (done.length < wanted.length) throw graphError(139100, 'Only who wrote in the last 24 hours can be blocked.')
  const users = done.map((digits) => ({ input: digits, wa_id: digits }))
  return ok({ messaging_product: 'whatsapp', block_users: { [add ? 'added_users' : 'removed_users']: users } })
}
