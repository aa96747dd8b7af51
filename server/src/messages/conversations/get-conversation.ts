import { type Member, personalDataRefused } from '../../access/console-member.ts'
import { formatInstant } from '../../lib/instant.ts'
import { openCursor, type PageRequest, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { listApiKeys } from '../../store/accounts/api-keys.ts'
import { listUsers } from '../../store/accounts/users.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import { contactsOf } from '../../store/messages/contacts.ts'
import { conversationsOf } from '../../store/messages/conversation-list.ts'
import { findMessagesByChannelId, type MessageRow } from '../../store/messages/messages.ts'
import { blockedSince } from '../blocked.ts'
import { previewOf } from '../content/inbound-content.ts'
import { customerWithId, findGiven } from '../customers/find-customer.ts'
import { messagesOf } from '../customers/list-customers.ts'
import { explainFailure, formerMember } from '../describe-message.ts'
import { failureOf, publicId } from '../message-record.ts'
import { readNumbers } from '../number-facts.ts'
import { hidesPeople } from '../privacy.ts'
import { marketingPreference } from '../receive-preferences.ts'
import { findOwner, type ThreadOwner } from '../threads/thread-owner.ts'
import { describeWindow, lastInbound, mayFreeForm } from '../window.ts'
import { assigneeOf, memberNames } from './conversation-line.ts'

/** The messages of a conversation, oldest first, and the numbers that can reply. */
export async function getConversation(rt: Runtime, member: Member, given: string, { limit, cursor }: PageRequest) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const theirs = await findGiven(rt, accountId, given)
  const customer = theirs.address
  const boundTo = ['conversation', accountId, theirs.id ?? customer]
  const after = openCursor(rt, cursor, boundTo)
  const [rows, contacts, numbers, connected, known, [line]] = await Promise.all([
    messagesOf(rt, accountId, theirs.id, { after, count: limit + 1 }),
    readContacts(rt, accountId, theirs.id),
    readNumbers(rt, accountId),
    rt.store.read(connectedNumbers, { account_id: accountId }),
    theirs.id === null ? null : customerWithId(rt, accountId, theirs.id),
    theirs.id === null ? [] : rt.store.read(conversationsOf, { account_id: accountId, customer_ids: [theirs.id] }),
  ])
  const positionOf = (row: MessageRow) => [row.created_at, row.id]
  const timeOf = (row: MessageRow) => row.created_at
  const { shown, pagination } = toPage(rt, { rows, edge: null }, { limit, boundTo, positionOf, timeOf })
  const [newest] = contacts
    .filter(({ last_inbound_at }) => last_inbound_at !== null)
    .sort((a, b) => (b.last_inbound_at ?? 0) - (a.last_inbound_at ?? 0))
  // They are answered from the number they wrote to; one that has left cannot send.
  const preferred = newest?.number_id ?? shown[0]?.number_id
  const number =
    connected.find(({ id }) => id === preferred) ?? connected.find((one) => one.preferred_at > 0) ?? connected[0]
  const place = number && { id: number.id, accountId }
  const window = describeWindow(
    rt,
    number && numbers.get(number.id),
    place ? await lastInbound(rt, place, customer) : { lastInboundAt: null },
  )
  const marketing = place ? await marketingPreference(rt, place, customer) : { state: 'unknown' as const, at: null }
  const control = place ? await findOwner(rt, place, customer) : nobody
  const senders = await senderNames(rt, accountId, shown)
  const quotes = await readQuoted(rt, accountId, shown)
  const assigneeNames = await memberNames(rt, accountId, [line?.assignee_id ?? null])
  return {
    customer_id: theirs.id,
    customer,
    name: known?.name ?? shown.find((row) => row.customer_name)?.customer_name ?? null,
    unread: line?.unread ?? 0,
    state: line?.state === 'closed' ? ('closed' as const) : ('open' as const),
    assignee: assigneeOf(assigneeNames, line?.assignee_id ?? null),
    waiting_since: formatInstant(line?.waiting_since ?? null),
    number: number ? { id: number.id, phone_number: number.phone_number, sandbox: number.kind === 'sandbox' } : null,
    window: { ...window, free_form: mayFreeForm({ ...window, expiresAt: null }, rt.config.windowPolicy) },
    control: { ...control, since: formatInstant(control.since) },
    marketing: { state: marketing.state, since: formatInstant(marketing.at) },
    blocked_at: formatInstant(number ? blockedSince(contacts, number.id) : null),
    messages: shown.toReversed().map((row) => ({
      ...describeEntry(row, numbers.get(row.number_id)?.phoneNumber ?? null, senders),
      quoted: quotes.get(row.reply_to ?? '') ?? null,
    })),
    pagination,
  }
}

const nobody: ThreadOwner = { owner: 'nobody', role: null, since: null, summary: null, shared: false }

export function readContacts(rt: Runtime, accountId: string, customerId: string | null) {
  if (customerId === null) return []
  return rt.store.read(contactsOf, { account_id: accountId, customer_ids: [customerId] })
}

type Senders = { people: ReadonlyMap<string, string>; keys: ReadonlyMap<string, string> }

/** The people and API keys that sent messages, by name. */
async function senderNames(rt: Runtime, accountId: string, rows: readonly MessageRow[]): Promise<Senders> {
  const byHand = rows.some(({ sent_by }) => sent_by !== null)
  const byKey = rows.some(({ api_key_id }) => api_key_id !== null)
  const [users, keys] = await Promise.all([
    byHand ? rt.store.read(listUsers, { account_id: accountId }) : [],
    byKey ? rt.store.read(listApiKeys, { account_id: accountId }) : [],
  ])
  return {
    people: new Map(users.map(({ id, name }) => [id, name])),
    keys: new Map(keys.map(({ id, name }) => [id, name])),
  }
}

type Quoted = { id: string; direction: 'outbound' | 'inbound'; type: string; preview: string | null }

/** The quoted messages of a page, as far as they are stored. */
async function readQuoted(rt: Runtime, accountId: string, rows: readonly MessageRow[]) {
  const ids = [...new Set(rows.flatMap(({ reply_to }) => reply_to ?? []))]
  const found = ids.length === 0 ? [] : await rt.store.read(findMessagesByChannelId, { account_id: accountId, ids })
  const quoted = (row: MessageRow): Quoted => ({
    id: publicId(row),
    direction: row.direction as Quoted['direction'],
    type: row.type,
    preview: previewOf(row),
  })
  return new Map(found.map((row) => [row.channel_message_id ?? '', quoted(row)]))
}

function describeEntry(row: MessageRow, number: string | null, { people, keys }: Senders) {
  const failure = failureOf(row)
  return {
    id: publicId(row),
    direction: row.direction as 'outbound' | 'inbound',
    type: row.type,
    status: row.status,
    unresolved: row.outcome === 'unknown',
    template: row.template,
    reply_to: row.reply_to,
    in_group: row.group_id !== null,
    origin: row.origin,
    number,
    sent_by: row.sent_by === null ? null : (people.get(row.sent_by) ?? formerMember),
    key_name: row.api_key_id === null ? null : (keys.get(row.api_key_id) ?? null),
    at: formatInstant(row.created_at),
    send_at: row.status === 'waiting' && row.send_at !== null ? formatInstant(row.send_at) : null,
    content: row.content === null ? null : (JSON.parse(row.content) as Record<string, unknown>),
    failure: failure && explainFailure(failure),
  }
}

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

/** A conversation is nothing but a person and their words: a member who may see neither gets none. */
export async function requireCustomersShown(rt: Runtime, member: Member): Promise<void> {
  if (await hidesPeople(rt, member)) throw personalDataRefused(member, 'read conversations')
}
