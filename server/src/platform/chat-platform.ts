import type { TemplateCategory } from '../contract/template-content.ts'
import type { CallbackItem } from './callback-item.ts'
import type { Dialect, WireAnswer, WireBody } from './dialect.ts'
import type { OutboundMessage, PlatformTemplate, TemplateChange, TemplateDraft } from './outbound-message.ts'
import type { PlatformErrorCode, PlatformUpstream } from './platform-error.ts'
import type { RelayDialect } from './relay-dialect.ts'

/**
 * Everything the domain may ask of a platform. Every call rejects with a PlatformError and with nothing else, except where a
 * caller's own stream fails: then that failure comes through unchanged.
 */
export type ChatPlatform = {
  readonly dialect: Dialect
  /** Relaying its callbacks to Cloud API clients. */
  readonly relay: RelayDialect
  /**
   * Hands one message to the platform. The platform knows no idempotency key, so the message is posted a second time
   * only where the first post certainly did nothing.
   */
  send(number: NumberCredentials, message: OutboundMessage, options: SendOptions): Promise<SendReceipt>
  /** Marks this and every earlier message of the customer as read; `typing` shows the indicator for up to 25 s. */
  markRead(number: NumberCredentials, channelMessageId: string, options?: ReadOptions): Promise<void>

  uploadMedia(number: NumberCredentials, upload: MediaUpload): Promise<UploadedMedia>
  /** The download address; the URL is valid for 5 minutes. */
  mediaUrl(number: NumberCredentials, platformMediaId: string): Promise<MediaLocation>
  /** Asks for the address by id and reads the bytes from there; an address out of a callback is never used. */
  downloadMedia(number: NumberCredentials, wanted: WantedMedia): Promise<MediaFacts>
  deleteMedia(number: NumberCredentials, platformMediaId: string): Promise<void>

  createTemplate(number: NumberCredentials, draft: TemplateDraft): Promise<CreatedTemplate>
  listTemplates(number: NumberCredentials, filter?: TemplateFilter): AsyncIterable<PlatformTemplate>
  getTemplate(number: NumberCredentials, templateId: string): Promise<PlatformTemplate>
  /** Replaces what is given and sends the template through review again. */
  editTemplate(number: NumberCredentials, templateId: string, change: TemplateChange): Promise<void>
  /** With `templateId` one language, without it every language of the name. */
  deleteTemplate(number: NumberCredentials, template: { name: string; templateId?: string }): Promise<void>
  /** Uploads an example for a media header, or the photo of a profile; the handle cannot be sent. Needs `appId`. */
  uploadSample(number: NumberCredentials, sample: TemplateSample): Promise<{ handle: string }>

  getNumber(number: NumberCredentials): Promise<NumberFacts>
  wabaHealth(number: NumberCredentials): Promise<BusinessHealth>
  /** The platform's own counts and charges, by day; `to` is exclusive. */
  reportedPrices(number: NumberCredentials, range: { from: number; to: number }): Promise<ReportedPrice[]>
  /** `asApp` asks with the app's own token, as the platform wants it; otherwise the token asks about itself. */
  debugToken(number: NumberCredentials, options?: { asApp?: AppCredentials }): Promise<TokenFacts>
  /** The callback address of the app itself and its fields; null if there is none. */
  appSubscription(number: NumberCredentials, app: AppCredentials): Promise<AppSubscription | null>
  /** Sets the app's own address and fields; the platform verifies the address before it answers. */
  setAppSubscription(
    number: NumberCredentials,
    app: AppCredentials,
    subscription: AppSubscription & { verifyToken: string },
  ): Promise<void>
  subscribeApp(number: NumberCredentials): Promise<void>
  /** Subscribes and points this business account's callbacks at `url`; the platform verifies it before it answers. */
  setCallbackOverride(number: NumberCredentials, override: CallbackOverride): Promise<void>
  listSubscribedApps(number: NumberCredentials): Promise<SubscribedApp[]>
  /** Takes away the address that this number alone reports to. */
  removeNumberCallback(number: NumberCredentials): Promise<void>
  getProfile(number: NumberCredentials): Promise<BusinessProfile>
  /** Changes what is given. */
  updateProfile(number: NumberCredentials, changes: ProfileChanges): Promise<void>
  /** The bytes of the photo that customers see; `media_not_found` where there is none. */
  downloadPhoto(number: NumberCredentials, wanted: Omit<WantedMedia, 'platformMediaId'>): Promise<void>
  /** Short links with their QR codes. */
  listLinks(number: NumberCredentials): Promise<ShortLink[]>
  /** With a code other words for a link, otherwise a new one: a lost answer may have made it. */
  saveLink(
    number: NumberCredentials,
    link: { code: string | null; message: string; image: 'svg' | 'png' },
  ): Promise<ShortLink>
  deleteLink(number: NumberCredentials, code: string): Promise<void>
  getAutomation(number: NumberCredentials): Promise<Automation>
  /** Replaces the lists that are given. */
  setAutomation(number: NumberCredentials, change: Partial<Automation>): Promise<void>
  listBlocked(number: NumberCredentials, page: { limit: number; after: string | null }): Promise<BlockedPage>
  /** Each customer stands alone; phone numbers with `+`, or user ids, at most 1,000 of them. */
  blockCustomers(number: NumberCredentials, addresses: readonly string[]): Promise<BlockOutcome>
  unblockCustomers(number: NumberCredentials, addresses: readonly string[]): Promise<BlockOutcome>
  /**
   * Passes a conversation to another responder, releases it, or takes it. A lost answer stays unknown: to ask again could
   * take it from the responder who has it by then.
   */
  controlThread(number: NumberCredentials, control: ThreadControl): Promise<void>
  /** The status of a message at the platform; empty if it reports none. Not yet confirmed on a real account. */
  messageHistory(number: NumberCredentials, channelMessageId: string): Promise<ReportedStep[]>
  /**
   * The platform forgets the phone number of a customer with a user id, for every number of the business. Safe to repeat.
   */
  forgetContact(number: NumberCredentials, userId: string): Promise<void>
  /** Trades the code of a signup for the token of a business. A code is worth something once. Null: none came. */
  redeemCode(app: AppAccess, given: { code: string; redirectUri: string }): Promise<SignupToken | null>
  /** A new token for one that still works; the old one lives on until its own end. */
  renewToken(app: AppAccess, accessToken: string): Promise<SignupToken | null>
  /** The numbers of the business account that the credentials name. */
  listBusinessNumbers(number: NumberCredentials): Promise<BusinessNumber[]>
  /**
   * Asks for the contacts or the history of the WhatsApp Business app: each once for ever, so that a lost answer stays
   * unknown.
   */
  syncBusinessApp(number: NumberCredentials, part: 'contacts' | 'history'): Promise<void>
  /** The PIN sets two-step verification, or must match it. At most 10 calls in 72 hours. */
  register(number: NumberCredentials, pin: string): Promise<void>
  /** Passes a client's own call on with our credentials, once, and its answer back, whatever it is. */
  pass(number: NumberCredentials, call: PassedCall): Promise<WireAnswer>

  /** The platform asks whether a callback address is ours: the challenge to echo, or null for anybody else. */
  answerHandshake(query: Readonly<Record<string, unknown>>, verifyToken: string): string | null
  /** True when the headers of a callback sign exactly these bytes with the app's secret. */
  isSigned(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    rawBody: Uint8Array,
    appSecret: string,
  ): boolean
  /** Splits a callback body into its items; never throws, and loses nothing. */
  parseCallback(bodyText: string): CallbackItem[]
}

/** A platform with its connections. */
export type PlatformClient = ChatPlatform & {
  /** Ends every connection at once; callers drain first. */
  close(): Promise<void>
}

/** All that is needed to speak for one business number. */
export type NumberCredentials = {
  phoneNumberId: string
  wabaId: string
  accessToken: string
  appId?: string
  /** Proves each call as the app's own; an app may demand it. */
  appSecret?: string
  /** Scheme and host, for example `https://graph.example.test`; the version comes on its own. */
  baseUrl: string
  /** For example `v26.0`. */
  graphVersion: string
  /** Marketing templates go to the platform's endpoint for them. */
  marketingMessages?: boolean
}

/** `path` stands below the version and is encoded. */
export type PassedCall = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query: Readonly<Record<string, string>>
  body?: WireBody | null
  /** The bytes of a resumable upload from this offset on, in place of a body. */
  upload?: { content: AsyncIterable<Uint8Array>; bytes: number; contentType: string; offset: number }
}

export type ReportedStep = { status: 'sent' | 'delivered' | 'read' | 'failed'; at: number | null }
export type ReadOptions = { typing?: boolean }
export type SendOptions = {
  /** Our own id, at most 512 characters; the platform echoes it in every status of the message. */
  correlation: string
  /** The whole call ends by then, its repeat included; never later than the client's own limit. */
  timeoutMs?: number
}

/** Accepted, not delivered. */
export type SendReceipt = {
  messageId: string
  /** The platform holds the template message back while it watches the template's quality. */
  held: boolean
  /** The number the platform resolved, digits only; it can differ from the number that was given. */
  waId: string | null
  userId: string | null
  /** The platform's own words. */
  answer: WireBody
}

export type MediaUpload = {
  /** A whole file, or a stream whose length is known beforehand. */
  content: Uint8Array | AsyncIterable<Uint8Array>
  bytes: number
  mimeType: string
  filename: string
}

export type UploadedMedia = { platformMediaId: string }

export type MediaFacts = {
  mimeType: string | null
  /** Lower-case hex, whatever the platform wrote. */
  sha256: string | null
  bytes: number | null
}

export type MediaLocation = MediaFacts & { url: string }

export type WantedMedia = {
  platformMediaId: string
  bytesMax: number
  /** Takes each chunk after the one before was dealt with; its failure comes through unchanged. */
  write(chunk: Uint8Array): Promise<void>
}

export type CreatedTemplate = { templateId: string; status: string; category: TemplateCategory | null }
export type TemplateFilter = { name?: string; status?: string; pageSize?: number }
export type TemplateSample = { content: Uint8Array; mimeType: string; filename: string }

export type NumberFacts = {
  phoneNumberId: string
  displayPhoneNumber: string | null
  verifiedName: string | null
  nameStatus: string | null
  /** Only `CONNECTED` can send. */
  status: string | null
  qualityRating: string | null
  throughputLevel: string | null
  messagingLimit: string | null
  codeVerificationStatus: string | null
  accountMode: string | null
  /** In use with the WhatsApp Business app too; null where the platform does not say. */
  onBusinessApp: boolean | null
  /** The address of its own that wins over that of the business account; null where it has none. */
  callbackUrl: string | null
  health: Health | null
}

export type ReportedPrice = {
  /** Start of its day. */
  at: number
  country: string
  /** In the words of statuses: `marketing`, `regular`. */
  category: string
  type: string
  tier: string
  volume: number
  /** In the currency of the business account; null where the platform tells none. */
  cost: number | null
}

export type BusinessHealth = {
  wabaId: string
  name: string | null
  accountReviewStatus: string | null
  businessVerificationStatus: string | null
  /** Whether the account is onboarded to the Marketing Messages API; null where the platform does not say. */
  marketingMessages: boolean | null
  /** In which Meta bills the account, as ISO 4217; null where the platform does not say. */
  currency: string | null
  /** By whose midnight it bills, as IANA name; null where the platform does not say, or it is not known here. */
  timeZone: string | null
  health: Health | null
}

export type Health = {
  canSendMessage: string | null
  entities: { type: string | null; id: string | null; canSendMessage: string | null; problems: HealthProblem[] }[]
}

export type HealthProblem = { code: number | null; description: string | null; solution: string | null }

export type TokenFacts = {
  valid: boolean
  /** False for a token that works although the platform would not say anything about it. */
  inspected?: false
  appId: string | null
  type: string | null
  /** Milliseconds since 1970; `null` for a token that never expires. */
  expiresAt: number | null
  scopes: string[]
  /** The business accounts that the token may manage, newest first; null where the platform does not list them. */
  wabaIds?: string[] | null
}

/** The business profile of a number; unset fields are null. */
export type BusinessProfile = {
  about: string | null
  address: string | null
  description: string | null
  email: string | null
  vertical: string | null
  websites: string[]
  photoUrl: string | null
}

export const threadRoles = ['ai_agent', 'ctwa', 'customer_service', 'escalation', 'marketing', 'utility'] as const
export type ThreadControl = {
  /** A phone number with `+`, or a user id. */
  customer: string
  action: 'pass' | 'release' | 'take'
  /** For `pass`; without it the escalation partner. */
  role: (typeof threadRoles)[number] | null
  note: string | null
}

/** An empty text or list takes away what was there. */
export type ProfileChanges = Partial<
  Record<'about' | 'address' | 'description' | 'email' | 'vertical' | 'photoHandle', string>
> & { websites?: readonly string[] }

export type ShortLink = { code: string; message: string; url: string; qrImageUrl: string | null }
/** Ice breakers and commands. */
export type Automation = { prompts: string[]; commands: { name: string; description: string }[] }

export type BlockedPage = { customers: string[]; after: string | null }
/** Every address that was given, once. */
export type BlockOutcome = { done: string[]; failed: BlockFailure[] }
export type BlockFailure = { address: string; code: PlatformErrorCode; upstream: PlatformUpstream }

/** Together the token of the app itself. */
export type AppCredentials = { appId: string; appSecret: string }
/** An app, and where its platform is. */
export type AppAccess = AppCredentials & Pick<NumberCredentials, 'baseUrl' | 'graphVersion'>
/** `lifeMs` is null where the platform does not say; the token itself tells then. */
export type SignupToken = { accessToken: string; lifeMs: number | null }
export type BusinessNumber = Pick<NumberFacts, 'phoneNumberId' | 'displayPhoneNumber' | 'verifiedName' | 'status'> & {
  onBusinessApp: boolean
}
export type AppSubscription = { url: string; fields: string[] }

/** `url` has at most 200 characters. */
export type CallbackOverride = { url: string; verifyToken: string }
export type SubscribedApp = { appId: string | null; name: string | null; overrideCallbackUrl: string | null }
