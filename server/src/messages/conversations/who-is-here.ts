import type { Member } from '../../access/console-member.ts'
import type { Runtime } from '../../runtime.ts'
import { findGiven } from '../customers/find-customer.ts'
import { memberNames } from './assignees.ts'
import { requireCustomersShown } from './require-customers-shown.ts'

/** The other people who have this conversation open, and which of them are typing. */
export async function describePresence(rt: Runtime, member: Member, customer: string) {
  const place = await placeOf(rt, member, customer)
  const present = place === null ? [] : rt.presence.others(place)
  const ids = present.map(({ userId }) => userId)
  const names = await memberNames(rt, member.accountId, ids)
  const people = present.flatMap(({ userId, typing }) => {
    const name = names.get(userId)
    return name === undefined ? [] : [{ user_id: userId, name, typing }]
  })
  return { people }
}

export async function signalPresence(rt: Runtime, member: Member, customer: string, typing: boolean) {
  const place = await placeOf(rt, member, customer)
  if (place !== null) rt.presence.signal({ ...place, typing })
  return describePresence(rt, member, customer)
}

async function placeOf(rt: Runtime, member: Member, customer: string) {
  await requireCustomersShown(rt, member)
  const { accountId, userId } = member
  const { id } = await findGiven(rt, accountId, customer)
  return id === null ? null : { accountId, customerId: id, userId }
}
