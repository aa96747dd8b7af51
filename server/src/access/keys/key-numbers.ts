import { invalidField } from '../../contract/app-error.ts'
import { compactPhone } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'

/** The ids of numbers that a key is to be limited to, each named by its id or phone number. */
export async function requireNumberIds(rt: Runtime, accountId: string, wanted: readonly string[]): Promise<string[]> {
  const connected = await rt.store.read(connectedNumbers, { account_id: accountId })
  const found = wanted.map((name) =>
    connected.find(({ id, phone_number }) => name === id || plain(name) === phone_number),
  )
  const unknown = found.indexOf(undefined)
  if (unknown < 0) return [...new Set(found.flatMap((number) => number?.id ?? []))]
  throw invalidField(
    `numbers[${unknown}]`,
    'invalid_value',
    'Give connected numbers of the account, by id or phone number.',
  )
}

/** People write phone numbers with separators; the stored form has none. */
function plain(name: string): string {
  return compactPhone(name)
}
