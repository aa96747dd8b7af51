import type { Runtime } from '../../../server/src/runtime.ts'
import { insertRequests } from '../../../server/src/store/accounts/request-log.ts'
import { Unit } from '../../../server/src/store/engine/unit.ts'
import { noteInbound } from '../../../server/src/store/messages/contacts.ts'
import { noteArrived } from '../../../server/src/store/messages/conversations.ts'
import { addAddress, insertCustomer, touchCustomer } from '../../../server/src/store/messages/customers.ts'
import { insertMessage, type NewMessage, newMessage } from '../../../server/src/store/messages/messages.ts'
import { insertTemplate, type TemplateRow, templateColumns } from '../../../server/src/store/templates/templates.ts'
import {
  insertWebhook,
  insertWebhookState,
  type WebhookRow,
  webhookColumns,
} from '../../../server/src/store/webhooks/webhooks.ts'
import { idAt } from '../id-at.ts'
import { seedNumber } from './message-seed.ts'

/** Names as they come: long, without a place to break, from right to left, and with what turns a page around. */
export const names = [
  'Ana Sousa',
  'W'.repeat(200),
  'Maria-Fernanda Vasconcelos de Albuquerque e Castro, third of her name, of the shop at the corner',
  'מרים כהן־לוי (חנות הפרחים) '.repeat(4),
  'Mallory\u202Emoc.live',
]
const texts = ['Is it on its way?', 'שלום, מתי ההזמנה מגיעה? 12:30', `https://acme.example/${'x'.repeat(300)}`, 'ok']

const messagesInAll = 10_000
const customersInAll = 200

/** A busy account: 10,000 messages, 200 customers, 300 templates and 20 webhooks, written straight into the store. */
export async function seedSizes(rt: Runtime, accountId: string): Promise<void> {
  const now = rt.clock.now()
  const { numberId, channelId } = await seedNumber(rt, accountId, 'connected')
  const phoneOf = (index: number) => `+35191${String(index % customersInAll).padStart(7, '0')}`
  const nameOf = (index: number) => names[(index % customersInAll) % names.length] ?? ''
  const message = (index: number): NewMessage =>
    newMessage({
      id: rt.newId('in'),
      account_id: accountId,
      number_id: numberId,
      direction: 'inbound',
      type: 'text',
      status: 'received',
      history: '[]',
      customer_id: idOf(index),
      phone: phoneOf(index),
      customer_name: nameOf(index),
      client_reference: index % 3 === 0 ? `order-${'9'.repeat(80)}` : null,
      content: JSON.stringify({ text: texts[index % texts.length] }),
      created_at: now - index * 1_000,
    })
  const idOf = (index: number) => `cus_${index % customersInAll}`
  const contact = (index: number) => ({
    ...{ number_id: numberId, customer_id: idOf(index), account_id: accountId },
    last_inbound_at: now - index * 1_000,
  })
  const conversation = (index: number) => ({
    ...{ number_id: numberId, customer_id: idOf(index), account_id: accountId },
    ...{ at: now - index * 1_000, active_at: now - index * 1_000, unread: index % 4 },
  })
  const customer = (index: number) => ({ id: idOf(index), account_id: accountId, active_at: now, created_at: now })
  const address = (index: number) => ({
    ...{ account_id: accountId, address: phoneOf(index), shown: phoneOf(index), customer_id: idOf(index) },
    ...{ channel_id: null, linked_at: now, replaced_at: null },
  })
  const unit = new Unit()
  unit.add(insertMessage, ...list(messagesInAll, message))
  unit.add(insertCustomer, ...list(customersInAll, customer))
  unit.add(addAddress, ...list(customersInAll, address))
  unit.add(
    touchCustomer,
    ...list(customersInAll, (index) => ({ id: idOf(index), name: nameOf(index), at: now, revision: 1 })),
  )
  unit.add(noteInbound, ...list(customersInAll, contact))
  unit.add(noteArrived, ...list(customersInAll, conversation))
  unit.add(insertTemplate, ...list(300, (index) => template(index, { accountId, channelId, now })))
  const webhooks = list(20, (index) => webhook(index, accountId, now))
  unit.add(insertWebhook, ...webhooks)
  unit.add(insertWebhookState, ...webhooks.map(({ id }) => ({ webhook_id: id })))
  await rt.store.write(unit)
}

/** The newest has the index 0. */
export function refusedAt(now: number, index: number): number {
  return now - 1_000 - index * 480
}

/** Refused sends, two a second: the log of requests shows them, and that of messages as "not sent". */
export async function seedRefusals(rt: Runtime, accountId: string, count: number): Promise<void> {
  const unit = new Unit()
  const refusal = {
    ...{ account_id: accountId, key_id: 'key_1', method: 'POST', route: '/v1/chat/messages/send', status: 400 },
    ...{ code: 'customer_window_closed', duration_ms: 9, body: null, path: null, answer: null },
  }
  const row = (index: number) => {
    const at = refusedAt(rt.clock.now(), index)
    return { ...refusal, id: idAt('req', at), at }
  }
  unit.add(insertRequests, ...list(count, row))
  await rt.store.write(unit)
}

function list<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function blank(columns: Readonly<Record<string, string>>): Record<string, null> {
  return Object.fromEntries(Object.keys(columns).map((name) => [name, null]))
}

type Owner = { accountId: string; channelId: string; now: number }

function template(index: number, { accountId, channelId, now }: Owner): TemplateRow {
  const name = `${index % 7 === 0 ? 'a'.repeat(480) : 'order_update'}_${index}`
  return {
    ...(blank(templateColumns) as unknown as TemplateRow),
    ...{ id: `tpl_${String(index).padStart(26, '0')}`, account_id: accountId, channel_id: channelId, name },
    ...{ channel_kind: 'cloud', language: 'en_US', category: 'utility', parameter_format: 'positional' },
    ...{ components: JSON.stringify([{ type: 'body', text: texts[index % texts.length] }]), variables: '[]' },
    ...{ search_text: name, status: 'approved', source: 'platform', version: 1, change_count: 0, revision: 1 },
    ...{ created_at: now, updated_at: now },
  }
}

function webhook(index: number, accountId: string, now: number): WebhookRow {
  return {
    ...(blank(webhookColumns) as unknown as WebhookRow),
    ...{
      id: `whk_${String(index).padStart(26, '0')}`,
      account_id: accountId,
      kind: 'events',
      events: ' * ',
      active: 1,
    },
    ...{
      masked: 0,
      url: `https://hooks.acme.test/${'a'.repeat(174)}${String(index).padStart(2, '0')}`,
      max_in_flight: 16,
    },
    ...{ description: names[index % names.length] ?? '', verification: 'verified', verified_at: now },
    ...{ verification_attempts: 1, created_at: now, updated_at: now, revision: 1 },
  }
}
