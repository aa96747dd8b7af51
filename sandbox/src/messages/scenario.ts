import { isRecord, type Json } from '../http/json.ts'

/** How the platform behaves. The same shape in a file, in `PUT /_sandbox/scenario` and in `startSandbox`. */
export type Scenario = {
  /** Starts the generator behind every probability. */
  seed?: number
  /** When each status is reported, counted from acceptance. */
  delays?: { sent_ms?: number; delivered_ms?: number; read_ms?: number }
  review_delay_ms?: number
  /** The platform's limits, in force unless `false`. An object changes single ones. */
  throttle?: boolean | Throttle
  /** Test mode for every number: any other recipient is refused with 131030. */
  allow_list?: string[] | null
  /** Marketing templates to numbers of +1 end in 131049, as they do on the real platform. */
  us_marketing_paused?: boolean
  /** How a message outside the window fails with 131047: in the answer, or by a status after it was accepted (default). */
  closed_window?: 'answer' | 'status'
  /** A second template with the body and footer of another is refused at creation. */
  refuse_same_words?: boolean
  callbacks?: CallbackBehaviour
  rules?: Rule[]
}

export type Throttle = {
  per_second?: number
  pair_burst?: number
  pair_interval_ms?: number
  /** Customers per 24 hours outside their window; by default what the tier of the portfolio allows. */
  portfolio?: number
  management_per_hour?: number | null
}

export type CallbackBehaviour = {
  /** How long updates gather before a request leaves. */
  flush_ms?: number
  batch_max?: number
  timeout_ms?: number
  /** Multiplies every pause between retries and the 7-day horizon: 0.001 turns a week into ten minutes. */
  retry_scale?: number
  concurrency?: number
  /** Probability that an update is sent twice. */
  duplicate?: number
  /** Probability that a message's statuses are reported in reverse order. */
  reorder?: number
  skip_delivered?: boolean
  never_read?: boolean
  /** Adds members no document mentions. */
  unknown_fields?: boolean
  /** Probability that an inbound message is accompanied by one of a type from the future. */
  unknown_types?: number
  /** A failure at one subscribed app sends the batch again to all of them. */
  fan_out_retry?: boolean
  /** `v23` brings back `conversation` and drops `pricing.type`. */
  payload_version?: 'v23' | 'v24'
}

export type Rule = {
  id?: string
  when?: {
    /** An edge such as `messages` or `media`, a kind of node such as `template`, or `media_bytes`. */
    endpoint?: string
    method?: string
    phone_number_id?: string
    /** Recipient: a phone number in any notation, or a business-scoped user id. */
    to?: string
    type?: string
    /** Only the nth matching request, counted from 1. */
    nth?: number
    every?: number
    probability?: number
  }
  /** How many times the rule may act; 1 = "the next message will". */
  count?: number
  do: Effects
}

export type EffectError = { code: number; http_status?: number; subcode?: number; details?: string }

export type Effects = {
  error?: EffectError
  /** The request is carried out, and the answer says that it failed. What is refused anyway is refused as usual. */
  error_after_accept?: EffectError
  expired_token?: boolean
  not_registered?: boolean
  /** The request is carried out at once and answered late: callbacks may overtake the answer. */
  delay_ms?: number
  /** The request is read and never answered; with `hang_after_accept` it was carried out. */
  hang?: boolean
  hang_after_accept?: boolean
  reset_before_accept?: boolean
  reset_after_accept?: boolean
  /** A page of HTML with this status, as a proxy in front of the platform would send. */
  html_5xx?: number
  /** The answer's body trickles for this long. */
  slow_body_ms?: number
  /** The message is accepted and later reported as failed with this code. */
  fail?: number
  /** The same, but after `sent`. */
  fail_after_sent?: number
  skip_delivered?: boolean
  never_delivered?: boolean
  never_read?: boolean
  duplicate?: boolean
  reorder?: boolean
  /** The answer waits until all statuses were told, a second at most. */
  statuses_before_answer?: boolean
  /** The statuses happen in time and are told so much later; a day passes by `POST /_sandbox/clock`. */
  statuses_after_ms?: number
  no_callbacks?: boolean
  /** Held for quality assessment, then released, or dropped with the template paused. */
  hold?: 'release' | 'drop'
  hold_ms?: number
  delays?: { sent_ms?: number; delivered_ms?: number; read_ms?: number }
}

/** Says in one sentence what is wrong with a scenario, or nothing. A typing error must not silently change nothing. */
export function scenarioProblem(value: unknown): string | null {
  if (!isRecord(value)) return 'a scenario is a JSON object'
  const nested: [string, unknown, readonly string[]][] = [
    ['scenario', value, SCENARIO_KEYS],
    ['delays', value.delays, DELAY_KEYS],
    ['throttle', value.throttle, THROTTLE_KEYS],
    ['callbacks', value.callbacks, CALLBACK_KEYS],
  ]
  if (value.closed_window !== undefined && value.closed_window !== 'answer' && value.closed_window !== 'status') {
    return 'closed_window is "answer" or "status"'
  }
  if (value.rules !== undefined && !Array.isArray(value.rules)) return 'rules is a list'
  for (const [index, rule] of (Array.isArray(value.rules) ? value.rules : []).entries()) {
    const problem = ruleProblem(rule)
    if (problem !== null) return `rules[${index}]: ${problem}`
  }
  for (const [name, part, keys] of nested) {
    const stranger = isRecord(part) ? unknownKey(part, keys) : undefined
    if (stranger !== undefined) return `${name} does not know "${stranger}"; it knows ${keys.join(', ')}`
  }
  return null
}

export function ruleProblem(rule: unknown): string | null {
  if (!isRecord(rule)) return 'a rule is an object'
  if (!isRecord(rule.do)) return 'a rule needs "do", an object'
  const parts: [string, unknown, readonly string[]][] = [
    ['rule', rule, ['id', 'when', 'count', 'do']],
    ['when', rule.when, WHEN_KEYS],
    ['do', rule.do, EFFECT_KEYS],
  ]
  for (const [name, part, keys] of parts) {
    const stranger = isRecord(part) ? unknownKey(part, keys) : undefined
    if (stranger !== undefined) return `${name} does not know "${stranger}"; it knows ${keys.join(', ')}`
  }
  for (const name of ['error', 'error_after_accept'] as const) {
    const error = rule.do[name]
    if (error !== undefined && !(isRecord(error) && typeof error.code === 'number')) {
      return `${name} needs a numeric "code"`
    }
  }
  return null
}

function unknownKey(part: Json, keys: readonly string[]): string | undefined {
  return Object.keys(part).find((key) => !keys.includes(key))
}

const SCENARIO_KEYS = [
  'seed',
  'delays',
  'review_delay_ms',
  'throttle',
  'allow_list',
  'us_marketing_paused',
  'closed_window',
  'refuse_same_words',
  'callbacks',
  'rules',
] as const
const DELAY_KEYS = ['sent_ms', 'delivered_ms', 'read_ms'] as const
const THROTTLE_KEYS = ['per_second', 'pair_burst', 'pair_interval_ms', 'portfolio', 'management_per_hour'] as const
const CALLBACK_KEYS = [
  'flush_ms',
  'batch_max',
  'timeout_ms',
  'retry_scale',
  'concurrency',
  'duplicate',
  'reorder',
  'skip_delivered',
  'never_read',
  'unknown_fields',
  'unknown_types',
  'fan_out_retry',
  'payload_version',
] as const
const WHEN_KEYS = ['endpoint', 'method', 'phone_number_id', 'to', 'type', 'nth', 'every', 'probability'] as const
const EFFECT_KEYS = [
  'error',
  'error_after_accept',
  'expired_token',
  'not_registered',
  'delay_ms',
  'hang',
  'hang_after_accept',
  'reset_before_accept',
  'reset_after_accept',
  'html_5xx',
  'slow_body_ms',
  'fail',
  'fail_after_sent',
  'skip_delivered',
  'never_delivered',
  'never_read',
  'duplicate',
  'reorder',
  'statuses_before_answer',
  'statuses_after_ms',
  'no_callbacks',
  'hold',
  'hold_ms',
  'delays',
] as const
