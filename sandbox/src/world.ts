import type { Json } from './http/json.ts'

/** Everything the simulated platform remembers about its businesses. Plain data, so that it can be written to a file. */
export type World = {
  apps: Map<string, App>
  tokens: Map<string, Token>
  wabas: Map<string, Waba>
  numbers: Map<string, PhoneNumber>
  templates: Map<string, Template>
  media: Map<string, Media>
}

export type App = {
  id: string
  name: string
  secret: string
  callbackUrl: string | null
  fields: string[]
  /** "Require App Secret" of the app's settings: calls without `appsecret_proof` are refused. */
  requiresProof?: boolean
  /** Still in development: nothing about real messages is reported. */
  unpublished?: boolean
  /** "Valid OAuth redirect URIs"; absent: any. */
  redirectUris?: string[]
}

export type Token = {
  value: string
  appId: string
  wabaIds: string[]
  expired: boolean
  issuedAtMs: number
  /** Absent: never. */
  expiresAtMs?: number
  /** Absent: all that there are. */
  permissions?: Permission[]
}

/** What a person agreed to in the dialog, until an app fetches the token for it. */
export type SignupCode = { appId: string; redirectUri: string; wabaIds: string[]; expiresAtMs: number; used: boolean }

export const PERMISSIONS = ['whatsapp_business_management', 'whatsapp_business_messaging'] as const
export type Permission = (typeof PERMISSIONS)[number]

export type Subscription = { appId: string; overrideUrl: string | null }

export type Waba = {
  id: string
  businessId: string
  name: string
  subscriptions: Subscription[]
  insightsEnabled: boolean
  /** Names of deleted approved templates and the time until which they may not come back. */
  blockedNames: Record<string, number>
  createdTemplatesAtMs: number[]
  /** Of the business behind it; absent in files from before there was a choice, where every business was verified. */
  verified?: boolean
  messagingLimit?: MessagingLimit
  /** No payment method: only who wrote first is answered. */
  unpaid?: boolean
  /** Eligible for Direct Send. */
  directSend?: boolean
  /** Onboarded to the Marketing Messages API. */
  marketingMessages?: boolean
  /** Marketing templates are turned off on `/messages`. */
  cloudMarketingOff?: boolean
}

/** How many customers a day a portfolio may write to first. */
export const MESSAGING_LIMITS = {
  TIER_250: 250,
  TIER_2K: 2_000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
  TIER_UNLIMITED: Number.POSITIVE_INFINITY,
}

export type MessagingLimit = keyof typeof MESSAGING_LIMITS

/** Files from before there was a choice hold verified businesses. */
export function messagingLimitOf(waba: Waba | undefined): MessagingLimit {
  return waba?.messagingLimit ?? 'TIER_2K'
}

export type PhoneNumber = {
  id: string
  wabaId: string
  digits: string
  verifiedName: string
  status: string
  verification: 'VERIFIED' | 'NOT_VERIFIED' | 'EXPIRED'
  /** Absent means approved, as in files from before there was a choice. */
  nameStatus?: 'APPROVED' | 'PENDING_REVIEW'
  throughput?: 'STANDARD' | 'HIGH'
  /** Free-form messages of one month, which are free up to a number. */
  service?: { month: string; count: number }
  quality: string
  pin: string | null
  codeRequested: boolean
  /** In use with the WhatsApp Business app too. */
  onBusinessApp?: boolean
  /** What of that app has been asked for, which is possible once. */
  synced?: string[]
  callbackUrl: string | null
  profile: Json
  /** By which customers find the number. */
  username?: string
  /** First messages of short links, by their codes. */
  links?: Record<string, string>
  /** Ice breakers and commands. */
  automation?: { prompts?: string[]; commands?: Json[] }
  registeredAtMs: number[]
  deregisteredAtMs: number[]
  /** Phone digits, or the user id of who hides them. */
  blocked: string[]
  /** Counts the changes of the block list; a cursor holds for one version. */
  blockedVersion?: number
  /** A test number reaches only these recipients; null = every recipient. */
  allowList: string[] | null
  createdAtMs: number
  onboardedAtMs: number
  customers: Map<string, Customer>
  /** This app is the escalation partner: it may take conversations. */
  isEscalation?: boolean
}

/** Keyed by phone digits, or by user id when the customer hides the phone number. */
export type Customer = {
  digits: string | null
  userId: string
  name: string
  username: string | null
  lastInboundAtMs: number | null
  identityKeyHash: string | null
  /** Stopped marketing messages. */
  stoppedMarketing?: boolean
  /** The role of the responder that owns the conversation instead of the business's app. */
  ownedBy?: string
  /** False once the business has deleted their number from its contact book. */
  inContactBook?: boolean
}

export type Template = {
  id: string
  wabaId: string
  name: string
  language: string
  category: string
  previousCategory: string | null
  correctCategory: string | null
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: Json[]
  /** What was approved and is still sent while an edit of it is under review. */
  approvedComponents?: Json[]
  status: string
  quality: string
  qualityAtMs: number
  rejectedReason: string
  pauses: number
  /** When a paused template goes on by itself; null while it is not paused. */
  pausedUntilMs: number | null
  editedAtMs: number[]
  ttlSeconds: number | null
  /** The library template it was made from. */
  libraryName?: string
}

export type Media = {
  id: string
  wabaId: string
  numberId: string
  mimeType: string
  filename: string | null
  sizeBytes: number
  sha256: string
  expiresAtMs: number
  /** The bytes are not what the type needs: accepted, and every send with it fails later. */
  unusable?: boolean
}

export const WINDOW_MS = 24 * 3_600_000

export function emptyWorld(): World {
  return {
    apps: new Map(),
    tokens: new Map(),
    wabas: new Map(),
    numbers: new Map(),
    templates: new Map(),
    media: new Map(),
  }
}

export function findCustomer(number: PhoneNumber, digitsOrUserId: string): Customer | undefined {
  const direct = number.customers.get(digitsOrUserId)
  if (direct || !digitsOrUserId.includes('.')) return direct
  for (const customer of number.customers.values()) if (customer.userId === digitsOrUserId) return customer
  return undefined
}

/** Under what a customer stands in the block list, by whichever address they are named. */
export function blockedKey(number: PhoneNumber, digitsOrUserId: string): string {
  const customer = findCustomer(number, digitsOrUserId)
  return customer ? (customer.digits ?? customer.userId) : digitsOrUserId
}

export function isBlocked(number: PhoneNumber, digitsOrUserId: string): boolean {
  return number.blocked.length > 0 && number.blocked.includes(blockedKey(number, digitsOrUserId))
}

export function windowIsOpen(customer: Customer | undefined, nowMs: number): boolean {
  return customer?.lastInboundAtMs != null && nowMs - customer.lastInboundAtMs < WINDOW_MS
}
