import type { Caller } from '../../access/caller.ts'
import { askPlatform } from '../../channels/ask-platform.ts'
import { requireNumber } from '../../channels/require-number.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import { openCursor, type PageRequest } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { contactsOf } from '../../store/messages/conversations.ts'

export const subject = 'the block list'

/** A page of who is blocked, as the platform has it: it is the only place that knows all of them. */
export async function listBlocked(
  rt: Runtime,
  { accountId, phoneNumberIds, seesPeople }: Pick<Caller, 'accountId' | 'phoneNumberIds'> & { seesPeople: boolean },
  { from, limit, cursor }: PageRequest & { from: string | null },
) {
  const number = await requireNumber(rt, accountId, { from, allowedIds: phoneNumberIds, location: 'query' })
  const boundTo = ['blocked', accountId, { from: number.id }]
  const position = openCursor(rt, cursor, boundTo)
  const page = { limit, after: position === null ? null : String(position[0]) }
  const read = () => rt.platform.listBlocked(number.credentials, page)
  const { customers, after } = await askPlatform(rt, number, subject, read)
  const known = await rt.store.read(contactsOf, { account_id: accountId, addresses: customers })
  const names = new Map(known.flatMap(({ address, name }) => (name === null ? [] : [[address, name]])))
  return {
    phone_number: number.phoneNumber,
    blocked: customers.map((customer) =>
      seesPeople ? { customer, name: names.get(customer) ?? null } : { customer: maskPhone(customer), name: null },
    ),
    pagination: {
      limit,
      has_more: after !== null,
      next_cursor: after === null ? null : rt.cursors.seal([after], boundTo),
    },
  }
}
