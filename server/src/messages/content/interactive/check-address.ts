import type { AddressValues } from '../../../contract/messages/interactive-content.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { parseRecipient } from '../../../lib/phone.ts'
import { checkCount, checkDifferent, checkGiven, checkId } from './check-parts.ts'
import type { AddressRequest } from './interactive-request.ts'

export function checkAddress({ to, address }: AddressRequest): FieldProblem[] {
  const { values, saved_addresses, validation_errors } = address
  const saved = saved_addresses ?? []
  return [
    ...checkCountry(to),
    ...checkValues(values ?? {}, 'address.values'),
    ...(saved_addresses ? checkCount(saved.length, 'address.saved_addresses', { most: 20, noun: 'addresses' }) : []),
    ...saved.flatMap(({ id, values: own }, index) => [
      ...checkId(id, `address.saved_addresses[${index}].id`, 256),
      ...checkValues(own, `address.saved_addresses[${index}].values`),
    ]),
    ...checkDifferent(saved.map(({ id }, index) => [id, `address.saved_addresses[${index}].id`])),
    ...Object.entries(validation_errors ?? {}).flatMap(([field, sentence]) =>
      checkGiven(sentence, `address.validation_errors.${field}`, wordsMax),
    ),
  ]
}

const wordsMax = 1024
const pinCodeMax = 6

/** A user id begins with the country of the customer. */
function checkCountry(to: string): FieldProblem[] {
  const recipient = parseRecipient(to)
  if (!recipient.ok || recipient.value.startsWith(recipient.kind === 'phone' ? '+91' : 'IN.')) return []
  return [bodyProblem('to', 'invalid_value', 'WhatsApp shows the address form to customers in India (+91) only.')]
}

function checkValues(values: { [Field in keyof AddressValues]: string | null }, place: string): FieldProblem[] {
  return Object.entries(values).flatMap(([field, value]) =>
    checkGiven(value, `${place}.${field}`, field === 'in_pin_code' ? pinCodeMax : wordsMax),
  )
}
