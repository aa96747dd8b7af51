import { drawText } from '../ids.ts'
import { Random } from '../random.ts'
import { isBsuid } from './bsuid.ts'
import type { Effects, Rule, Scenario } from './scenario.ts'

/** What a rule can look at. */
export type Facts = { endpoint: string; method: string; numberId?: string; to?: string; type?: string }

/** Undefined = what the number, the portfolio or the account is allowed. */
export type Limits = {
  perSecond: number | undefined
  pairBurst: number
  pairIntervalMs: number
  portfolio: number | undefined
  managementPerHour: number | null | undefined
}

type Armed = { id: string; rule: Rule; to: string | undefined; seen: number; acted: number }

/** The scenario in force: its values with defaults filled in, and its rules with their counters. */
export class Behaviour {
  readonly #first: Scenario
  #scenario: Scenario = {}
  #rules: Armed[] = []
  random: Random
  delays = { sentMs: 50, deliveredMs: 150, readMs: 300 }
  reviewDelayMs = 2000
  allowList: string[] | null = null
  usMarketingPaused = false
  refuseSameWords = false
  closedWindowInAnswer = false
  throttle: Limits | null = null
  callbacks = CALLBACK_DEFAULTS

  constructor(scenario: Scenario, seed: number) {
    this.random = new Random(seed)
    this.#first = scenario
    this.set(scenario)
  }

  /** Back to the scenario of the start. */
  reset(): void {
    this.set(this.#first)
  }

  get scenario(): Scenario {
    return { ...this.#scenario, rules: this.#rules.map(({ id, rule }) => ({ ...rule, id })) }
  }

  set(scenario: Scenario): void {
    this.#scenario = scenario
    if (scenario.seed !== undefined) this.random = new Random(scenario.seed)
    this.delays = {
      sentMs: scenario.delays?.sent_ms ?? 50,
      deliveredMs: scenario.delays?.delivered_ms ?? 150,
      readMs: scenario.delays?.read_ms ?? 300,
    }
    this.reviewDelayMs = scenario.review_delay_ms ?? 2000
    this.allowList = scenario.allow_list?.map(recipientKey) ?? null
    this.usMarketingPaused = scenario.us_marketing_paused ?? false
    this.refuseSameWords = scenario.refuse_same_words ?? false
    this.closedWindowInAnswer = scenario.closed_window === 'answer'
    this.throttle = throttleOf(scenario.throttle)
    this.callbacks = callbacksOf(scenario)
    this.#rules = []
    for (const rule of scenario.rules ?? []) this.addRule(rule)
  }

  addRule(rule: Rule): string {
    const id = rule.id ?? `rule_${drawText(8)}`
    const to = rule.when?.to === undefined ? undefined : recipientKey(rule.when.to)
    this.#rules.push({ id, rule, to, seen: 0, acted: 0 })
    return id
  }

  removeRule(id: string): boolean {
    const before = this.#rules.length
    this.#rules = this.#rules.filter((armed) => armed.id !== id)
    return this.#rules.length < before
  }

  get hasRules(): boolean {
    return this.#rules.length > 0
  }

  /** The effects of the first rule that fits, which counts as used. */
  match(facts: Facts): Effects | null {
    for (const armed of this.#rules) {
      if (!fits(armed, facts)) continue
      armed.seen++
      if (!this.#strikes(armed)) continue
      armed.acted++
      if (armed.acted >= (armed.rule.count ?? Number.POSITIVE_INFINITY)) this.removeRule(armed.id)
      return armed.rule.do
    }
    return null
  }

  #strikes({ rule, seen }: Armed): boolean {
    const when = rule.when ?? {}
    if (when.nth !== undefined && seen !== when.nth) return false
    if (when.every !== undefined && seen % when.every !== 0) return false
    return when.probability === undefined || this.random.chance(when.probability)
  }
}

/** One notation for recipients: digits of a phone number, or the user id as it is. */
export function recipientKey(value: string): string {
  return isBsuid(value) ? value : value.replace(/\D/g, '')
}

function fits({ rule, to }: Armed, facts: Facts): boolean {
  const when = rule.when
  if (when === undefined) return true
  if (when.endpoint !== undefined && when.endpoint !== facts.endpoint) return false
  if (when.method !== undefined && when.method !== facts.method) return false
  if (when.phone_number_id !== undefined && when.phone_number_id !== facts.numberId) return false
  if (when.type !== undefined && when.type !== facts.type) return false
  return to === undefined || (facts.to !== undefined && recipientKey(facts.to) === to)
}

const CALLBACK_DEFAULTS = {
  flushMs: 10,
  batchMax: 1000,
  timeoutMs: 20_000,
  retryScale: 1,
  concurrency: 8,
  duplicate: 0,
  reorder: 0,
  skipDelivered: false,
  neverRead: false,
  unknownFields: false,
  unknownTypes: 0,
  fanOutRetry: false,
  payloadVersion: 'v24',
}

function callbacksOf({ callbacks = {} }: Scenario): typeof CALLBACK_DEFAULTS {
  return {
    flushMs: callbacks.flush_ms ?? CALLBACK_DEFAULTS.flushMs,
    batchMax: Math.min(1000, Math.max(1, callbacks.batch_max ?? CALLBACK_DEFAULTS.batchMax)),
    timeoutMs: callbacks.timeout_ms ?? CALLBACK_DEFAULTS.timeoutMs,
    retryScale: callbacks.retry_scale ?? CALLBACK_DEFAULTS.retryScale,
    concurrency: Math.max(1, callbacks.concurrency ?? CALLBACK_DEFAULTS.concurrency),
    duplicate: callbacks.duplicate ?? 0,
    reorder: callbacks.reorder ?? 0,
    skipDelivered: callbacks.skip_delivered ?? false,
    neverRead: callbacks.never_read ?? false,
    unknownFields: callbacks.unknown_fields ?? false,
    unknownTypes: callbacks.unknown_types ?? 0,
    fanOutRetry: callbacks.fan_out_retry ?? false,
    payloadVersion: callbacks.payload_version ?? 'v24',
  }
}

function throttleOf(throttle: Scenario['throttle']): Behaviour['throttle'] {
  if (throttle === false) return null
  const given = throttle === undefined || throttle === true ? {} : throttle
  return {
    perSecond: given.per_second,
    pairBurst: given.pair_burst ?? 45,
    pairIntervalMs: given.pair_interval_ms ?? 6000,
    portfolio: given.portfolio,
    managementPerHour: given.management_per_hour,
  }
}
