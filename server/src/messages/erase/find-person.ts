import type { Runtime } from '../../runtime.ts'
import { findLinkedAddresses, type NameForm } from '../../store/messages/erasure.ts'
import { linkedAddresses } from '../linked-addresses.ts'

/** One customer of an account, under every address the account has seen them. */
export type Person = { accountId: string; addresses: readonly string[] }

/** A customer who hid their number is known by a user id alone from then on; both belong to the same person. */
export async function findPerson(rt: Runtime, accountId: string, address: string): Promise<Person> {
  const look = (addresses: string[]) => rt.store.read(findLinkedAddresses, { account_id: accountId, addresses })
  return { accountId, addresses: await linkedAddresses(address, look) }
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
