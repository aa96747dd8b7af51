import type { Caller } from '../../access/caller.ts'
import { type Author, writeAudited } from '../../audit/audit.ts'
import { channelNotConnected, requireNumber } from '../../channels/require-number.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import { contactsOf } from '../../store/messages/contacts.ts'
import type { IdentityRow } from '../../store/messages/customers.ts'
import { addPreference, preferenceOf } from '../receive-preferences.ts'
import { asCustomer } from './as-customer.ts'
import { kindOf, shownAddress } from './identity.ts'
import { describeCustomer, type Reader, requireCustomer } from './list-customers.ts'

type State = 'opted_out' | 'opted_in'
type Wanted = { customerId: string; state: State; from: string | null }
type Principal = Reader & Pick<Caller, 'phoneNumberIds'>

/** A customer said something about marketing messages elsewhere: to a person, in a form of a shop. */
export async function setCustomerPreference(rt: Runtime, principal: Principal, wanted: Wanted, author: Author) {
  const { accountId, phoneNumberIds: allowedIds } = principal
  const customer = await requireCustomer(rt, accountId, wanted.customerId)
  const { from } = wanted
  const numbers =
    from === null
      ? (await rt.store.read(connectedNumbers, { account_id: accountId }))
          .filter(({ id }) => allowedIds === null || allowedIds.includes(id))
          .map(({ id, phone_number: phoneNumber }) => ({ id, phoneNumber }))
      : [await requireNumber(rt, accountId, { from, allowedIds })]
  if (numbers.length === 0) throw channelNotConnected(rt)
  const source = author.actor.type === 'user' ? 'console' : 'api'
  await recordPreference(rt, { accountId, ...customer, state: wanted.state, numbers, source, author })
  return describeCustomer(rt, principal, customer)
}

type Recorded = {
  accountId: string
  id: string
  addresses: readonly IdentityRow[]
  state: State
  numbers: readonly { id: string; phoneNumber: string }[]
  source: 'console' | 'api'
  author: Author
}

/** If nothing changes, nothing is recorded or published. */
export async function recordPreference(rt: Runtime, recorded: Recorded): Promise<void> {
  const { accountId, id, addresses, state, numbers, source, author } = recorded
  const contacts = await rt.store.read(contactsOf, { account_id: accountId, customer_ids: [id] })
  const stateAt = (numberId: string) => preferenceOf(contacts.find(({ number_id }) => number_id === numberId)).state
  const changed = numbers.filter((number) => stateAt(number.id) !== state)
  if (changed.length === 0) return
  const address = shownAddress(addresses) ?? ''
  const current = addresses.filter(({ replaced_at }) => replaced_at === null).map(({ shown }) => shown)
  const phone = current.find((one) => kindOf(one) === 'phone') ?? null
  const userId = current.find((one) => kindOf(one) === 'user') ?? null
  const own = kindOf(address) === 'phone' ? { phone: address, userId: null } : { phone: null, userId: address }
  const at = rt.clock.now()
  const targets = [{ type: 'customer', id, name: maskPhone(address) }]
  const metadata = { numbers: changed.map(({ phoneNumber }) => phoneNumber) }
  const entry = { ...author, accountId, action: `customer.${state}`, targets, metadata }
  await asCustomer(rt, accountId, { ...own, at }, async (identity, customerId) => {
    await writeAudited(rt, entry, (unit) => {
      unit.calls.push(...identity.calls)
      for (const number of changed) {
        const word = { accountId, number, customerId, phone, userId, state, at, source }
        addPreference(rt, unit, { ...word, by: author.actor.name })
      }
    })
  })
}
