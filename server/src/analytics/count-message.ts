import { hkdfSync } from 'node:crypto'
import { createShortMac, type ShortMac } from '../lib/secrets.ts'
import type { Recipients } from '../runtime.ts'
import { insertStep } from '../store/analytics/analytics.ts'
import type { Unit } from '../store/engine/unit.ts'
import { latencyBucketOf } from './latency-histogram.ts'
import { quarterHourOf } from './time-buckets.ts'

/** The dimensions of a message. All are known at creation and never change. */
export type MessageFacts = {
  accountId: string
  /** The bucket of every later step too: delivered and read are counted where the message began. */
  createdAt: number
  direction: 'outbound' | 'inbound'
  type: string
  template: string | null
  /** Of the template. */
  language: string | null
  category: string | null
  country: string | null
  /** The `pn_` id of our number. */
  phoneNumber: string
  apiKeyId: string | null
  broadcastId?: string | null
  /** From `rt.recipients.hash`; without it the message counts for no recipient. */
  recipient?: string | null
}

type CountedStep = 'sent' | 'delivered' | 'read' | 'failed'
export type StepDetails = {
  /** The message itself is counted with this step: it is no longer under way, and was not counted before. */
  created?: boolean
  /** With `delivered`: from sent to delivered. */
  latencyMs?: number | null
  /** With `failed`: a code of the error table. */
  errorCode?: string | null
  /** With the step that told it. */
  price?: Price | null
}

/** The pricing of a message, from `priceKey`, and its calendar day in the time zone of the WABA. */
export type Price = { key: string; day: number }

/** A message was handed in, and what became of it is not known. */
export function countCreated(unit: Unit, facts: MessageFacts): void {
  addStep(unit, facts, 'created', { created: true })
}

/** Call once for every step a message newly reached, inferred ones too, in the unit that stores the step. */
export function countStatus(unit: Unit, facts: MessageFacts, step: CountedStep, details: StepDetails = {}): void {
  addStep(unit, facts, step, details)
}

/** A delivery proved a failure wrong: reverts what `failed` counted, with the same code. */
export function uncountFailed(unit: Unit, facts: MessageFacts, errorCode: string | null): void {
  addStep(unit, facts, 'failed', { errorCode, amount: -1 })
}

/** What the message is charged as became known by itself, with a late report of a step that is counted already. */
export function countPrice(unit: Unit, facts: MessageFacts, price: Price): void {
  addStep(unit, facts, 'priced', { price })
}

export function countReceived(unit: Unit, facts: MessageFacts): void {
  addStep(unit, facts, 'received', {})
}

/**
 * A customer quoted the message, or tapped on one of its buttons: counted with the message, not with what the customer
 * wrote.
 */
export function countAnswer(unit: Unit, facts: MessageFacts, step: 'replies' | 'taps'): void {
  addStep(unit, facts, step, {})
}

type Step = CountedStep | 'created' | 'received' | 'priced' | 'replies' | 'taps'

function addStep(unit: Unit, facts: MessageFacts, step: Step, details: StepDetails & { amount?: -1 }): void {
  const { created = false, latencyMs, errorCode, price, amount = 1 } = details
  unit.add(insertStep, {
    account_id: facts.accountId,
    quarter: quarterHourOf(facts.createdAt),
    direction: facts.direction,
    type: facts.type,
    template: facts.template ?? '',
    language: facts.language ?? '',
    category: facts.category ?? '',
    country: facts.country ?? '',
    phone_number: facts.phoneNumber,
    api_key: facts.apiKeyId ?? '',
    step,
    amount,
    created: created ? 1 : 0,
    error_code: step === 'failed' ? (errorCode ?? 'channel_rejected') : '',
    latency_bucket: step === 'delivered' && latencyMs != null ? latencyBucketOf(latencyMs / 1_000) : null,
    pricing: price?.key ?? null,
    price_day: price?.day ?? null,
    recipient: step === 'sent' ? (facts.recipient ?? null) : null,
    broadcast_id: facts.broadcastId ?? '',
  })
}

/** The key comes from the pepper and not from the master key: a person keeps their hash when that is rotated. */
export function createRecipients(pepper: () => Promise<Buffer>): Recipients {
  let mac: ShortMac | null = null
  return {
    async loadKey() {
      mac = createShortMac(Buffer.from(hkdfSync('sha256', await pepper(), 'postern', 'recipient', 32)))
    },
    hash(accountId, address) {
      if (!mac) throw new Error('The key that recipients are hashed with has not been loaded.')
      return Buffer.from(mac('binary', `${accountId}\n${address}`).slice(0, 16), 'latin1').toString('base64url')
    },
  }
}
