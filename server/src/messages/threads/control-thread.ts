import type { Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { type Author, writeAudited } from '../../audit/audit.ts'
import { askPlatform } from '../../channels/ask-platform.ts'
import { type ChannelNumber, requireNumber } from '../../channels/require-number.ts'
import { AppError, validationFailed } from '../../contract/app-error.ts'
import type { ControlRequest } from '../../contract/conversation-control.ts'
import { bodyProblem } from '../../contract/schema.ts'
import { formatInstant } from '../../lib/instant.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { customerAddresses, findGiven } from '../customers/find-customer.ts'
import { addOwner, findOwner, type OwnerChange } from './thread-owner.ts'

type Asker = Pick<Caller, 'accountId' | 'phoneNumberIds'> & { seesPeople: boolean }
type Wanted = { customerId: string; from: string | null }

export async function getControl(rt: Runtime, asker: Asker, { customerId, from }: Wanted) {
  const { accountId, phoneNumberIds: allowedIds } = asker
  const customer = await addressOf(rt, accountId, customerId)
  const number = await requireNumber(rt, accountId, { from, allowedIds, location: 'query' })
  return describeControl(rt, asker, number, { customer, given: customerId })
}

/** Asks Meta once. What became of it is noted, unless the answer was lost: then nobody knows, and nothing is tried again. */
export async function controlThread(
  rt: Runtime,
  asker: Asker,
  { customerId, action, role = null, note = null, from = null }: Static<typeof ControlRequest> & { customerId: string },
  { actor, context }: Author,
) {
  const { accountId, phoneNumberIds: allowedIds } = asker
  const customer = await addressOf(rt, accountId, customerId)
  if (role !== null && action !== 'pass') {
    throw validationFailed([bodyProblem('role', 'invalid_value', 'Only the action "pass" has a role.')])
  }
  const number = await requireNumber(rt, accountId, { from, allowedIds })
  const ask = () => rt.platform.controlThread(number.credentials, { customer, action, role, note })
  await askPlatform(rt, number, 'the handover', () => ask().catch(refuseUnknown))
  const now = rt.clock.now()
  const addresses = await customerAddresses(rt, accountId, customer)
  const change: OwnerChange = { ...outcomes[action], role: action === 'pass' ? (role ?? 'escalation') : null, at: now }
  const masked = maskPhone(customer)
  const targets = [{ type: 'customer', id: masked, name: masked }]
  const metadata = { number: number.phoneNumber, role: change.role }
  const entry = { accountId, action: `conversation.${words[action]}`, actor, context, targets, metadata }
  await writeAudited(rt, entry, (unit) => addOwner(unit, number, addresses, { change, now }))
  return describeControl(rt, asker, number, { customer, given: customerId })
}

async function addressOf(rt: Runtime, accountId: string, given: string): Promise<string> {
  return given.startsWith('cus_') ? (await findGiven(rt, accountId, given)).address : requireCustomerId(given)
}

const words = { pass: 'passed', release: 'released', take: 'taken' } as const
const outcomes = {
  pass: { owner: 'other' },
  release: { owner: 'idle' },
  take: { owner: 'gateway' },
} as const satisfies Record<string, Pick<OwnerChange, 'owner'>>

function refuseUnknown(error: unknown): never {
  if (!(error instanceof PlatformError) || error.outcome !== 'unknown') throw error
  throw new AppError('control_outcome_unknown', 'Meta did not confirm who handles the conversation now.', {
    cause: error,
  })
}

async function describeControl(
  rt: Runtime,
  { seesPeople }: Asker,
  number: ChannelNumber,
  { customer, given }: { customer: string; given: string },
) {
  const { owner, role, since, shared, summary } = await findOwner(rt, number, customer)
  return {
    customer_id: given.startsWith('cus_') ? given : customer,
    phone_number: number.phoneNumber,
    owner,
    role,
    since: formatInstant(since),
    shared,
    summary: seesPeople ? summary : null,
  }
}

function requireCustomerId(given: string): string {
  const parsed = parseRecipient(given)
  if (parsed.ok) return parsed.value
  throw validationFailed([{ field: 'customer_id', location: 'path', code: parsed.code, message: parsed.message }])
}
