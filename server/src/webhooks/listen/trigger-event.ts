import { listNumbers, type NumberRecord } from '../../channels/channel-record.ts'
import { validationFailed } from '../../contract/app-error.ts'
import { type EventType, events, wantsEvent } from '../../contract/events.ts'
import type { TriggerRequest } from '../../contract/listening.ts'
import { bodyProblem } from '../../contract/schema.ts'
import { enforced } from '../../events/publish-event.ts'
import { formatInstant } from '../../lib/instant.ts'
import { requireCheckLimit } from '../../limits/throttles.ts'
import { actAsCustomer } from '../../messages/sandbox-phone.ts'
import type { SandboxControl } from '../../platform/sandbox-control.ts'
import type { Runtime } from '../../runtime.ts'
import { Unit } from '../../store/engine/unit.ts'
import { insertEvent } from '../../store/webhooks/events.ts'
import { listListeners } from '../../store/webhooks/listeners.ts'
import { listWebhooks, type WebhookWithState } from '../../store/webhooks/webhooks.ts'
import { sampleTemplateEvent } from '../../templates/template-status.ts'
import { deliverEvent, payloadFor } from '../delivery/deliver-event.ts'
import { eventList, webhookView } from '../find-webhook.ts'

/** A stream says every 15 s that it is there; one that was silent twice has ended. */
export const silentMsMax = 30_000
const customerDefault = '+12025550100'
const textDefault = 'This is a test.'

/**
 * Makes a sample of an event happen. In the sandbox a customer really writes, and everything follows as in life. Every
 * other event is made up: it goes to listeners, and to the webhooks that ask for it unless the account has a live
 * number, whose receivers should not be told stories. What is made up is in no feed and no statistics.
 */
export async function triggerEvent(rt: Runtime, control: SandboxControl, accountId: string, request: TriggerRequest) {
  requireWording(request)
  await requireCheckLimit(rt, accountId)
  const numbers = await listNumbers(rt, accountId)
  const [webhooks, listeners] = await Promise.all([audience(rt, accountId, request.type), listening(rt, accountId)])
  const sandboxNumber = numbers.find(({ kind }) => kind === 'sandbox')
  if (request.type === 'message.received' && sandboxNumber) {
    const told = webhooks.map(({ id, url }) => ({ id, url, delivered: null, status_code: null, error_code: null }))
    const wrote = await customerWrites(rt, control, { accountId, number: sandboxNumber }, request)
    return { ...wrote, listeners: listeners.length, webhooks: told }
  }
  const live = numbers.some(({ kind }) => kind !== 'sandbox')
  await sampleToListeners(rt, listeners, webhooks[0] ?? null, request)
  return {
    type: request.type,
    method: live ? ('sample_to_listeners' as const) : ('sample' as const),
    from: null,
    to: null,
    message_id: null,
    listeners: listeners.length,
    webhooks: live ? [] : await Promise.all(webhooks.map((webhook) => sampleToWebhook(rt, webhook, request))),
  }
}

function requireWording({ type, ...wording }: TriggerRequest): void {
  if (type === 'message.received') return
  const given = Object.entries(wording).flatMap(([field, value]) => (value == null ? [] : [field]))
  if (given.length === 0) return
  const message = 'Only message.received accepts it.'
  throw validationFailed(given.map((field) => bodyProblem(field, 'mutually_exclusive', message)))
}

async function customerWrites(
  rt: Runtime,
  control: SandboxControl,
  { accountId, number }: { accountId: string; number: NumberRecord },
  { type, from, text }: TriggerRequest,
) {
  const customer = from ?? customerDefault
  const act = { kind: 'text' as const, text: text ?? textDefault }
  const phone = { accountId, numberId: number.id }
  const { message_id } = await actAsCustomer(rt, control, phone, { customer, act, field: 'from' })
  return { type, method: 'customer_wrote' as const, from: customer, to: number.phone_number, message_id }
}

/** Webhooks that would get a real event of the type now. */
async function audience(rt: Runtime, accountId: string, type: EventType): Promise<WebhookWithState[]> {
  const rows = await rt.store.read(listWebhooks, { account_id: accountId })
  return rows.filter(({ active, verification, events }) => {
    const proved = verification === 'verified' || enforced(rt) === 0
    return active === 1 && proved && wantsEvent(eventList(events), type)
  })
}

async function listening(rt: Runtime, accountId: string): Promise<string[]> {
  const rows = await rt.store.read(listListeners, { account_id: accountId, since: rt.clock.now() - silentMsMax })
  return rows.map(({ id }) => id)
}

/** Stored under the id of the listener instead of the account: only its own stream reads it, on whatever node. */
async function sampleToListeners(
  rt: Runtime,
  listeners: readonly string[],
  about: WebhookWithState | null,
  { type, ...wording }: TriggerRequest,
): Promise<void> {
  if (listeners.length === 0) return
  const unit = new Unit()
  for (const listenerId of listeners) {
    const { eventId: id, body } = buildSample(rt, type, about, wording)
    const created_at = rt.clock.now()
    const event = { id, account_id: listenerId, type, subject: null, sequence: 1, created_at, body }
    unit.add(insertEvent, { ...event, traceparent: rt.tracer.current() ?? null })
  }
  await rt.store.write(unit)
}

async function sampleToWebhook(rt: Runtime, webhook: WebhookWithState, { type, ...wording }: TriggerRequest) {
  const { eventId, body } = buildSample(rt, type, webhook, wording)
  const payload = Buffer.from(payloadFor(webhook, body, null))
  const { judgement } = await deliverEvent(rt, webhook, { eventId, type, body: payload, attempt: 1 })
  const { verdict, statusCode: status_code, errorCode: error_code } = judgement
  return { id: webhook.id, url: webhook.url, delivered: verdict === 'ok', status_code, error_code }
}

/** The requested content of a `message.received`. */
type Wording = { from?: string | null | undefined; text?: string | null | undefined }

type About = { type: EventType; at: number; webhook: WebhookWithState; wording: Wording }
type WithSample = { [T in EventType]: (typeof events)[T] extends { sample: unknown } ? T : never }[EventType]

/**
 * Events whose data is the API's view of a resource. One that has no sample in the contract does not compile without a row
 * here.
 */
const builders: Record<Exclude<EventType, WithSample>, (about: About) => Record<string, unknown>> = {
  'message.sent': sampleMessage,
  'message.delivered': sampleMessage,
  'message.read': sampleMessage,
  'message.received': sampleMessage,
  'message.failed': sampleMessage,
  'message.canceled': sampleMessage,
  'message.standby': sampleMessage,
  'message.echoed': sampleMessage,
  'template.status_changed': ({ at }) => sampleTemplateEvent(at),
  'template.quality_changed': ({ at }) => sampleTemplateEvent(at, 'quality'),
  'template.category_changed': ({ at }) => sampleTemplateEvent(at, 'category'),
  'template.category_change_announced': ({ at }) => sampleTemplateEvent(at, 'announced'),
  'webhook.failing': ({ webhook }) => webhookView(webhook),
  'webhook.disabled': ({ webhook }) => webhookView(webhook),
}

/**
 * A made-up event of its own id, in the form of a real one. Without a webhook, one about webhooks is about none of yours.
 */
export function buildSample(
  rt: Pick<Runtime, 'newId' | 'clock'>,
  type: EventType,
  webhook: WebhookWithState | null,
  wording: Wording = {},
): { eventId: string; body: string } {
  const eventId = rt.newId('evt')
  const at = rt.clock.now()
  const data = sampleData({ type, at, webhook: webhook ?? noWebhook(at), wording })
  return { eventId, body: JSON.stringify({ id: eventId, type, api_version: 'v1', timestamp: formatInstant(at), data }) }
}

function sampleData(about: About): Record<string, unknown> {
  const row = events[about.type]
  if ('sample' in row) return row.sample({ at: formatInstant(about.at), customer: customerOf(about.wording) })
  return builders[about.type as keyof typeof builders](about)
}

function customerOf({ from }: Wording): string {
  return from ?? '+12025550100'
}

function sampleMessage({ type, at, wording }: About): Record<string, unknown> {
  const inbound = type === 'message.received' || type === 'message.standby'
  const origin = type === 'message.standby' ? 'standby' : type === 'message.echoed' ? 'business_app' : null
  const [business, customer] = ['+12025550199', customerOf(wording)]
  return {
    message_id: 'sample.message',
    direction: inbound ? 'inbound' : 'outbound',
    type: 'text',
    from: inbound ? customer : business,
    to: inbound ? business : customer,
    user_id: null,
    customer_id: 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z',
    status: inbound ? 'received' : origin === null ? type.slice('message.'.length) : 'sent',
    template: null,
    language: null,
    client_reference: null,
    reply_to: null,
    group_id: null,
    error: type === 'message.failed' ? sampleFailure : null,
    inferred: false,
    sequence: 1,
    timestamp: formatInstant(at),
    ...(inbound || origin !== null ? { content: { text: wording.text ?? 'This is a test.' } } : {}),
    ...(inbound ? { contact: { name: 'Test customer' } } : {}),
    ...(origin === null ? {} : { origin }),
  }
}

const sampleFailure = {
  code: 'recipient_unreachable',
  message: 'The recipient cannot receive messages on this channel.',
  retryable: false,
  upstream: null,
}

function noWebhook(now: number): WebhookWithState {
  return {
    id: 'whk_sample',
    account_id: '',
    kind: 'events',
    url: 'https://receiver.example/hooks',
    events: ' * ',
    masked: 0,
    active: 0,
    description: null,
    max_in_flight: 16,
    max_per_second: null,
    secret: null,
    previous_secret: null,
    previous_secret_until: null,
    verification: 'verified',
    verified_at: now,
    verification_error: null,
    verification_attempts: 1,
    verification_due_at: null,
    disabled_at: now,
    disabled_reason: 'failing',
    created_at: now,
    updated_at: now,
    revision: 1,
    total_sent: 10,
    total_failed: 10,
    last_triggered: now,
    last_success: null,
    failing_since: now,
  }
}
