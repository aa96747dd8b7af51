import type { BusinessHealth, ChatPlatform, Health, NumberCredentials, NumberFacts } from '../chat-platform.ts'
import type { FailureContext } from './classify-failure.ts'
import type { CloudCaller } from './cloud-request.ts'
import { booleanOf, type JsonObject, listOf, numberOf, objectOf, textOf } from './lenient-json.ts'

type NumberCalls = Pick<
  ChatPlatform,
  'getNumber' | 'wabaHealth' | 'debugToken' | 'subscribeApp' | 'setCallbackOverride' | 'listSubscribedApps' | 'register'
>

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
].join(',')

const businessFields = 'id,name,account_review_status,business_verification_status,health_status'

export function cloudNumbers(caller: CloudCaller): NumberCalls {
  return {
    async getNumber(number, { signal } = {}) {
      const path = `/${encodeURIComponent(number.phoneNumberId)}`
      const query = { fields: numberFields }
      return numberFacts(number, await caller.call(number, { method: 'GET', path, query, context: reading, signal }))
    },

    async wabaHealth(number, { signal } = {}) {
      const path = `/${encodeURIComponent(number.wabaId)}`
      const query = { fields: businessFields }
      return businessHealth(number, await caller.call(number, { method: 'GET', path, query, context: reading, signal }))
    },

    async debugToken(number, { signal } = {}) {
      const query = { input_token: number.accessToken }
      const answer = await caller.call(number, { method: 'GET', path: '/debug_token', query, context: reading, signal })
      return tokenFacts(objectOf(answer.data) ?? {})
    },

    async subscribeApp(number, { signal } = {}) {
      await caller.command(number, { method: 'POST', path: subscribedApps(number), context: writing, signal })
    },

    async setCallbackOverride(number, { url, verifyToken }, { signal } = {}) {
      const json = { override_callback_uri: url, verify_token: verifyToken }
      await caller.command(number, { method: 'POST', path: subscribedApps(number), json, context: writing, signal })
    },

    async listSubscribedApps(number, { signal } = {}) {
      const path = subscribedApps(number)
      const answer = await caller.call(number, { method: 'GET', path, context: reading, signal })
      return listOf(answer.data).map((item) => {
        const app = objectOf(objectOf(item)?.whatsapp_business_api_data)
        const overrideCallbackUrl = textOf(objectOf(item)?.override_callback_uri)
        return { appId: textOf(app?.id), name: textOf(app?.name), overrideCallbackUrl }
      })
    },

    async register(number, pin, { signal } = {}) {
      const path = `/${encodeURIComponent(number.phoneNumberId)}/register`
      const json = { messaging_product: 'whatsapp', pin }
      await caller.command(number, { method: 'POST', path, json, context: { ...writing, secrets: [pin] }, signal })
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
    health: healthOf(answer.health_status),
  }
}

function businessHealth(number: NumberCredentials, answer: JsonObject): BusinessHealth {
  return {
    wabaId: textOf(answer.id) ?? number.wabaId,
    name: textOf(answer.name),
    accountReviewStatus: textOf(answer.account_review_status),
    businessVerificationStatus: textOf(answer.business_verification_status),
    health: healthOf(answer.health_status),
  }
}

function healthOf(value: unknown): Health | null {
  const health = objectOf(value)
  if (!health) return null
  const entities = listOf(health.entities).map((item) => {
    const entity = objectOf(item)
    const problems = listOf(entity?.errors).map((problem) => ({
      code: numberOf(objectOf(problem)?.error_code),
      description: textOf(objectOf(problem)?.error_description),
      solution: textOf(objectOf(problem)?.possible_solution),
    }))
    const canSendMessage = textOf(entity?.can_send_message)
    return { type: textOf(entity?.entity_type), id: textOf(entity?.id), canSendMessage, problems }
  })
  return { canSendMessage: textOf(health.can_send_message), entities }
}

function tokenFacts(data: JsonObject) {
  const expiresAtSeconds = numberOf(data.expires_at)
  return {
    valid: booleanOf(data.is_valid) ?? false,
    appId: textOf(data.app_id),
    type: textOf(data.type),
    // 0 stands for never.
    expiresAt: expiresAtSeconds ? expiresAtSeconds * 1_000 : null,
    scopes: listOf(data.scopes).flatMap((scope) => textOf(scope) ?? []),
  }
}

function subscribedApps(number: NumberCredentials): string {
  return `/${encodeURIComponent(number.wabaId)}/subscribed_apps`
}
