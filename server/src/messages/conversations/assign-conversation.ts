import { type Author, writeAudited } from '../../audit/audit.ts'
import { AppError, validationFailed } from '../../contract/app-error.ts'
import type { EventData, EventType } from '../../contract/events.ts'
import { bodyProblem } from '../../contract/schema.ts'
import { publishEvent } from '../../events/publish-event.ts'
import { formatInstant } from '../../lib/instant.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import type { Unit } from '../../store/engine/unit.ts'
import {
  assignConversation,
  closeConversation,
  ensureConversation,
  reopenConversation,
} from '../../store/messages/conversations.ts'
import { findAddressesOf } from '../../store/messages/customers.ts'
import { kindOf } from '../customers/identity.ts'
import { readNumbers } from '../number-facts.ts'
import { type Assignee, assigneeOf, type Line, listAssignees, memberNames } from './conversation-line.ts'
import { getConversationState, type InboxReader, personOf, requireLine } from './list-conversations.ts'

const triesMax = 5

type Wanted = { customerId: string; assignee: string | null; if_assignee?: string | null }

/** Gives a conversation to a person, or to nobody: with `if_assignee` only while it has the one who was seen. */
export async function assign(rt: Runtime, reader: InboxReader, wanted: Wanted, author: Author) {
  const { accountId } = reader
  const assignee = await requireAssignee(rt, reader, wanted.assignee)
  const expected = wanted.if_assignee === undefined ? undefined : readExpected(reader, wanted.if_assignee)
  for (let tries = 1; ; tries++) {
    const line = await requireLine(rt, reader, wanted.customerId)
    const names = await memberNames(rt, accountId, [line.assignee_id])
    const previous = assigneeOf(names, line.assignee_id)
    if (expected !== undefined && expected !== (previous?.user_id ?? null)) throw assignedElsewhere(previous)
    if ((assignee?.user_id ?? null) === line.assignee_id) return getConversationState(rt, reader, line.customer_id)
    const metadata = { assignee: assignee?.name ?? null, previous_assignee: previous?.name ?? null }
    const change = { customer_id: line.customer_id, account_id: accountId, now: rt.clock.now() }
    const data = await customerData(rt, accountId, line)
    try {
      await writeAudited(
        rt,
        entryAbout(line, { accountId, author, action: 'conversation.assigned', metadata }),
        (unit) => {
          unit.add(ensureConversation, change)
          const ids = { assignee_id: assignee?.user_id ?? null, previous_id: line.assignee_id }
          unit.add(assignConversation, { ...change, ...ids })
          publish(rt, unit, accountId, 'conversation.assigned', { ...data, assignee, previous_assignee: previous })
        },
      )
      return await getConversationState(rt, reader, line.customer_id)
    } catch (error) {
      // Someone was faster, or the customer was found to be another one: decided again, on what is so now.
      if (!(error instanceof ConditionFailed) || tries >= triesMax) throw error
    }
  }
}

function readExpected(reader: InboxReader, given: string | null): string | null {
  return given === null ? null : personOf(reader, given, 'body')
}

async function requireAssignee(rt: Runtime, reader: InboxReader, given: string | null): Promise<Assignee | null> {
  if (given === null) return null
  const id = personOf(reader, given, 'body')
  const found = (await listAssignees(rt, reader.accountId)).find(({ user_id }) => user_id === id)
  if (found) return found
  const message = 'Nobody who can reply to customers has this id. GET /v1/chat/assignees lists them.'
  throw validationFailed([bodyProblem('assignee', 'invalid_value', message)])
}

function assignedElsewhere(assignee: Assignee | null): AppError {
  const who = assignee ? `The conversation is assigned to ${assignee.name} now.` : 'Nobody has the conversation now.'
  return new AppError('conversation_assigned_elsewhere', who)
}

/** Nothing is left to do for the customer until they write again. Safe to repeat. */
export async function close(rt: Runtime, reader: InboxReader, customerId: string, author: Author) {
  const line = await requireLine(rt, reader, customerId)
  if (line.state === 'closed') return getConversationState(rt, reader, line.customer_id)
  const { accountId } = reader
  const names = await memberNames(rt, accountId, [line.assignee_id])
  const data = await customerData(rt, accountId, line)
  await unlessDone(
    writeAudited(rt, entryAbout(line, { accountId, author, action: 'conversation.closed' }), (unit) => {
      const change = { customer_id: line.customer_id, account_id: accountId, now: rt.clock.now() }
      unit.add(ensureConversation, change)
      unit.add(closeConversation, change)
      publish(rt, unit, accountId, 'conversation.closed', { ...data, assignee: assigneeOf(names, line.assignee_id) })
    }),
  )
  return getConversationState(rt, reader, line.customer_id)
}

export async function reopen(rt: Runtime, reader: InboxReader, customerId: string, author: Author) {
  const line = await requireLine(rt, reader, customerId)
  if (line.state === 'open') return getConversationState(rt, reader, line.customer_id)
  const { accountId } = reader
  await unlessDone(
    writeAudited(rt, entryAbout(line, { accountId, author, action: 'conversation.reopened' }), (unit) => {
      unit.add(reopenConversation, { customer_id: line.customer_id, account_id: accountId, now: rt.clock.now() })
    }),
  )
  return getConversationState(rt, reader, line.customer_id)
}

/** Someone else did the same at the same moment. */
async function unlessDone(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}

type Entry = { accountId: string; author: Author; action: string; metadata?: Record<string, unknown> }

function entryAbout({ customer_id: id, address }: Line, { author, ...entry }: Entry) {
  return { ...entry, ...author, targets: [{ type: 'customer', id, name: address === null ? id : maskPhone(address) }] }
}

async function customerData(rt: Runtime, accountId: string, { customer_id, number_id }: Line) {
  const [addresses, numbers] = await Promise.all([
    rt.store.read(findAddressesOf, { account_id: accountId, customer_ids: [customer_id] }),
    readNumbers(rt, accountId),
  ])
  const current = addresses.filter(({ replaced_at }) => replaced_at === null).map(({ shown }) => shown)
  return {
    customer_id,
    customer: current.find((one) => kindOf(one) === 'phone') ?? null,
    user_id: current.find((one) => kindOf(one) === 'user') ?? null,
    phone_number: (number_id === null ? null : numbers.get(number_id)?.phoneNumber) ?? null,
    timestamp: formatInstant(rt.clock.now()),
  }
}

type ConversationEvent = Extract<EventType, 'conversation.assigned' | 'conversation.closed'>

function publish<Type extends ConversationEvent>(
  rt: Runtime,
  unit: Unit,
  accountId: string,
  type: Type,
  data: EventData<Type> & { customer_id: string },
): void {
  publishEvent(rt, unit, { accountId, type, subject: data.customer_id, sequence: 1, data })
}
