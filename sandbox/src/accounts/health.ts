import type { Json } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import { isInUse } from '../templates/template-status.ts'
import type { PhoneNumber, Template, Waba } from '../world.ts'

/** `health_status`: can messages leave, and if not, which link of the chain is broken. */
export function healthOfNumber(platform: Platform, number: PhoneNumber, appId: string): Json {
  return summary([numberEntity(number), ...chain(platform, number.wabaId, appId)])
}

export function healthOfWaba(platform: Platform, waba: Waba, appId: string): Json {
  return summary(chain(platform, waba.id, appId))
}

export function healthOfTemplate(platform: Platform, template: Template): Json {
  const usable = isInUse(template)
  const entity: Json = {
    entity_type: 'MESSAGE_TEMPLATE',
    id: template.id,
    can_send_message: usable ? 'AVAILABLE' : 'BLOCKED',
  }
  if (!usable) {
    entity.errors = [problem(132001, `The template is ${template.status}.`, 'Wait for its approval or edit it.')]
  }
  return summary([entity, ...chain(platform, template.wabaId)])
}

function numberEntity(number: PhoneNumber): Json {
  const entity: Json = { entity_type: 'PHONE_NUMBER', id: number.id, can_send_message: 'AVAILABLE' }
  if (number.status !== 'CONNECTED') {
    entity.can_send_message = 'BLOCKED'
    entity.errors = [problem(141000, `The number is ${number.status}.`, 'Register the number with its PIN.')]
  } else if (number.quality === 'RED') {
    entity.can_send_message = 'LIMITED'
    entity.additional_info = ['The quality of this number is low.']
  } else if (number.nameStatus === 'PENDING_REVIEW') {
    entity.can_send_message = 'LIMITED'
    entity.additional_info = ['The display name is not approved yet. The messaging limit grows when it is.']
  }
  return entity
}

/** The account, its business, and the app that asks. */
function chain(platform: Platform, wabaId: string, appId?: string): Json[] {
  const waba = platform.world.wabas.get(wabaId)
  const account: Json = { entity_type: 'WABA', id: wabaId, can_send_message: 'AVAILABLE' }
  if (waba?.unpaid) {
    account.can_send_message = 'BLOCKED'
    const solution = 'Add a payment method to the account.'
    account.errors = [problem(141006, 'The payment method is missing: no conversation can be begun.', solution)]
  }
  const business: Json = { entity_type: 'BUSINESS', id: waba?.businessId, can_send_message: 'AVAILABLE' }
  if (waba?.verified === false) {
    business.can_send_message = 'LIMITED'
    const solution = 'Start the verification of the business in its settings.'
    business.errors = [problem(141010, 'The business is not verified.', solution)]
  }
  const app: Json[] = appId === undefined ? [] : [{ entity_type: 'APP', id: appId, can_send_message: 'AVAILABLE' }]
  return [account, business, ...app]
}

function summary(entities: Json[]): Json {
  const worst = ['BLOCKED', 'LIMITED'].find((level) => entities.some((entity) => entity.can_send_message === level))
  return { can_send_message: worst ?? 'AVAILABLE', entities }
}

function problem(code: number, description: string, solution: string): Json {
  return { error_code: code, error_description: description, possible_solution: solution }
}
