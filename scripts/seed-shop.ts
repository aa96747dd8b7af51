import { countCreated, countReceived, countStatus } from '../server/src/analytics/count-message.ts'
import { foldSteps } from '../server/src/analytics/fold-steps.ts'
import { operator } from '../server/src/audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../server/src/channels/require-number.ts'
import { importRates } from '../server/src/costs/rate-cards.ts'
import { changeAccount } from '../server/src/installation/account.ts'
import { dayMs } from '../server/src/lib/durations.ts'
import { type HistoryEntry, messageFacts, sentFacts, storedHistory } from '../server/src/messages/message-record.ts'
import type { Runtime } from '../server/src/runtime.ts'
import type { ApiKeyRow } from '../server/src/store/accounts/api-keys.ts'
import { addKeyCalls } from '../server/src/store/accounts/api-keys.ts'
import { saveQuota } from '../server/src/store/accounts/quotas.ts'
import { noteChannelHealth } from '../server/src/store/channels/channels.ts'
import { connectedNumbers } from '../server/src/store/channels/numbers.ts'
import { Unit } from '../server/src/store/engine/unit.ts'
import { insertMessage, type MessageRow, newMessage } from '../server/src/store/messages/messages.ts'
import { findTemplatesByName, noteUse } from '../server/src/store/templates/templates.ts'
import { seedConsole, seededUsage } from '../test/support/console/console-seed.ts'

const days = 30

/** A month of a small shop on its sandbox number, the same every time: what the pictures of the console show. */
export async function seedShop(rt: Runtime, accountId: string, ownerId: string): Promise<void> {
  await changeAccount(rt, accountId, { plan: 'starter' }, operator)
  const { keys } = await seedConsole(rt, accountId, ownerId)
  await matchQuota(rt, accountId)
  const number = await requireNumber(rt, accountId)
  const draw = randomFrom(20_261_115)
  const now = rt.clock.now()
  for (let day = days; day >= 0; day--) {
    const unit = new Unit()
    const isWeekend = [0, 6].includes(new Date(now - day * dayMs).getUTCDay())
    const count = Math.round((isWeekend ? 70 : 170) + draw() * 80)
    for (let nth = 0; nth < count; nth++) {
      const createdAt = now - day * dayMs - Math.round(draw() * 11 * 3_600_000) - 60_000
      addMessage(rt, unit, { accountId, numberId: number.id, createdAt, draw })
    }
    await rt.store.write(unit)
  }
  await foldSteps(rt)
  await seedRates(rt, accountId, number.credentials)
  await seedUse(rt, accountId, keys)
}

/** Invented rates, in the currency of the sandbox. India has none, so that the pictures show that too. */
async function seedRates(rt: Runtime, accountId: string, credentials: ChannelNumber['credentials']): Promise<void> {
  const [first] = (await rt.store.read(connectedNumbers, { account_id: accountId })) ?? []
  const { currency, timeZone } = await rt.platform.wabaHealth(credentials)
  const unit = new Unit()
  unit.add(noteChannelHealth, {
    id: first?.channel_id ?? '',
    revision: first?.channel_revision ?? 0,
    status: null,
    name: null,
    business_verified: null,
    marketing_messages: null,
    currency,
    time_zone: timeZone,
    token_known: 0,
    token_expires_at: null,
    now: rt.clock.now(),
  })
  await rt.store.write(unit)
  const rows = ['Brazil', 'Germany', 'Rest of Western Europe', 'North America', 'Spain', 'United Kingdom'].map(
    (market, index) => `${market},${currency},0.0${index + 4}10,0.01${index}5,0.01${index}5,0`,
  )
  const text = ['Market,Currency,Marketing,Utility,Authentication,Service', ...rows].join('\n')
  const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }
  for (const from of ['2026-01-01', '2026-07-01']) {
    await importRates(rt, accountId, { name: `rates-${from}.csv`, from, text }, author)
  }
}

/** The meter shows what the bars of this hour and of today show. */
async function matchQuota(rt: Runtime, accountId: string): Promise<void> {
  const now = rt.clock.now()
  const dayStart = now - (now % dayMs)
  const hourStart = now - (now % 3_600_000)
  const sumSince = (start: number) =>
    seededUsage(accountId, now).reduce((sum, { hour_start, used }) => sum + (hour_start >= start ? used : 0), 0)
  const unit = new Unit()
  unit.add(saveQuota, {
    account_id: accountId,
    hour_start: hourStart,
    hour_used: sumSince(hourStart),
    day_start: dayStart,
    day_used: sumSince(dayStart),
  })
  await rt.store.write(unit)
}

/** The keys were called and the templates sent, as the messages say. */
async function seedUse(rt: Runtime, accountId: string, keys: readonly ApiKeyRow[]): Promise<void> {
  const now = rt.clock.now()
  const unit = new Unit()
  const calls: Record<string, number> = { 'Checkout service': 1_204, Warehouse: 86 }
  for (const { id, name } of keys) {
    const row = { account_id: accountId, key_id: id, hour_start: now - (now % 3_600_000) }
    if (calls[name]) unit.add(addKeyCalls, { ...row, calls: calls[name] })
  }
  for (const [nth, name] of templates.entries()) {
    const named = await rt.store.read(findTemplatesByName, { account_id: accountId, channel_id: '', name })
    const used = named.find(({ language }) => language === 'en_US')
    if (used) unit.add(noteUse, { id: used.id, at: now - (nth * 23 + 6) * 60_000 })
  }
  await rt.store.write(unit)
}

type Place = { accountId: string; numberId: string; createdAt: number; draw: () => number }

const templates = ['order_confirmation', 'shipping_update', 'appointment_reminder', 'payment_received']
const countries: [prefix: string, country: string][] = [
  ['+351', 'PT'],
  ['+49', 'DE'],
  ['+1202', 'US'],
  ['+34', 'ES'],
]

function addMessage(rt: Runtime, unit: Unit, { accountId, numberId, createdAt, draw }: Place): void {
  const [prefix, country] = countries[Math.floor(draw() ** 2 * countries.length)] ?? ['+351', 'PT']
  const isInbound = draw() < 0.16
  const template = isInbound || draw() < 0.2 ? null : (templates[Math.floor(draw() ** 1.6 * 4)] ?? null)
  const fate = isInbound ? 'received' : draw() < 0.035 ? 'failed' : draw() < 0.08 ? 'delivered' : 'read'
  const reached = { sent: createdAt + 300, delivered: createdAt + 1_200 + draw() * 4_000, read: createdAt + 60_000 }
  const row = newMessage({
    event_sequence: 3,
    id: rt.newId(isInbound ? 'in' : 'out'),
    account_id: accountId,
    number_id: numberId,
    direction: isInbound ? 'inbound' : 'outbound',
    type: template ? 'template' : 'text',
    status: fate,
    channel_message_id: `wamid.${Buffer.from(`${createdAt}${draw()}`).toString('base64url')}`,
    phone: `${prefix}${String(Math.floor(draw() * 1e9)).padStart(9, '9')}`.slice(0, 13),
    template,
    language: template ? 'en_US' : null,
    category: template ? 'utility' : null,
    country,
    content: JSON.stringify({ text: isInbound ? 'Thank you, that was quick.' : 'Your order is on its way.' }),
    client_reference: template ? `order-A-${1_000 + Math.floor(draw() * 9_000)}` : null,
    error: fate === 'failed' ? JSON.stringify(unreachable) : null,
    history: storedHistory([stepOf('queued', createdAt), stepOf(fate, createdAt + 2_000)]),
    created_at: createdAt,
    sent_at: isInbound ? null : reached.sent,
    delivered_at: fate === 'delivered' || fate === 'read' ? Math.round(reached.delivered) : null,
    read_at: fate === 'read' ? reached.read : null,
    failed_at: fate === 'failed' ? reached.sent + 500 : null,
  })
  unit.add(insertMessage, row)
  if (isInbound) countReceived(unit, messageFacts(row))
  else countOutbound(rt, unit, row)
}

function countOutbound(rt: Runtime, unit: Unit, row: MessageRow): void {
  const facts = messageFacts(row)
  countCreated(unit, facts)
  countStatus(unit, sentFacts(rt, row), 'sent')
  if (row.failed_at !== null) countStatus(unit, facts, 'failed', { errorCode: unreachable.code })
  if (row.delivered_at === null) return
  const latencyMs = row.delivered_at - (row.sent_at ?? row.created_at)
  countStatus(unit, facts, 'delivered', {
    latencyMs,
    price: {
      key: row.category === null ? 'service/free_customer_service' : `${row.category}/regular`,
      day: Math.floor(row.delivered_at / 86_400_000) * 86_400_000,
    },
  })
  if (row.read_at !== null) countStatus(unit, facts, 'read')
}

const unreachable = {
  code: 'recipient_unreachable',
  message: 'Meta accepted the message and could not deliver it.',
  retryable: false,
  upstream: null,
}

function stepOf(status: string, at: number): HistoryEntry {
  return { status, at, recordedAt: at, source: status === 'queued' ? 'gateway' : 'channel', inferred: false }
}

/** Small and deterministic: the pictures must not change by themselves. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
