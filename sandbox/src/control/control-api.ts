import {
  approve,
  type NewNumber,
  openApp,
  openNumber,
  type SandboxNumber,
  seedCustomers,
  viewNumber,
} from '../accounts/sandbox-numbers.ts'
import { type Json, list, record } from '../http/json.ts'
import { recipientKey } from '../messages/behaviour.ts'
import {
  type Actor,
  changeIdentity,
  changePreference,
  type IdentityChange,
  placeCall,
} from '../messages/customer-acts.ts'
import { customerFor, InboundProblem, type InboundRequest, receiveErrors, receiveInbound } from '../messages/inbound.ts'
import type { Message } from '../messages/message-log.ts'
import type { Delivery } from '../messages/outbox.ts'
import { type Rule, ruleProblem, type Scenario, scenarioProblem } from '../messages/scenario.ts'
import type { Platform } from '../platform.ts'
import { addTemplates, type Review, reviewTemplate } from '../templates/template-control.ts'
import { type Customer, type PhoneNumber, WINDOW_MS, windowIsOpen } from '../world.ts'
import { changeNumber } from './number-control.ts'

export type MessageQuery = {
  to?: string
  from?: string
  limit?: number
  after?: string
  direction?: 'inbound' | 'outbound'
  phone_number_id?: string
  biz_opaque_callback_data?: string
}

export type CustomerRequest = {
  phone_number_id?: string
  phone_number?: string
  user_id?: string
  name?: string
  username?: string
  window?: 'open' | 'closed'
  identity_key_hash?: string | null
  /** The role of another responder that owns the conversation; null: nobody else does. */
  owned_by?: string | null
}

/** What a test, a console or a person may do to the simulated platform. The HTTP control API is a thin skin over it. */
export class Control {
  readonly #platform: Platform

  constructor(platform: Platform) {
    this.#platform = platform
  }

  numbers(): SandboxNumber[] {
    return [...this.#platform.world.numbers.values()].map((number) => viewNumber(this.#platform, number))
  }

  createNumber(request: NewNumber = {}): SandboxNumber {
    return viewNumber(this.#platform, openNumber(this.#platform, request))
  }

  /** One more app on the account of a number, as when a business uses two products: each subscribes for itself. */
  addApp(request: { to?: string; name?: string } = {}): { app_id: string; app_secret: string; access_token: string } {
    const waba = this.#platform.world.wabas.get(this.#number(request.to).wabaId)
    if (waba === undefined) throw new InboundProblem('the number has no account')
    const { app, token } = openApp(this.#platform, waba, request.name ?? 'Another app')
    this.#platform.changed()
    return { app_id: app.id, app_secret: app.secret, access_token: token.value }
  }

  /** Changes what a number is; README.md lists the words. */
  updateNumber(id: string, change: Json): SandboxNumber {
    const number = this.#number(id)
    changeNumber(this.#platform, number, change)
    this.#platform.changed()
    return viewNumber(this.#platform, number)
  }

  /** What Meta's reviews would do in days: name approved, number and business verified, 2,000 customers a day. */
  approveNumber(id: string): SandboxNumber {
    const number = this.#number(id)
    approve(this.#platform, number)
    return viewNumber(this.#platform, number)
  }

  /** A customer writes. `value_errors` reports errors outside any message instead. */
  inbound(request: InboundRequest & { to?: string; repeat?: number; value_errors?: Json[] }): { message_id: string } {
    const { to, repeat, value_errors: errors, ...inbound } = request
    const number = this.#number(to)
    if (errors !== undefined) {
      receiveErrors(this.#platform, number, list(errors).map(record))
      return { message_id: '' }
    }
    let id = ''
    for (let i = 0; i < (repeat ?? 1); i++) id = receiveInbound(this.#platform, number, inbound)
    return { message_id: id }
  }

  /** A customer gets another number or user id. */
  changeIdentity(request: IdentityChange & { to?: string }): { message_id: string } {
    return changeIdentity(this.#platform, this.#number(request.to), request)
  }

  /** A customer stops marketing messages (`stop`) or takes them again (`resume`). */
  setPreference(request: Actor & { to?: string; value: string }): void {
    changePreference(this.#platform, this.#number(request.to), request, request.value)
  }

  /** A customer calls. */
  call(request: Actor & { to?: string }): { call_id: string } {
    return placeCall(this.#platform, this.#number(request.to), request)
  }

  /** Resolves when callbacks for everything that happened until now were sent once, or after a second. */
  async told(): Promise<void> {
    await this.#platform.outbox.told()
  }

  /** Puts raw status items on the wire, exactly as given. */
  statuses(request: { to?: string; phone_number_id?: string; statuses: Json[] }): { count: number } {
    const number = this.#number(request.phone_number_id ?? request.to)
    for (const item of request.statuses) this.#tell(number, 'messages', 'statuses', item)
    return { count: request.statuses.length }
  }

  /** Any other callback: `{field, value}`, e.g. `account_update`. */
  event(request: { to?: string; field: string; value: Json }): void {
    this.#tell(this.#number(request.to), request.field, 'value', request.value)
  }

  messages(query: MessageQuery = {}): { data: Json[]; total: number } {
    const to = query.to === undefined ? undefined : recipientKey(query.to)
    const from = query.from === undefined ? undefined : recipientKey(query.from)
    const found = this.#platform.messages.list(
      (message) =>
        (to === undefined || ends(message).to.includes(to)) &&
        (from === undefined || ends(message).from.includes(from)) &&
        (query.direction === undefined || message.direction === query.direction) &&
        (query.phone_number_id === undefined || message.numberId === query.phone_number_id) &&
        (query.biz_opaque_callback_data === undefined || message.opaque === query.biz_opaque_callback_data),
      Math.min(10_000, query.limit ?? 100),
      query.after,
    )
    return { data: found.map(messageView), total: this.#platform.messages.total }
  }

  get scenario(): Scenario {
    return this.#platform.behaviour.scenario
  }

  setScenario(scenario: Scenario): Scenario {
    const problem = scenarioProblem(scenario)
    if (problem !== null) throw new InboundProblem(problem)
    this.#platform.behaviour.set(scenario)
    return this.scenario
  }

  /** One more rule in front of nothing and behind all; `count: 1` makes it "the next message will". */
  addRule(rule: Rule): { id: string } {
    const problem = ruleProblem(rule)
    if (problem !== null) throw new InboundProblem(problem)
    return { id: this.#platform.behaviour.addRule(rule) }
  }

  removeRule(id: string): boolean {
    return this.#platform.behaviour.removeRule(id)
  }

  addTemplates(request: { waba_id?: string; templates: Json[]; status?: string }): { data: Json[] } {
    const wabaId = request.waba_id ?? this.#number(undefined).wabaId
    if (!this.#platform.world.wabas.has(wabaId)) throw new InboundProblem('"waba_id" is not known')
    return { data: addTemplates(this.#platform, wabaId, request.templates, request.status ?? 'APPROVED') }
  }

  review(name: string, review: Review): { data: Json[] } {
    return { data: reviewTemplate(this.#platform, name, review) }
  }

  advance(ms: number): { now: string } {
    this.#platform.clock.advance(ms)
    return { now: new Date(this.#platform.clock.now()).toISOString() }
  }

  callbacks(): { data: readonly Delivery[]; dropped: Json } {
    return { data: this.#platform.outbox.deliveries, dropped: { ...this.#platform.outbox.dropped } }
  }

  setCustomer(request: CustomerRequest): Json {
    const number = this.#number(request.phone_number_id)
    const { phone_number: from, user_id: userId, name, username } = request
    const customer = customerFor(this.#platform, number, {
      ...(from === undefined ? {} : { from }),
      ...(userId === undefined ? {} : { user_id: userId }),
      ...(name === undefined ? {} : { name }),
      ...(username === undefined ? {} : { username }),
    })
    if (request.window === 'open') customer.lastInboundAtMs = this.#platform.clock.now()
    if (request.window === 'closed') customer.lastInboundAtMs = null
    if (request.identity_key_hash !== undefined) customer.identityKeyHash = request.identity_key_hash
    if (request.owned_by === null) delete customer.ownedBy
    else if (request.owned_by !== undefined) customer.ownedBy = request.owned_by
    this.#platform.changed()
    return this.#customerView(number, customer)
  }

  customers(phoneNumberId?: string): { data: Json[] } {
    const number = this.#number(phoneNumberId)
    return { data: [...number.customers.values()].map((customer) => this.#customerView(number, customer)) }
  }

  /** Forgets messages, callbacks, customers, limits used up and misbehaviour; numbers, tokens, templates and subscriptions stay. */
  reset(): void {
    const { world, behaviour, messages, outbox, throttle } = this.#platform
    behaviour.reset()
    messages.clear()
    outbox.clear()
    throttle.clear()
    for (const number of world.numbers.values()) {
      number.customers.clear()
      seedCustomers(this.#platform, number)
    }
    this.#platform.changed()
  }

  #customerView(number: PhoneNumber, customer: Customer): Json {
    const open = windowIsOpen(customer, this.#platform.clock.now())
    return {
      phone_number_id: number.id,
      phone_number: customer.digits === null ? null : `+${customer.digits}`,
      user_id: customer.userId,
      name: customer.name,
      username: customer.username,
      window: open ? 'open' : 'closed',
      window_expires_at: open ? new Date((customer.lastInboundAtMs ?? 0) + WINDOW_MS).toISOString() : null,
    }
  }

  /** By id or by phone number; the first number when nothing is said. */
  #number(wanted: string | undefined): PhoneNumber {
    const numbers = [...this.#platform.world.numbers.values()]
    const digits = wanted?.replace(/\D/g, '')
    const found =
      wanted === undefined ? numbers[0] : numbers.find(({ id, digits: own }) => id === wanted || own === digits)
    if (found === undefined) throw new InboundProblem('there is no such number')
    return found
  }

  #tell(number: PhoneNumber, field: string, kind: 'statuses' | 'value', item: Json): void {
    const { id: numberId, wabaId, digits: businessDigits } = number
    this.#platform.outbox.push({ wabaId, numberId, businessDigits, field, kind, item, contact: null })
  }
}

function ends(message: Message): { from: string[]; to: string[] } {
  const customer = [message.customerDigits ?? '', message.customerUserId]
  const business = [message.businessDigits, message.numberId]
  return message.direction === 'outbound' ? { from: business, to: customer } : { from: customer, to: business }
}

function messageView(message: Message): Json {
  const customer = message.customerDigits === null ? null : `+${message.customerDigits}`
  const business = `+${message.businessDigits}`
  const outbound = message.direction === 'outbound'
  return {
    id: message.id,
    direction: message.direction,
    phone_number_id: message.numberId,
    from: outbound ? business : customer,
    to: outbound ? customer : business,
    user_id: message.customerUserId,
    type: message.type,
    text: message.text,
    status: message.status,
    error_code: message.errorCode,
    biz_opaque_callback_data: message.opaque,
    history: message.history.map(({ status, atMs }) => ({ status, at: new Date(atMs).toISOString() })),
    read_by_business: message.readByBusiness,
    accepted_at: new Date(message.acceptedAtMs).toISOString(),
    payload: JSON.parse(message.payload),
  }
}
