import { graphError, invalid, missing } from '../http/errors.ts'
import { type Call, ok, type Reply } from '../http/http.ts'
import { isRecord, text } from '../http/json.ts'
import { numericId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import { type Customer, findCustomer, type PhoneNumber } from '../world.ts'
import { recipientKey } from './behaviour.ts'

const roles = ['ai_agent', 'ctwa', 'customer_service', 'escalation', 'marketing', 'utility']

/** `POST /{phone_number_id}/thread_control`: passes, releases or takes a conversation. */
export function controlThread(platform: Platform, call: Call, number: PhoneNumber): Reply {
  const { params } = call
  if (params.messaging_product !== 'whatsapp') throw missing('messaging_product')
  const to = text(params.to)
  const recipient = text(params.recipient)
  if ((to === undefined) === (recipient === undefined)) throw invalid("Exactly one of 'to' and 'recipient' is needed")
  if ((text(params.metadata)?.length ?? 0) > 2_000) throw invalid("Parameter 'metadata' has at most 2000 characters")
  const customer = findCustomer(number, to === undefined ? String(recipient) : recipientKey(to))
  if (customer === undefined) throw invalid('There is no conversation with this user')
  const role = isRecord(params.control_pass) ? text(params.control_pass.target_role) : undefined
  if (role !== undefined && !roles.includes(role)) throw invalid(`'target_role' is one of ${roles.join(', ')}`)
  const action = text(params.action)
  if (role !== undefined && action !== 'pass') throw invalid("'control_pass' goes with the action pass")
  if (action === 'pass') {
    requireOwn(customer)
    customer.ownedBy = role ?? 'escalation'
  } else if (action === 'release') delete customer.ownedBy
  else if (action === 'take') {
    if (!number.isEscalation) throw graphError(2494191, 'Only the escalation partner can take a conversation.')
    delete customer.ownedBy
  } else throw invalid("'action' is one of pass, release, take")
  platform.changed()
  return ok({ messaging_product: 'whatsapp', request_id: numericId() })
}

/** A message of the business that is no template needs the conversation. */
export function requireOwn(customer: Customer | undefined): void {
  if (customer?.ownedBy !== undefined) throw graphError(131070, 'The conversation is handled by another responder.')
}
