import type { Caller } from '../../access/caller.ts'
import type { Author } from '../../audit/audit.ts'
import { askPlatform } from '../../channels/ask-platform.ts'
import { requireNumber } from '../../channels/require-number.ts'
import { AppError, validationFailed } from '../../contract/app-error.ts'
import { errorTable } from '../../contract/errors.ts'
import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'
import { parseRecipient } from '../../lib/phone.ts'
import type { BlockFailure } from '../../platform/chat-platform.ts'
import type { Runtime } from '../../runtime.ts'
import { subject } from './list-blocked.ts'
import { noteBlocked } from './note-blocked.ts'
import { reachableAddress } from './reachable-address.ts'

type Blocker = Pick<Caller, 'accountId' | 'phoneNumberIds'>

/** Each customer stands alone. Where none can be blocked the call is refused, with the reason of the first. */
export async function blockCustomers(
  rt: Runtime,
  { accountId, phoneNumberIds }: Blocker,
  { from, customers: given }: { from: string | null; customers: readonly string[] },
  author: Author,
) {
  const customers = readCustomers(given)
  const number = await requireNumber(rt, accountId, { from, allowedIds: phoneNumberIds })
  const own = customers.indexOf(number.phoneNumber)
  if (own >= 0) {
    throw validationFailed([bodyProblem(`customers[${own}]`, 'invalid_value', 'A number cannot block itself.')])
  }
  // A number and its user id may both be given: Meta is asked once, and both are told about.
  const byAddress = new Map<string, string[]>()
  for (const customer of new Set(customers)) {
    const address = await reachableAddress(rt, accountId, customer)
    byAddress.set(address, [...(byAddress.get(address) ?? []), customer])
  }
  const ask = () => rt.platform.blockCustomers(number.credentials, [...byAddress.keys()])
  const { done, failed } = await askPlatform(rt, number, subject, ask)
  if (done.length === 0) throw nobodyBlocked(failed)
  const named = (address: string) => byAddress.get(address) ?? []
  const blocked = done.flatMap(named)
  await noteBlocked(rt, number, blocked, { action: 'customer.blocked', at: rt.clock.now(), author })
  return {
    phone_number: number.phoneNumber,
    blocked,
    failed: failed.flatMap(({ address, code }) =>
      named(address).map((customer) => ({ customer, code, message: errorTable[code].title })),
    ),
  }
}

function readCustomers(given: readonly string[]): string[] {
  const problems: FieldProblem[] = []
  const read = given.map((customer, index) => {
    const parsed = parseRecipient(customer)
    if (parsed.ok) return parsed.value
    problems.push(bodyProblem(`customers[${index}]`, parsed.code, parsed.message))
    return customer
  })
  if (problems.length > 0) throw validationFailed(problems)
  return read
}

function nobodyBlocked(failed: readonly BlockFailure[]): AppError {
  const { code, upstream } = failed[0] ?? { code: 'channel_rejected' as const, upstream: undefined }
  const detail = upstream?.code == null ? '' : ` (Meta code ${upstream.code})`
  const whom = failed.length > 1 ? 'No customer was blocked. ' : ''
  return new AppError(code, `${whom}${errorTable[code].title}${detail}`, upstream ? { upstream } : {})
}
