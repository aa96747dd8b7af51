import { actorOf, type Member } from '../../access/console-member.ts'
import { writeAudited } from '../../audit/audit.ts'
import { channelNotConnected } from '../../channels/channel-not-connected.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import { customerAddresses } from '../linked-addresses.ts'
import { marketingPreference } from '../marketing-preference.ts'
import { addPreference } from '../receive-preferences.ts'
import { describeCustomer } from './describe-customer.ts'
import { requireCustomer } from './get-conversation.ts'
import { requireCustomersShown } from './require-customers-shown.ts'

/** A customer asked a person, not their phone, for no more marketing messages, or for them again. Holds for every number. */
export async function setPreference(
  rt: Runtime,
  member: Member,
  { customer: given, preference: state }: { customer: string; preference: 'opted_out' | 'opted_in' },
) {
  await requireCustomersShown(rt, member)
  const { accountId, context } = member
  const customer = requireCustomer(given)
  const [addresses, numbers] = await Promise.all([
    customerAddresses(rt, accountId, customer),
    rt.store.read(connectedNumbers, { account_id: accountId }),
  ])
  if (numbers.length === 0) throw channelNotConnected(rt)
  const known = await Promise.all(numbers.map(({ id }) => marketingPreference(rt, { id, accountId }, customer)))
  const changed = numbers.filter((_, index) => known[index]?.state !== state)
  if (changed.length > 0) {
    const isPhone = (address: string) => address.startsWith('+')
    const phone = [customer, ...addresses].find(isPhone) ?? null
    const userId = [customer, ...addresses].find((address) => !isPhone(address)) ?? null
    const at = rt.clock.now()
    const targets = [{ type: 'customer', id: maskPhone(customer), name: maskPhone(customer) }]
    const entry = { actor: actorOf(member), context, accountId, action: `customer.${state}`, targets, metadata: {} }
    await writeAudited(rt, entry, (unit) => {
      for (const { id, phone_number: phoneNumber } of changed) {
        addPreference(rt, unit, { accountId, number: { id, phoneNumber }, phone, userId, state, at })
      }
    })
  }
  return describeCustomer(rt, member, customer)
}
