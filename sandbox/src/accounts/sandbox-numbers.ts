import { accessToken, appSecret, numericId } from '../ids.ts'
import { customerFor } from '../messages/inbound.ts'
import { OPEN_CUSTOMER } from '../messages/magic-recipients.ts'
import { GRAPH_VERSION, type Platform } from '../platform.ts'
import { addTemplate, HELLO_WORLD } from '../templates/template-store.ts'
import type { App, PhoneNumber, Token, Waba } from '../world.ts'
import { newNumber, VERIFICATION_CODE } from './registration.ts'

/** What a client needs to connect, and a person to play with it. */
export type SandboxNumber = {
  phone_number_id: string
  phone_number: string
  waba_id: string
  access_token: string
  app_secret: string
  app_id: string
  graph_version: string
  status: string
  verification_code: string
}

export type NewNumber = {
  phone_number?: string
  name?: string
  /** Adds the number to an account that exists; otherwise a new account, app and token are made for it. */
  waba_id?: string
  /** `false` leaves the number at the foot of the registration ladder. */
  registered?: boolean
  pin?: string
  /** `true` skips Meta's reviews; otherwise the account looks as new ones do. */
  approved?: boolean
  /** The new account's token belongs to this app, which is made where it is not there yet. */
  app_id?: string
  app_secret?: string
}

export function openNumber(platform: Platform, request: NewNumber): PhoneNumber {
  const { world, clock } = platform
  const name = request.name ?? 'Sandbox Business'
  const waba = (request.waba_id && world.wabas.get(request.waba_id)) || openWaba(platform, name, request)
  const digits = request.phone_number?.replace(/\D/g, '') ?? freeDigits(platform)
  const number = newNumber(waba.id, digits, name, clock.now())
  if (request.registered !== false) {
    number.status = 'CONNECTED'
    number.quality = 'GREEN'
  }
  number.nameStatus = 'PENDING_REVIEW'
  if (request.pin !== undefined) number.pin = request.pin
  world.numbers.set(number.id, number)
  seedCustomers(platform, number)
  if (request.approved) approve(platform, number)
  platform.changed()
  return number
}

/** What Meta's reviews do in days: the name is approved, number and business are verified, and the limit grows. */
export function approve(platform: Platform, number: PhoneNumber): void {
  number.nameStatus = 'APPROVED'
  number.verification = 'VERIFIED'
  const waba = platform.world.wabas.get(number.wabaId)
  if (waba) {
    waba.verified = true
    if (waba.messagingLimit === 'TIER_250') waba.messagingLimit = 'TIER_2K'
  }
  platform.changed()
}

/** One customer has written already, so that a first text can be sent; no callback tells of it. */
export function seedCustomers(platform: Platform, number: PhoneNumber): void {
  const customer = customerFor(platform, number, { from: OPEN_CUSTOMER, name: 'Ana' })
  customer.lastInboundAtMs = platform.clock.now()
}

export function viewNumber(platform: Platform, number: PhoneNumber): SandboxNumber {
  const token = [...platform.world.tokens.values()].find(({ wabaIds }) => wabaIds.includes(number.wabaId))
  const app = token && platform.world.apps.get(token.appId)
  return {
    phone_number_id: number.id,
    phone_number: `+${number.digits}`,
    waba_id: number.wabaId,
    access_token: token?.value ?? '',
    app_secret: app?.secret ?? '',
    app_id: app?.id ?? '',
    graph_version: GRAPH_VERSION,
    status: number.status,
    verification_code: VERIFICATION_CODE,
  }
}

function openWaba(platform: Platform, name: string, request: NewNumber): Waba {
  const waba: Waba = {
    id: numericId(),
    businessId: numericId(),
    name,
    subscriptions: [],
    insightsEnabled: false,
    blockedNames: {},
    createdTemplatesAtMs: [],
    verified: false,
    messagingLimit: 'TIER_250',
  }
  platform.world.wabas.set(waba.id, waba)
  openApp(platform, waba, `${name} app`, request)
  addTemplate(platform, waba.id, { ...HELLO_WORLD }, 'APPROVED')
  return waba
}

/** An app with a token of its own for an account; it hears nothing until it subscribes. */
export function openApp(
  { world, clock }: Platform,
  waba: Waba,
  name: string,
  { app_id: id = numericId(), app_secret: secret = appSecret() }: Pick<NewNumber, 'app_id' | 'app_secret'> = {},
): { app: App; token: Token } {
  const app: App = world.apps.get(id) ?? { id, name, secret, callbackUrl: null, fields: [] }
  const token = { value: accessToken(), appId: app.id, wabaIds: [waba.id], expired: false, issuedAtMs: clock.now() }
  world.apps.set(app.id, app)
  world.tokens.set(token.value, token)
  return { app, token }
}

/** +1 555 010 0001 and up: numbers kept for fiction. */
function freeDigits(platform: Platform): string {
  const taken = new Set([...platform.world.numbers.values()].map((number) => number.digits))
  let next = 15_550_100_001 + taken.size
  while (taken.has(String(next))) next++
  return String(next)
}
