import type { Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import type { SendDeadline } from '../../access/send-deadline.ts'
import type { Author } from '../../audit/audit.ts'
import { type ChannelNumber, requireNumber, type WantedNumber } from '../../channels/require-number.ts'
import { AppError, invalidField, validationFailed } from '../../contract/app-error.ts'
import type { SendTemplate, SentType } from '../../contract/messages/send-requests.ts'
import type { FieldProblem } from '../../contract/schema.ts'
import { isErasedId } from '../../events/masked-event.ts'
import { waitUntil } from '../../lib/async/with-timeout.ts'
import { formatInstant } from '../../lib/instant.ts'
import { parseRecipient, phoneForms } from '../../lib/phone.ts'
import type { ResolveOptions } from '../../media/resolve-media.ts'
import type { OutboundContent, OutboundDirectSend } from '../../platform/outbound-message.ts'
import type { Runtime } from '../../runtime.ts'
import { findUnappliedCallback } from '../../store/channels/callbacks.ts'
import { findMessage, type MessageRow } from '../../store/messages/messages.ts'
import { customerBy } from '../customers/find-customer.ts'
import { type CustomerWindow, lastInbound, mayFreeForm, windowState } from '../window.ts'

export type TemplateRequest = Static<typeof SendTemplate>
export type TemplateChoice = Pick<TemplateRequest, 'template' | 'language' | 'components'>
/** Fields that all sends share. */
export type SendCommon = Omit<TemplateRequest, keyof TemplateChoice>

export type Address = { kind: 'phone' | 'user'; value: string }

/** A message that has passed every check and is ready for the platform. */
export type Draft = {
  number: ChannelNumber
  address: Address
  /** `raw` is what only the platform's own words can say. */
  type: SentType | 'raw'
  outbound: OutboundContent
  /** The message's `content`, as stored and shown. */
  content: Record<string, unknown>
  template: { id: string; name: string; language: string; category: string; last_used_at: string | null } | null
  /** The channel's id of the message to quote. */
  replyTo: string | null
  clientReference: string | null
  used: 'text' | 'template' | null
  /** Counted under its category. */
  direct?: OutboundDirectSend
  /** Sent instead where the platform says that the window is closed. */
  fallback?: TemplateRequest
  /** Our files that the message names, wherever in it. */
  files?: readonly string[]
  /** Whether the platform alone decides about the customer's window. */
  leavesWindow?: boolean
  /** Data that a Cloud API client expects in the statuses of the message. */
  opaque?: string | null
}

/** The sender: an API key, or a person in the console, who has no key. */
export type Sender = Pick<Caller, 'accountId' | 'phoneNumberIds'> & {
  keyId: string | null
  /** The person, where there is one. */
  author?: Author
  /** Everything is checked; nothing is fetched, uploaded or sent. */
  dryRun?: boolean
  /** The number as this process remembers it. The grant checks it, and that the customer's window is open. */
  recalled?: ChannelNumber
  /** The platform is asked whether the window is open, whatever is known of it. */
  leavesWindow?: boolean
  /** Of the request that sends; without one the time begins where it is first needed. */
  deadline?: SendDeadline
}

/**
 * The cached data isn't sufficient for a send, or is stale. Nothing is stored or counted: the send is drafted again from
 * fresh reads, which reject it, wait for its rate limit, or find the change.
 */
export class NeedsReads extends Error {}

/**
 * Before what a draft from memory leaves out: the window as it is known, and files, which may have to be uploaded first.
 */
export function requireReads({ recalled }: Sender): void {
  if (recalled) throw new NeedsReads()
}

export type FileOptions = Omit<ResolveOptions, 'kind'>

/** Prepares the files of a send. */
export function resolveOptions({ dryRun = false, deadline }: Sender): FileOptions {
  return { dryRun, ...(deadline ? { waitMaxMs: deadline.filesWaitMs() } : {}) }
}

export function wantedNumber({ from = null }: SendCommon, { phoneNumberIds }: Sender): WantedNumber {
  return { from, allowedIds: phoneNumberIds }
}

async function numberToSendFrom(rt: Runtime, sender: Sender, request: SendCommon): Promise<ChannelNumber> {
  return sender.recalled ?? (await requireNumber(rt, sender.accountId, wantedNumber(request, sender)))
}

/**
 * The common part of all sends, in the order of the checks: the recipient, the content by `check`, the number, the quoted
 * message.
 */
export async function draftOf(rt: Runtime, sender: Sender, request: SendCommon, check: () => unknown = () => {}) {
  const address = requireAddress(request.to)
  await check()
  const number = await numberToSendFrom(rt, sender, request)
  const replyTo = await requireReplyTo(rt, sender.accountId, address, request.reply_to)
  return {
    number,
    address,
    replyTo,
    clientReference: request.client_reference ?? null,
    template: null,
    used: null,
  } satisfies Partial<Draft>
}

/** A message that is whole in its request, with nothing to fetch or upload, within the 24-hour window. */
export async function draftInWindow(
  rt: Runtime,
  sender: Sender,
  request: SendCommon,
  said: Pick<Draft, 'type' | 'outbound' | 'content'>,
): Promise<Draft> {
  const draft = await draftOf(rt, sender, request)
  await requireOpenWindow(rt, sender, draft)
  return { ...draft, ...said }
}

export function requireAddress(to: string): Address {
  const parsed = parseRecipient(to)
  if (parsed.ok) return { kind: parsed.kind, value: parsed.value }
  throw validationFailed([{ field: 'to', location: 'body', code: parsed.code, message: parsed.message }])
}

export function requireValid(problems: FieldProblem[]): void {
  if (problems.length > 0) throw validationFailed(problems)
}

/** The message to quote. */
async function requireReplyTo(
  rt: Runtime,
  accountId: string,
  address: Address,
  replyTo: string | null | undefined,
): Promise<string | null> {
  if (!replyTo) return null
  const quoted = await requireMessageOf(rt, accountId, address, {
    field: 'reply_to',
    id: replyTo,
    ofGroup: 'you can only reply to messages of private chats. Leave reply_to out.',
    ofOther: 'Leave reply_to out, or send to the customer who wrote or received it.',
  })
  return quoted.channel_message_id
}

type NamedMessage = { field: string; id: string; ofGroup: string; ofOther: string }

/** A message named in a request must belong to this account, channel and customer, and not to a group. */
export async function requireMessageOf(
  rt: Runtime,
  accountId: string,
  address: Address,
  { field, id, ofGroup, ofOther }: NamedMessage,
): Promise<MessageRow & { channel_message_id: string }> {
  const [row] = await rt.store.read(findMessage, { account_id: accountId, id })
  const channelId = row?.channel_message_id
  if (!row || !channelId || isErasedId(channelId))
    throw new AppError('message_not_found', `No message has the id in ${field}.`)
  if (row.group_id !== null) {
    throw invalidField(field, 'invalid_value', `This message was written in a group, and ${ofGroup}`)
  }
  if (!(await isOfCustomer(rt, row, address.value))) {
    throw invalidField(field, 'invalid_value', `This message belongs to another customer's conversation. ${ofOther}`)
  }
  return { ...row, channel_message_id: channelId }
}

async function isOfCustomer(rt: Runtime, quoted: MessageRow, address: string): Promise<boolean> {
  const own = [quoted.phone, quoted.user_id].filter((one) => one !== null)
  if (own.length === 0) return true
  const known = await customerBy(rt, quoted.account_id, address)
  if (known ? known.id === quoted.customer_id : own.includes(address)) return true
  const theirs = [address, ...(known?.addresses ?? []).map(({ shown }) => shown)]
  return theirs.some((one) => phoneForms(one).possible.some((form) => own.includes(form)))
}

export async function windowOf(
  rt: Runtime,
  number: ChannelNumber,
  address: string,
): Promise<CustomerWindow & { lastInboundAt: number | null }> {
  const inbound = await lastInbound(rt, number, address)
  const window = windowState({
    policy: rt.config.windowPolicy,
    channelKind: number.kind,
    numberConnectedAt: number.connectedAt,
    ...inbound,
    now: rt.clock.now(),
  })
  return { ...window, lastInboundAt: inbound.lastInboundAt }
}

/** A customer who has just written may still be in a stored callback. */
const callbackWaitMs = 1_000

/**
 * The window a send is judged by. Before it counts as closed, callbacks of the account that are stored and not yet
 * applied are waited for: one of them may open it.
 */
export async function windowForSend(rt: Runtime, number: ChannelNumber, address: string) {
  const isOpen = (window: CustomerWindow) => mayFreeForm(window, rt.config.windowPolicy)
  const known = await windowOf(rt, number, address)
  if (isOpen(known)) return known
  const signal = (listener: () => void) => rt.store.onCommit('messages', listener)
  const look = async () => {
    const [unapplied] = await rt.store.read(findUnappliedCallback, { account_id: number.accountId })
    const window = await windowOf(rt, number, address)
    return isOpen(window) || !unapplied ? window : null
  }
  return (await waitUntil(signal, look, callbackWaitMs)) ?? known
}

/** Anything but a template needs the customer to have written within 24 hours. */
export async function requireOpenWindow(
  rt: Runtime,
  { recalled, leavesWindow }: Sender,
  { number, address }: Pick<Draft, 'number' | 'address'>,
): Promise<void> {
  if (recalled || leavesWindow) return
  const window = await windowForSend(rt, number, address.value)
  if (!mayFreeForm(window, rt.config.windowPolicy)) throw windowClosed(number, window)
}

export function windowClosed(
  number: ChannelNumber,
  window: CustomerWindow & { lastInboundAt: number | null },
): AppError {
  const opener =
    number.kind === 'sandbox'
      ? 'Send an approved template, or let the customer write first: in the console under Sandbox, or with `postern trigger message.received --from` and their number.'
      : 'Send an approved template instead, or wait until the customer writes.'
  const since =
    window.lastInboundAt === null
      ? `The customer has not written to ${number.phoneNumber} yet`
      : `The customer's last message to ${number.phoneNumber} is older than 24 hours`
  const times =
    window.lastInboundAt === null
      ? 'No inbound message was seen.'
      : `Last inbound message: ${formatInstant(window.lastInboundAt)}. Window closed: ${formatInstant(window.expiresAt)}.`
  return new AppError('customer_window_closed', `${since}, so only templates are allowed. ${opener}`, {
    details: [{ field: 'to', location: 'body', code: 'invalid_value', message: times }],
  })
}
