import { addressKey, phoneForms } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { findFormerIds } from '../../store/messages/customers.ts'
import { findAddressesInMessages, type NameForm } from '../../store/messages/erasure.ts'
import { customerBy } from '../customers/find-customer.ts'

/** One customer of an account, under every id and address the account has seen them. */
export type Person = { accountId: string; customerIds: readonly string[]; addresses: readonly string[] }

/**
 * By an address of theirs. An address they had before, which is another person's now, is in their messages alone: what is kept
 * outside of messages under it is the other's as well.
 */
export async function findPerson(rt: Runtime, accountId: string, address: string): Promise<Person> {
  const known = await customerBy(rt, accountId, address)
  if (!known) return { accountId, customerIds: [], addresses: withForms([address]) }
  const former = await rt.store.read(findFormerIds, { account_id: accountId, id: known.id })
  const customerIds = [known.id, ...former.map(({ id }) => id)]
  const written = await rt.store.read(findAddressesInMessages, { account_id: accountId, customer_ids: customerIds })
  const own = [address, ...known.addresses.flatMap((one) => [one.address, one.shown])]
  const others = written.flatMap(({ phone, user_id }) => [phone, user_id]).filter((one) => one !== null)
  return { accountId, customerIds, addresses: withForms([...own, ...others]) }
}

function withForms(addresses: readonly string[]): string[] {
  return [...new Set(addresses.flatMap((address) => [address, addressKey(address), ...phoneForms(address).same]))]
}

export type Needles = Readonly<Record<NameForm, string>>

/** To find them in what the platform wrote, which is without '+'. */
export function needlesOf(address: string): Needles {
  const written = address.replace(/^\+/, '')
  return {
    plain: `%${written}%`,
    first_in_group: `%${inBase64(written, 0)}%`,
    second_in_group: `%${inBase64(written, 1)}%`,
    third_in_group: `%${inBase64(written, 2)}%`,
  }
}

/** Callbacks are stored as they came. */
export function asBytes({ plain, first_in_group, second_in_group, third_in_group }: Needles) {
  return {
    plain: Buffer.from(plain),
    first_in_group: Buffer.from(first_in_group),
    second_in_group: Buffer.from(second_in_group),
    third_in_group: Buffer.from(third_in_group),
  }
}

const bitsPerByte = 8
const bitsPerChar = 6

/** The characters that a text behind so many other bytes gives, without those that others have a part in. */
function inBase64(text: string, bytesBefore: number): string {
  const bytes = Buffer.concat([Buffer.alloc(bytesBefore), Buffer.from(text)])
  const start = Math.ceil((bytesBefore * bitsPerByte) / bitsPerChar)
  return bytes.toString('base64').slice(start, Math.floor((bytes.length * bitsPerByte) / bitsPerChar))
}
