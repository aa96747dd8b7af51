import { requireSandboxNumber } from '../channels/sandbox-number.ts'
import { invalidField } from '../contract/app-error.ts'
import { formatInstant } from '../lib/instant.ts'
import { parseRecipient } from '../lib/phone.ts'
import type { CustomerAct, SandboxBehaviour, SandboxControl } from '../platform/sandbox-control.ts'
import type { Runtime } from '../runtime.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { closeWindow } from '../store/channels/sandbox-channels.ts'
import { readList } from '../store/engine/list.ts'
import { unitOf } from '../store/engine/unit.ts'
import { messageListing } from '../store/messages/message-list.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { previewOf } from './content/inbound-content.ts'
import { noteWritten } from './customers/as-customer.ts'
import { customerBy } from './customers/find-customer.ts'
import { type MessageFailure, publicId } from './message-record.ts'
import { requestOf } from './send/request-of.ts'
import { lastInbound, windowMs, windowState } from './window.ts'

const messagesShown = 60
const messagesLookedAt = 300

type PhoneCall = { accountId: string; numberId: string }

/** The people a number talks to, the one with the newest message first, and how the phone behaves. */
export async function describePhone(rt: Runtime, control: SandboxControl, { accountId, numberId }: PhoneCall) {
  const line = await requireSandboxNumber(rt, accountId, numberId)
  const [customers, behaviour, rows] = await Promise.all([
    control.customers(line.place),
    control.behaviour(line.place),
    newestOf(rt, accountId, messagesLookedAt),
  ])
  const own = rows.filter((row) => row.number_id === numberId && row.phone !== null)
  const phones = new Set([...own.map(({ phone }) => phone ?? ''), ...customers.map(({ phone }) => phone)])
  return {
    number: { id: line.numberId, phone_number: line.phoneNumber, name: line.name },
    customers: [...phones].map((phone) => {
      const last = own.find((row) => row.phone === phone)
      return {
        phone,
        name: customers.find((customer) => customer.phone === phone)?.name ?? null,
        last: last ? { preview: previewOf(last) ?? last.type, at: formatInstant(last.created_at) } : null,
      }
    }),
    behaviour: { next: behaviour.next, delay_ms: behaviour.delayMs, read_receipts: behaviour.readReceipts },
  }
}

/** The customer's screen, oldest message first, and whether the window is open. */
export async function readConversation(rt: Runtime, { accountId, numberId }: PhoneCall, customer: string) {
  const line = await requireSandboxNumber(rt, accountId, numberId)
  const phone = requirePhone(customer)
  const theirs = await customerBy(rt, accountId, phone)
  const rows = theirs ? await newestOf(rt, accountId, messagesShown, theirs.id) : []
  const own = rows.filter((row) => row.number_id === numberId)
  const sent = own.find(({ direction }) => direction === 'outbound')
  const { lastInboundAt } = await lastInbound(rt, { id: numberId, accountId }, phone)
  const window = windowState({
    policy: rt.config.windowPolicy,
    channelKind: 'sandbox',
    numberConnectedAt: 0,
    lastInboundAt,
    now: rt.clock.now(),
  })
  return {
    phone,
    business: line.name ?? line.phoneNumber,
    window: { state: window.state, expires_at: formatInstant(window.expiresAt) },
    messages: own.reverse().map(toBubble),
    last_request: sent ? await requestOf(rt, sent) : null,
  }
}

/** Typing on the phone: the gateway hears of it as it would from the real platform. */
export async function actAsCustomer(
  rt: Runtime,
  control: SandboxControl,
  { accountId, numberId }: PhoneCall,
  { customer, act, field = 'customer' }: { customer: string; act: CustomerAct; field?: string },
) {
  const line = await requireSandboxNumber(rt, accountId, numberId)
  return { message_id: (await control.act(line.place, requirePhone(customer, field), act)).messageId }
}

export async function addCustomer(
  rt: Runtime,
  control: SandboxControl,
  { accountId, numberId }: PhoneCall,
  { customer, name }: { customer: string; name: string },
): Promise<void> {
  const line = await requireSandboxNumber(rt, accountId, numberId)
  await control.setCustomer(line.place, { phone: requirePhone(customer), name })
}

/** Both sides have to agree: the sandbox refuses by its own clock, and the gateway refuses before it. */
export async function setWindow(
  rt: Runtime,
  control: SandboxControl,
  { accountId, numberId }: PhoneCall,
  { customer, state }: { customer: string; state: 'open' | 'closed' },
): Promise<void> {
  const line = await requireSandboxNumber(rt, accountId, numberId)
  const phone = requirePhone(customer)
  await control.setCustomer(line.place, { phone, window: state })
  const { numberId: id } = line
  const at = rt.clock.now()
  if (state === 'open') {
    await noteWritten(rt, { accountId, numberId: id, identity: { phone, userId: null, at }, unread: 0 })
    return
  }
  const known = await customerBy(rt, accountId, phone)
  if (!known) return
  const closed = { account_id: accountId, number_id: id, customer_id: known.id, last_inbound_at: at - windowMs - 1 }
  await rt.store.write(unitOf(closeWindow, closed))
}

export async function setBehaviour(
  rt: Runtime,
  control: SandboxControl,
  { accountId, numberId }: PhoneCall,
  behaviour: SandboxBehaviour,
): Promise<void> {
  const line = await requireSandboxNumber(rt, accountId, numberId)
  await control.setBehaviour(line.place, behaviour)
}

async function newestOf(rt: Runtime, accountId: string, count: number, customerId?: string): Promise<MessageRow[]> {
  const filters = customerId === undefined ? {} : { customerId }
  const listing = messageListing(accountId, filters, 'desc')
  return (await readList(rt.store, accountId, listing, { after: null, count })).rows
}

function toBubble(row: MessageRow) {
  const error = row.error === null ? null : (JSON.parse(row.error) as MessageFailure)
  return {
    id: publicId(row),
    direction: row.direction as 'outbound' | 'inbound',
    type: row.type,
    status: row.status,
    code: error?.code ?? null,
    template: row.template,
    reply_to: row.reply_to,
    at: formatInstant(row.created_at),
    content: row.content === null ? null : (JSON.parse(row.content) as Record<string, unknown>),
  }
}

/** `field` is what the caller wrote it into. */
function requirePhone(customer: string, field = 'customer'): string {
  const parsed = parseRecipient(customer)
  if (parsed.ok && parsed.kind === 'phone') return parsed.value
  const message = parsed.ok ? 'A phone of the sandbox has a phone number.' : parsed.message
  throw invalidField(field, 'invalid_phone_number', message)
}

/** The customer every sandbox number starts with, as if just now they had written: a first text can be sent at once. */
export const seededCustomer = '+12025550100'

export async function seedCustomer(rt: Runtime, accountId: string): Promise<void> {
  const numbers = await rt.store.read(connectedNumbers, { account_id: accountId })
  for (const { id: numberId } of numbers) {
    const identity = { phone: seededCustomer, userId: null, name: 'Ana', at: rt.clock.now() }
    await noteWritten(rt, { accountId, numberId, identity, unread: 0 })
  }
}
