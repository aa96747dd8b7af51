import { setNumberCallback } from '../callbacks/subscriptions.ts'
import { invalid } from '../http/errors.ts'
import { pickFields } from '../http/fields.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import { isRecord, type Json } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import { messagingLimitOf, type PhoneNumber, type Token } from '../world.ts'
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
    username: number.username,
    certificate: 'CmoKJgijwpjPs9ShARIGZW50OndhIg1TYW5kYm94',
    conversational_automation: { id: number.id, ...number.automation },
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

export function updateSettings(): Reply {
  return SUCCESS
}
