import type { Static } from 'typebox'
import { Agent } from 'undici'
import { AppError } from '../contract/app-error.ts'
import type { CustomerAct as CustomerActSchema } from '../contract/console/sandbox.ts'
import { type ExchangeAnswer, ExchangeFailure, exchange } from './cloud/http-exchange.ts'
import { parseObject, textOf } from './cloud/lenient-json.ts'

/** The credentials of a new sandbox number: everything needed to connect it. */
export type SandboxNumber = {
  phoneNumberId: string
  phoneNumber: string
  wabaId: string
  accessToken: string
  appSecret: string
  appId: string
  graphVersion: string
}

const timeoutMs = 10_000
const answerBytesMax = 1_048_576

/**
 * `POST /_sandbox/numbers` of a sandbox on this machine: its control API has no token and answers on loopback only. The
 * number has passed the reviews that a real one waits for.
 */
export async function openSandboxNumber(sandboxUrl: string, wanted: { name: string }): Promise<SandboxNumber> {
  const { status, body } = await ask(sandboxUrl, 'POST', '/numbers', { ...wanted, approved: true })
  const field = (name: string): string => {
    const value = textOf(body[name])
    if (value === null) throw new Error(`The sandbox gave a number without ${name} (status ${status}).`)
    return value
  }
  return {
    phoneNumberId: field('phone_number_id'),
    phoneNumber: field('phone_number'),
    wabaId: field('waba_id'),
    accessToken: field('access_token'),
    appSecret: field('app_secret'),
    appId: field('app_id'),
    graphVersion: field('graph_version'),
  }
}

/** A number of a sandbox, as its control API knows it. */
export type SandboxPlace = { url: string; phoneNumberId: string }
type SandboxCustomer = { phone: string; name: string | null }

/** The behavior of the next message; `read` is the default. */
type NextFate = 'read' | 'delivered' | 'sent' | 'unreachable' | 'fails_after_sent' | 'rate_limited' | 'no_answer'
export type SandboxBehaviour = { next: NextFate; delayMs: number; readReceipts: boolean }

/** The phone of the console plays on these; what they say of the platform stays in this file. */
export const sandboxControl = {
  async customers({ url, phoneNumberId }: SandboxPlace): Promise<SandboxCustomer[]> {
    const { body } = await ask(url, 'GET', `/customers?phone_number_id=${phoneNumberId}`)
    const rows = Array.isArray(body.data) ? (body.data as { phone_number?: unknown; name?: unknown }[]) : []
    return rows.flatMap(({ phone_number, name }) => {
      const phone = textOf(phone_number)
      return phone === null ? [] : [{ phone, name: textOf(name) }]
    })
  },

  async setCustomer(
    { url, phoneNumberId }: SandboxPlace,
    { phone, name, window }: { phone: string; name?: string; window?: 'open' | 'closed' },
  ): Promise<void> {
    const change = { ...(name ? { name } : {}), ...(window ? { window } : {}) }
    await ask(url, 'POST', '/customers', { phone_number_id: phoneNumberId, phone_number: phone, ...change })
  },

  async act({ url, phoneNumberId }: SandboxPlace, from: string, act: CustomerAct): Promise<{ messageId: string }> {
    const { body } = await ask(url, 'POST', '/inbound', { to: phoneNumberId, from, ...inboundOf(act, from) })
    return { messageId: textOf(body.message_id) ?? '' }
  },

  async behaviour({ url, phoneNumberId }: SandboxPlace): Promise<SandboxBehaviour> {
    const { body } = await ask(url, 'GET', '/scenario')
    const rules = (Array.isArray(body.rules) ? body.rules : []) as SandboxRule[]
    const next = rules.find(({ id }) => id === ruleId('next', phoneNumberId))
    const always = rules.find(({ id }) => id === ruleId('always', phoneNumberId))
    const fate = Object.entries(fates).find(([, effects]) => next && includes(next.do, effects))?.[0]
    return {
      next: (fate ?? 'read') as NextFate,
      delayMs: always?.do.delays?.sent_ms ?? 0,
      readReceipts: always?.do.never_read !== true,
    }
  },

  /** The first rule that fits acts alone, so the one for the next message carries the lasting ones with it. */
  async setBehaviour({ url, phoneNumberId }: SandboxPlace, wanted: SandboxBehaviour): Promise<void> {
    const { next, delayMs, readReceipts } = wanted
    const always = {
      ...(delayMs > 0 ? { delays: delaysOf(delayMs) } : {}),
      ...(readReceipts ? {} : { never_read: true }),
    }
    for (const kind of ['next', 'always'] as const) await ask(url, 'DELETE', `/rules/${ruleId(kind, phoneNumberId)}`)
    const when = { endpoint: 'messages', phone_number_id: phoneNumberId }
    if (next !== 'read') {
      const rule = { id: ruleId('next', phoneNumberId), when, count: 1, do: { ...always, ...fates[next] } }
      await ask(url, 'POST', '/rules', rule)
    }
    if (Object.keys(always).length > 0) {
      await ask(url, 'POST', '/rules', { id: ruleId('always', phoneNumberId), when, do: always })
    }
  },
}

export type SandboxControl = typeof sandboxControl

type Effects = {
  never_read?: boolean
  never_delivered?: boolean
  fail?: number
  fail_after_sent?: number
  error?: { code: number }
  hang?: boolean
  delays?: { sent_ms?: number; delivered_ms?: number; read_ms?: number }
}
type SandboxRule = { id?: string; do: Effects }

const fates: Record<Exclude<NextFate, 'read'>, Effects> = {
  sent: { never_delivered: true },
  unreachable: { fail: 131026 },
  fails_after_sent: { fail_after_sent: 131049 },
  rate_limited: { error: { code: 130429 } },
  no_answer: { hang: true },
  // Last, because a phone without read receipts has this effect beside every other.
  delivered: { never_read: true },
}

function includes(effects: Effects, part: Effects): boolean {
  return Object.entries(part).every(
    ([name, value]) => JSON.stringify(effects[name as keyof Effects]) === JSON.stringify(value),
  )
}

function ruleId(kind: 'next' | 'always', phoneNumberId: string): string {
  return `phone-${kind}-${phoneNumberId}`
}

function delaysOf(ms: number): Effects['delays'] {
  return { sent_ms: ms, delivered_ms: ms * 2, read_ms: ms * 3 }
}

async function ask(
  sandboxUrl: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  content?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const answer = await callSandbox(sandboxUrl, method, path, content)
    const body = parseObject(answer.text) ?? {}
    if (answer.status >= 400)
      throw new AppError(
        'channel_rejected',
        `The sandbox rejected the request: ${textOf(body.error) ?? 'no reason given'}.`,
      )
    return { status: answer.status, body }
  } catch (error) {
    if (!(error instanceof ExchangeFailure)) throw error
    throw new AppError('upstream_unavailable', 'The sandbox does not respond. It runs next to the gateway.', {
      retryAfterSeconds: 2,
      cause: error,
    })
  }
}

/** One call of the control API of a sandbox, whatever its answer is. */
export async function callSandbox(
  sandboxUrl: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  content?: unknown,
): Promise<ExchangeAnswer> {
  const dispatcher = new Agent()
  try {
    const { origin, pathname, search } = new URL(`/_sandbox${path}`, sandboxUrl)
    return await exchange(dispatcher, {
      origin,
      path: pathname + search,
      method,
      headers: content === undefined ? {} : { 'content-type': 'application/json' },
      body: content === undefined ? null : JSON.stringify(content),
      timeoutMs,
      bytesMax: answerBytesMax,
    })
  } finally {
    await dispatcher.destroy()
  }
}

/** A customer's action on the phone. A tap names the message of its button or row. */
export type CustomerAct = Static<typeof CustomerActSchema>

/** The same in the words of the sandbox's control API. */
function inboundOf(act: CustomerAct, from: string): Record<string, unknown> {
  switch (act.kind) {
    case 'text':
      return { text: act.text }
    case 'button':
      return { type: 'interactive', button_reply: { id: act.id, title: act.title }, context: act.message_id }
    case 'list':
      return { type: 'interactive', list_reply: { id: act.id, title: act.title }, context: act.message_id }
    case 'quick_reply':
      return { type: 'button', button: { payload: act.payload, text: act.title }, context: act.message_id }
    case 'media': {
      const { kind: _, type, ...given } = act
      return { type, media: Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) }
    }
    case 'location':
      return {
        type: 'location',
        location: { latitude: act.latitude, longitude: act.longitude },
        context: act.message_id,
      }
    case 'form': {
      const nfm_reply = { name: act.name, body: 'Sent', response_json: JSON.stringify(act.answers) }
      return { type: 'interactive', nfm_reply, context: act.message_id }
    }
    case 'order': {
      const product_items = act.product_ids.map((id) => ({ product_retailer_id: id, ...samplePrice }))
      return { type: 'order', order: { catalog_id: act.catalog_id, product_items }, context: act.message_id }
    }
    case 'call_permission':
      return { type: 'interactive', call_permission_reply: permissionReply(act.granted), context: act.message_id }
    case 'contact_info': {
      const phones = [{ phone: from, wa_id: from.replace(/^\+/, ''), type: 'CELL' }]
      return { type: 'contacts', contacts: [{ origin: 'contact_request', phones }], context: act.message_id }
    }
    case 'payment_method':
      return {
        type: 'interactive',
        payment_method: { ...sampleCard, reference_id: act.reference_id },
        context: act.message_id,
      }
  }
}

const sampleCard = { payment_method: 'offsite_card_pay', last_four_digits: '4242', credential_id: 'sample-card' }

/** The catalog is at Meta, and its prices with it. */
const samplePrice = { quantity: 1, item_price: 10, currency: 'USD' }

function permissionReply(granted: boolean): Record<string, unknown> {
  const response = granted ? 'accept' : 'reject'
  return { response, is_permanent: granted, response_source: 'user_action' }
}
