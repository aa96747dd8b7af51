import { viewNumber } from '../accounts/sandbox-numbers.ts'
import { type Json, list } from '../http/json.ts'
import { recipientKey } from '../messages/behaviour.ts'
import { InboundProblem } from '../messages/inbound.ts'
import type { Platform } from '../platform.ts'
import { MESSAGING_LIMITS, type MessagingLimit, PERMISSIONS, type PhoneNumber, type Token } from '../world.ts'

/** Changes what a number, its account or its token is. */
export function changeNumber(platform: Platform, number: PhoneNumber, change: Json): void {
  const { world } = platform
  if (typeof change.status === 'string') number.status = change.status
  if (typeof change.quality_rating === 'string') number.quality = change.quality_rating
  if (change.pin !== undefined) number.pin = change.pin === null ? null : String(change.pin)
  if (typeof change.on_business_app === 'boolean') number.onBusinessApp = change.on_business_app
  if (change.throughput !== undefined) number.throughput = oneOf('throughput', change.throughput, THROUGHPUTS)
  if (change.name_status !== undefined) number.nameStatus = oneOf('name_status', change.name_status, NAME_STATUSES)
  if (change.allow_list !== undefined) {
    number.allowList =
      change.allow_list === null ? null : list(change.allow_list).map((item) => recipientKey(String(item)))
  }
  const waba = world.wabas.get(number.wabaId)
  if (waba && change.messaging_limit !== undefined) {
    waba.messagingLimit = oneOf('messaging_limit', change.messaging_limit, TIERS)
  }
  if (waba && typeof change.business_verified === 'boolean') waba.verified = change.business_verified
  if (waba && typeof change.marketing_messages === 'boolean') waba.marketingMessages = change.marketing_messages
  if (waba && typeof change.marketing_on_cloud_api === 'boolean') {
    waba.cloudMarketingOff = !change.marketing_on_cloud_api
  }
  if (waba && typeof change.direct_send === 'boolean') waba.directSend = change.direct_send
  if (waba && typeof change.payment_method === 'boolean') waba.unpaid = !change.payment_method
  const app = world.apps.get(viewNumber(platform, number).app_id)
  if (app && typeof change.require_app_secret === 'boolean') app.requiresProof = change.require_app_secret
  if (app && change.redirect_uris !== undefined) app.redirectUris = list(change.redirect_uris).map(String)
  if (app && typeof change.app_published === 'boolean') app.unpublished = !change.app_published
  for (const token of world.tokens.values()) {
    if (token.wabaIds.includes(number.wabaId)) changeToken(token, change)
  }
}

function changeToken(token: Token, { token_expired: expired, token_expires_at: until, permissions }: Json): void {
  if (typeof until === 'string') token.expiresAtMs = Date.parse(until)
  if (typeof expired === 'boolean') token.expired = expired
  if (permissions !== undefined)
    token.permissions = list(permissions).map((one) => oneOf('permissions', one, PERMISSIONS))
}

const THROUGHPUTS = ['STANDARD', 'HIGH'] as const
const NAME_STATUSES = ['APPROVED', 'PENDING_REVIEW'] as const
const TIERS = Object.keys(MESSAGING_LIMITS) as MessagingLimit[]

function oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
  const found = known.find((word) => word === value)
  if (found === undefined) throw new InboundProblem(`"${name}" is one of ${known.join(', ')}`)
  return found
}
