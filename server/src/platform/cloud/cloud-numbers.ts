import type { BusinessHealth, ChatPlatform, Health, NumberCredentials, NumberFacts } from '../chat-platform.ts'
import { PlatformError } from '../platform-error.ts'
import type { FailureContext } from './classify-failure.ts'
import type { CloudCaller } from './cloud-request.ts'
import { booleanOf, type JsonObject, listOf, numberOf, objectOf, textOf } from './lenient-json.ts'

type NumberCalls = Pick<ChatPlatform, 'getNumber' | 'wabaHealth' | 'debugToken' | 'register' | 'controlThread'>

const reading: FailureContext = { purpose: 'read' }
const writing: FailureContext = { purpose: 'write' }

const numberFields = [
  'id',
  'display_phone_number',
  'verified_name',
  'name_status',
  'status',
  'quality_rating',
  'throughput',
  'whatsapp_business_manager_messaging_limit',
  'code_verification_status',
  'account_mode',
  'health_status',
]

const newFields = ['webhook_configuration', 'is_on_biz_app']

function namesUnknownField({ upstream: { code, title } }: PlatformError): boolean {
  return code === 100 && /nonexisting field/i.test(title ?? '')
}

const businessFields = 'id,name,account_review_status,business_verification_status,currency,timezone_id,health_status'

export function cloudNumbers(caller: CloudCaller): NumberCalls {
  return {
    async getNumber(number) {
      const path = `/${encodeURIComponent(number.phoneNumberId)}`
      const ask = (fields: readonly string[]) =>
        caller.call(number, { method: 'GET', path, query: { fields: fields.join(',') }, context: reading })
      try {
        return numberFacts(number, await ask([...numberFields, ...newFields]))
      } catch (error) {
        // The whole answer is refused for one field that a version of the interface does not know.
        if (!(error instanceof PlatformError) || !namesUnknownField(error)) throw error
        return numberFacts(number, await ask(numberFields))
      }
    },

    async wabaHealth(number) {
      const path = `/${encodeURIComponent(number.wabaId)}`
      const ask = (fields: string) => caller.call(number, { method: 'GET', path, query: { fields }, context: reading })
      try {
        return businessHealth(number, await ask(`${businessFields},marketing_messages_onboarding_status`))
      } catch (error) {
        if (!(error instanceof PlatformError) || !namesUnknownField(error)) throw error
        return businessHealth(number, await ask(businessFields))
      }
    },

    async debugToken(number, { asApp } = {}) {
      const query = { input_token: number.accessToken }
      const request = { method: 'GET', path: '/debug_token', query, asApp, context: reading } as const
      const answer = await caller.call(number, request)
      return tokenFacts(objectOf(answer.data) ?? {})
    },

    async controlThread(number, { customer, action, role, note }) {
      const path = `/${encodeURIComponent(number.phoneNumberId)}/thread_control`
      const json = {
        messaging_product: 'whatsapp',
        ...(customer.startsWith('+') ? { to: customer.slice(1) } : { recipient: customer }),
        action,
        ...(note !== null && { metadata: note }),
        ...(role !== null && { control_pass: { target_role: role } }),
      }
      await caller.call(number, { method: 'POST', path, json, context: writing })
    },

    async register(number, pin) {
      const path = `/${encodeURIComponent(number.phoneNumberId)}/register`
      const json = { messaging_product: 'whatsapp', pin }
      await caller.command(number, {
        method: 'POST',
        path,
        json,
        context: { ...writing, registers: true, secrets: [pin] },
      })
    },
  }
}

function numberFacts(number: NumberCredentials, answer: JsonObject): NumberFacts {
  return {
    phoneNumberId: textOf(answer.id) ?? number.phoneNumberId,
    displayPhoneNumber: textOf(answer.display_phone_number),
    verifiedName: textOf(answer.verified_name),
    nameStatus: textOf(answer.name_status),
    status: textOf(answer.status),
    qualityRating: textOf(answer.quality_rating),
    throughputLevel: textOf(objectOf(answer.throughput)?.level),
    messagingLimit: textOf(answer.whatsapp_business_manager_messaging_limit),
    codeVerificationStatus: textOf(answer.code_verification_status),
    accountMode: textOf(answer.account_mode),
    onBusinessApp: booleanOf(answer.is_on_biz_app),
    callbackUrl: textOf(objectOf(answer.webhook_configuration)?.phone_number),
    health: healthOf(answer.health_status),
  }
}

function businessHealth(number: NumberCredentials, answer: JsonObject): BusinessHealth {
  return {
    wabaId: textOf(answer.id) ?? number.wabaId,
    name: textOf(answer.name),
    accountReviewStatus: textOf(answer.account_review_status),
    businessVerificationStatus: textOf(answer.business_verification_status),
    marketingMessages: onboardedOf(answer.marketing_messages_onboarding_status),
    currency: textOf(answer.currency),
    timeZone: timeZoneOf(textOf(answer.timezone_id)),
    health: healthOf(answer.health_status),
  }
}

function onboardedOf(value: unknown): boolean | null {
  const status = textOf(value)
  return status === null ? null : status.toUpperCase() === 'ONBOARDED'
}

function healthOf(value: unknown): Health | null {
  const health = objectOf(value)
  if (!health) return null
  const entities = listOf(health.entities).map((item) => {
    const entity = objectOf(item)
    const errors = listOf(entity?.errors).map((problem) => ({
      code: numberOf(objectOf(problem)?.error_code),
      description: textOf(objectOf(problem)?.error_description),
      solution: textOf(objectOf(problem)?.possible_solution),
    }))
    // What only limits is told as plain sentences.
    const remarks = listOf(entity?.additional_info).map((remark) => ({
      code: null,
      description: textOf(remark),
      solution: null,
    }))
    const problems = [...errors, ...remarks]
    const canSendMessage = textOf(entity?.can_send_message)
    return { type: textOf(entity?.entity_type), id: textOf(entity?.id), canSendMessage, problems }
  })
  return { canSendMessage: textOf(health.can_send_message), entities }
}

/** Newest first. Absent for a system user that owns everything. */
function wabaIdsIn(scopes: unknown): string[] | null {
  const scope = listOf(scopes)
    .map(objectOf)
    .find((one) => textOf(one?.scope)?.endsWith('_business_management') && textOf(one?.scope) !== 'business_management')
  return Array.isArray(scope?.target_ids) ? listOf(scope.target_ids).flatMap((id) => textOf(id) ?? []) : null
}

function tokenFacts(data: JsonObject) {
  const expiresAtSeconds = numberOf(data.expires_at)
  return {
    valid: booleanOf(data.is_valid) ?? false,
    appId: textOf(data.app_id),
    type: textOf(data.type),
    // 0 stands for never.
    expiresAt: expiresAtSeconds ? expiresAtSeconds * 1_000 : null,
    wabaIds: wabaIdsIn(data.granular_scopes),
    scopes: listOf(data.scopes).flatMap((scope) => textOf(scope) ?? []),
  }
}

/**
 * The zones that Meta's accounts can have, in the order of Meta's ids, which begin with 1. The ids are those of the page
 * "Time Zone IDs" of the Marketing API (v24.0). Compared with a public copy of that page (ids 1 to 125), and with public
 * recordings of accounts for 1, 66, 71 (WhatsApp Business accounts with USD, in Indonesia, with INR) and 140 (Vietnam).
 */
const zones =
  `America/Los_Angeles America/Denver Pacific/Honolulu America/Anchorage America/Phoenix America/Chicago America/New_York
  Asia/Dubai America/Argentina/San_Luis America/Argentina/Buenos_Aires America/Argentina/Salta Europe/Vienna Australia/Perth
  Australia/Broken_Hill Australia/Sydney Europe/Sarajevo Asia/Dhaka Europe/Brussels Europe/Sofia Asia/Bahrain America/La_Paz
  America/Noronha America/Campo_Grande America/Belem America/Sao_Paulo America/Nassau America/Dawson America/Vancouver
  America/Dawson_Creek America/Edmonton America/Rainy_River America/Regina America/Atikokan America/Iqaluit America/Toronto
  America/Blanc-Sablon America/Halifax America/St_Johns Europe/Zurich Pacific/Easter America/Santiago Asia/Shanghai America/Bogota
  America/Costa_Rica Asia/Nicosia Europe/Prague Europe/Berlin Europe/Copenhagen America/Santo_Domingo Pacific/Galapagos
  America/Guayaquil Europe/Tallinn Africa/Cairo Atlantic/Canary Europe/Madrid Europe/Helsinki Europe/Paris Europe/London
  Africa/Accra Europe/Athens America/Guatemala Asia/Hong_Kong America/Tegucigalpa Europe/Zagreb Europe/Budapest Asia/Jakarta
  Asia/Makassar Asia/Jayapura Europe/Dublin Asia/Jerusalem Asia/Kolkata Asia/Baghdad Atlantic/Reykjavik Europe/Rome
  America/Jamaica Asia/Amman Asia/Tokyo Africa/Nairobi Asia/Seoul Asia/Kuwait Asia/Beirut Asia/Colombo Europe/Vilnius
  Europe/Luxembourg Europe/Riga Africa/Casablanca Europe/Skopje Europe/Malta Indian/Mauritius Indian/Maldives America/Tijuana
  America/Hermosillo America/Mazatlan America/Mexico_City Asia/Kuala_Lumpur Africa/Lagos America/Managua Europe/Amsterdam
  Europe/Oslo Pacific/Auckland Asia/Muscat America/Panama America/Lima Asia/Manila Asia/Karachi Europe/Warsaw
  America/Puerto_Rico Asia/Gaza Atlantic/Azores Europe/Lisbon America/Asuncion Asia/Qatar Europe/Bucharest Europe/Belgrade
  Europe/Kaliningrad Europe/Moscow Europe/Samara Asia/Yekaterinburg Asia/Omsk Asia/Krasnoyarsk Asia/Irkutsk Asia/Yakutsk
  Asia/Vladivostok Asia/Magadan Asia/Kamchatka Asia/Riyadh Europe/Stockholm Asia/Singapore Europe/Ljubljana Europe/Bratislava
  America/El_Salvador Asia/Bangkok Africa/Tunis Europe/Istanbul America/Port_of_Spain Asia/Taipei Europe/Kyiv
  America/Montevideo America/Caracas Asia/Ho_Chi_Minh Africa/Johannesburg`.split(/\s+/)

export function timeZoneOf(id: string | null): string | null {
  return (id !== null && /^\d+$/.test(id) && zones[Number(id) - 1]) || null
}
