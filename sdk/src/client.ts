import { type Clock, systemClock } from './clock.ts'
import { readEnv } from './env.ts'
import type { ApiPromise } from './http/api-promise.ts'
import type { ApiRequest, RequestOptions } from './http/call.ts'
import type { Hooks } from './http/hooks.ts'
import { Transport } from './http/request.ts'
import { Analytics } from './resources/analytics.ts'
import { Auth } from './resources/auth.ts'
import { Blocked } from './resources/blocked.ts'
import { Broadcasts } from './resources/broadcasts.ts'
import { Budgets } from './resources/budgets.ts'
import { Conversations } from './resources/conversations.ts'
import { Customers } from './resources/customers.ts'
import { Automations, Keywords, Links } from './resources/entry-points.ts'
import { Events } from './resources/events.ts'
import { Media } from './resources/media.ts'
import { Messages } from './resources/messages.ts'
import { Profile } from './resources/profile.ts'
import { SavedReplies } from './resources/saved-replies.ts'
import { Templates } from './resources/templates.ts'
import { Webhooks } from './resources/webhooks.ts'

/** Settings of a client. Whatever is left out comes from the environment or has the default named here. */
export interface PosternOptions extends Hooks {
  /** Address of the gateway, for example `https://chat.example.com`. Default: `POSTERN_BASE_URL`. */
  baseUrl?: string
  /** The API key, `ptk_…`. Default: `POSTERN_API_KEY`. */
  apiKey?: string
  /** Its secret, `pts_…`. Default: `POSTERN_API_SECRET`. */
  apiSecret?: string
  /**
   * Time limit of a call in milliseconds, with its retries and waits. The gateway answers a send within 10 seconds.
   * Default: 30000.
   */
  timeoutMs?: number
  /** How often a call that may be repeated is repeated. Default: 2. */
  maxRetries?: number
  /** The function that does HTTP. Default: the `fetch` of the runtime. */
  fetch?: typeof globalThis.fetch
}

/** The client on any clock, for tests of retries: time and chance are its own. The package exports only `Postern`. */
export class TimedPostern {
  /** Who am I, what may I do, how much is left. */
  readonly auth: Auth
  /** Send messages and follow them. */
  readonly messages: Messages
  /** Upload and download files. */
  readonly media: Media
  /** Message templates and their approval. */
  readonly templates: Templates
  /** What customers see about your numbers. */
  readonly profile: Profile
  readonly links: Links
  readonly automation: Automations
  readonly keywords: Keywords
  /** Customers who are blocked. */
  readonly blocked: Blocked
  /** One template to many recipients. */
  readonly broadcasts: Broadcasts
  /** The inbox: who waits for a reply, and who gives it. */
  readonly conversations: Conversations
  /** Texts that agents send again and again. */
  readonly savedReplies: SavedReplies
  readonly budgets: Budgets
  /** Customers, and what they allow. */
  readonly customers: Customers
  /** Webhooks and their deliveries. To check a request that arrived, use the `webhooks` export. */
  readonly webhooks: Webhooks
  /** The feed of everything that happened. */
  readonly events: Events
  /** Numbers over time. */
  readonly analytics: Analytics
  readonly #transport: Transport

  /** @throws TypeError when the address or the credentials are missing. */
  constructor(options: PosternOptions, clock: Clock) {
    const env = readEnv()
    const transport = new Transport({
      baseUrl: requireBaseUrl(options.baseUrl ?? env.baseUrl),
      apiKey: requireText(options.apiKey ?? env.apiKey, 'apiKey', 'POSTERN_API_KEY'),
      apiSecret: requireText(options.apiSecret ?? env.apiSecret, 'apiSecret', 'POSTERN_API_SECRET'),
      timeoutMs: options.timeoutMs ?? 30_000,
      maxRetries: options.maxRetries ?? 2,
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      onRequest: options.onRequest,
      onResponse: options.onResponse,
      clock,
    })
    this.#transport = transport
    this.auth = new Auth(transport)
    this.messages = new Messages(transport)
    this.media = new Media(transport)
    this.templates = new Templates(transport)
    this.profile = new Profile(transport)
    this.links = new Links(transport)
    this.automation = new Automations(transport)
    this.keywords = new Keywords(transport)
    this.blocked = new Blocked(transport)
    this.broadcasts = new Broadcasts(transport)
    this.conversations = new Conversations(transport)
    this.savedReplies = new SavedReplies(transport)
    this.budgets = new Budgets(transport)
    this.customers = new Customers(transport)
    this.webhooks = new Webhooks(transport)
    this.events = new Events(transport)
    this.analytics = new Analytics(transport)
  }

  /**
   * Calls an operation this version has no method for, with the same credentials, retries and naming rule.
   *
   * ```ts
   * await postern.request<{ ready: boolean }>({ method: 'GET', path: '/v1/something/new' })
   * ```
   */
  request<T>(request: ApiRequest, options?: RequestOptions): ApiPromise<T> {
    return this.#transport.send<T>(request, options)
  }
}

/**
 * Client of a Postern gateway. Make one and share it: it holds the access token and renews it.
 *
 * ```ts
 * const postern = new Postern() // POSTERN_BASE_URL, POSTERN_API_KEY, POSTERN_API_SECRET
 * await postern.messages.send({ to: '+351912345678', message: 'Your order is ready.' })
 * ```
 */
export class Postern extends TimedPostern {
  /**
   * @param options Settings; all of them are optional when the environment has the address and the credentials.
   * @throws TypeError when the address or the credentials are missing.
   */
  constructor(options: PosternOptions = {}) {
    super(options, systemClock)
  }
}

/** The address without a trailing slash. The value stays out of the message: it may hold a password. */
function requireBaseUrl(value: string | undefined): string {
  const text = requireText(value, 'baseUrl', 'POSTERN_BASE_URL')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl is not an http or https address')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must not contain credentials, a query or a fragment')
  }
  return url.href.replace(/\/+$/, '')
}

function requireText(value: string | undefined, option: string, variable: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`${option} is missing: pass it to new Postern() or set ${variable}`)
  }
  return value
}
