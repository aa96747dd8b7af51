import { addressKey } from '../../lib/phone.ts'
import type { IdentityRow } from '../../store/messages/customers.ts'

/** A report about a customer's identity. Addresses are in WhatsApp's format. */
export type Identity = {
  phone: string | null
  userId: string | null
  parentId?: string | null
  name?: string | null
  /** The previous address, from the platform's notice of a change. */
  former?: readonly string[]
  /** Another form of the number that the platform knows them by. */
  alias?: string | null
  /** The business of the report: user ids are per business, so a customer of two has two ids. */
  channelId?: string
  /** By the customer's own message, which has the form of their number that WhatsApp uses. */
  isOwn?: boolean
  /** Time of the report. */
  at: number
}

/** An address as it is from now on. `heldBy` is who has it now; null: nobody. */
export type AddressChange = {
  address: string
  shown: string
  channelId: string | null
  linkedAt: number
  replacedAt: number | null
  heldBy: string | null
}

/** The customer, and the changes to apply. */
export type Plan = {
  customerId: string
  isNew: boolean
  /** Of the customer as it was read; its changes are in `changes` and `merged`. */
  revision: number
  changes: readonly AddressChange[]
  /** Customers who are this one, as is known now. */
  merged: readonly { id: string; revision: number }[]
  /** Customers who lose an address to this one: it was given to another person. */
  left: readonly { id: string; revision: number }[]
}

export type AddressKind = 'phone' | 'user' | 'parent'

export function kindOf(address: string): AddressKind {
  if (address.startsWith('+')) return 'phone'
  return /^[A-Z]{2}\.ENT\./.test(address) ? 'parent' : 'user'
}

/** Every address that has to be read before `planFor` decides. */
export function addressesIn({ phone, userId, parentId, former = [], alias }: Identity): string[] {
  const all = [phone, userId, parentId, alias, ...former]
  return [...new Set(all.filter((one) => one != null).map((one) => addressKey(one as string)))]
}

/**
 * A user id belongs to one person for good, a number is passed on. So who comes with a user id is who has that id, and a
 * number belongs to whom it came with last: with another user id than the one it was linked with, it was given to someone
 * else, unless the platform told that the id changed. A number that its customer gave up and that comes back without an id is
 * another person's too. A parent id is kept with the first who comes with it and links nobody: it is the same in every
 * portfolio. What is told late changes nothing.
 */
export function planFor(known: readonly IdentityRow[], identity: Identity, newId: () => string): Plan {
  const { phone, userId, parentId = null, former = [], alias = null, channelId = null, at } = identity
  const rowOf = (address: string | null) => known.find((row) => address !== null && row.address === addressKey(address))
  const rowsOf = (addresses: readonly (string | null)[]) => addresses.flatMap((one) => rowOf(one) ?? [])
  const isOf = (kind: AddressKind) => (address: string) => kindOf(address) === kind
  const isOfPlace = ({ channel_id: id }: IdentityRow) => id === null || channelId === null || id === channelId
  const hasId = ({ customer_id: id }: IdentityRow) =>
    known.some((row) => row.customer_id === id && kindOf(row.address) === 'user' && isOfPlace(row))
  const ownRow = rowOf(phone)
  const formerIds = former.filter(isOf('user'))
  const ids = [userId, ...formerIds].filter((one) => one !== null)
  const formerRows = rowsOf(former.filter(isOf('phone'))).filter((row) => !isBefore(at, row.linked_at))
  // A change names the id they had before, or at least the number.
  const sure = [...rowsOf(ids), ...(formerIds.length === 0 ? formerRows : [])]
  if (sure.length === 0 && alias !== null) sure.push(...rowsOf([phone]))
  const united = new Set(sure.map((row) => row.customer_id))
  const isGivenUp = (row: IdentityRow) => row.replaced_at !== null && isBefore(row.replaced_at, at)
  const isAlone = ids.length === 0 && former.length === 0 && alias === null
  if (ownRow && !isGivenUp(ownRow) && (isAlone || !hasId(ownRow))) united.add(ownRow.customer_id)
  for (const row of [...rowsOf([alias]), ...formerRows]) if (!hasId(row)) united.add(row.customer_id)
  const customers = [...united].map((id) => known.find((row) => row.customer_id === id) as IdentityRow)
  customers.sort((a, b) => a.created_at - b.created_at || (a.customer_id < b.customer_id ? -1 : 1))
  const [first, ...others] = customers
  const { isOwn = false } = identity
  const changes: AddressChange[] = []
  const seen = new Set<string>()
  const holds = (address: string | null, replacedAt: number | null, links = true) => {
    if (address === null || seen.has(addressKey(address))) return
    seen.add(addressKey(address))
    const change = changeOf(rowOf(address), {
      address,
      replacedAt,
      at,
      links,
      isOwn,
      channelId,
      isTheirs: (id) => united.has(id),
    })
    if (change) changes.push(change)
  }
  holds(phone, null)
  holds(userId, null)
  holds(alias, null)
  holds(parentId, null, false)
  for (const one of former) holds(one, at, kindOf(one) !== 'parent')
  const customerId = first?.customer_id ?? newId()
  const losers = new Set(changes.flatMap(({ heldBy }) => (heldBy !== null && !united.has(heldBy) ? [heldBy] : [])))
  const revisionOf = (id: string) => known.find((row) => row.customer_id === id)?.revision ?? 0
  return {
    customerId,
    isNew: !first,
    revision: first?.revision ?? 1,
    changes,
    merged: others.map(({ customer_id: id, revision }) => ({ id, revision })),
    left: [...losers].map((id) => ({ id, revision: revisionOf(id) })),
  }
}

type Held = {
  address: string
  replacedAt: number | null
  at: number
  isOwn: boolean
  channelId: string | null
  /** Whether it may be taken from another customer. */
  links: boolean
  isTheirs: (customerId: string) => boolean
}

const secondMs = 1_000

/** WhatsApp's times are whole seconds, ours are not: of what happened in one second, what was told last counts. */
function isBefore(at: number, other: number): boolean {
  return Math.floor(at / secondMs) < Math.floor(other / secondMs)
}

/** Null where the address stays as it is. */
function changeOf(
  row: IdentityRow | undefined,
  { address, replacedAt, at, links, isOwn, channelId: place, isTheirs }: Held,
): AddressChange | null {
  const met = kindOf(address) === 'user' && replacedAt === null ? place : null
  const next = { address: addressKey(address), shown: address, channelId: met, linkedAt: at, replacedAt }
  if (!row) return { ...next, heldBy: null }
  const { customer_id: heldBy, linked_at: linkedAt, replaced_at, shown } = row
  if (!isTheirs(heldBy)) return links && replacedAt === null && !isBefore(at, linkedAt) ? { ...next, heldBy } : null
  const channelId = met ?? row.channel_id
  if (replacedAt !== null) {
    return replaced_at === null && !isBefore(at, linkedAt) ? { ...next, shown, channelId, linkedAt, heldBy } : null
  }
  if (replaced_at !== null && isBefore(replaced_at, at)) return { ...next, channelId, heldBy }
  const stays = (shown === address || !isOwn) && channelId === row.channel_id
  return stays
    ? null
    : { ...next, shown: isOwn ? address : shown, channelId, linkedAt, replacedAt: replaced_at, heldBy }
}

/** The number they have now, otherwise their user id. */
export function shownAddress(addresses: readonly IdentityRow[]): string | null {
  const rank = ({ shown, replaced_at }: IdentityRow) =>
    (replaced_at === null ? 0 : 2) + (kindOf(shown) === 'phone' ? 0 : 1)
  const [first] = addresses.toSorted((a, b) => rank(a) - rank(b) || b.linked_at - a.linked_at)
  return first?.shown ?? null
}
