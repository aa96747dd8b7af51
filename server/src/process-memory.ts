import type { ConnectionOptions } from './contract/connections.ts'
import type { Clock } from './lib/clock.ts'
import { hourMs } from './lib/durations.ts'
import type { ConnectedNumberRow } from './store/channels/numbers.ts'

/** Counts that take long to make, as they were made last, by a name that says what was counted. */
export type RecentCounts = {
  /** Undefined where it is to be made again. */
  find(name: string, nowMs: number): unknown
  note(name: string, count: unknown, untilMs: number): void
}

const countsMax = 1_000

export function createRecentCounts(): RecentCounts {
  const counts = new Map<string, { count: unknown; untilMs: number }>()
  return {
    find(name, nowMs) {
      const known = counts.get(name)
      return known && known.untilMs > nowMs ? known.count : undefined
    },
    note(name, count, untilMs) {
      if (counts.size >= countsMax) counts.clear()
      counts.set(name, { count, untilMs })
    },
  }
}

/** The connected numbers of an account as they were read last, the default first. */
export type RememberedNumbers = {
  readonly rows: readonly ConnectedNumberRow[]
  /** Cached values that the first write of a send verifies, see store/messages/admission.ts. */
  readonly text: string
}

/** Kept per process. Only a send may rely on it, because its first write finds no row when it is out of date. */
export type NumberMemory = {
  get(accountId: string): RememberedNumbers | undefined
  set(accountId: string, rows: readonly ConnectedNumberRow[]): void
  /** A first write found no row: nothing is remembered of this account for a second. */
  forget(accountId: string): void
}

const accountsMax = 10_000
/** A write that fails undoes its whole batch, so an account whose sends keep failing may cause that once a second. */
const pauseMs = 1_000

export function createNumberMemory({ clock }: { clock: Clock }): NumberMemory {
  const accounts = new Map<string, RememberedNumbers>()
  const pausedUntil = new Map<string, number>()
  const isPaused = (accountId: string) => {
    const until = pausedUntil.get(accountId)
    if (until !== undefined && until <= clock.now()) pausedUntil.delete(accountId)
    return pausedUntil.has(accountId)
  }
  return {
    get: (accountId) => accounts.get(accountId),
    set(accountId, rows) {
      if (isPaused(accountId)) return
      if (accounts.size >= accountsMax) accounts.delete(accounts.keys().next().value ?? '')
      accounts.set(accountId, { rows, text: rows.map(toText).join(',') })
    },
    forget(accountId) {
      accounts.delete(accountId)
      pausedUntil.set(accountId, clock.now() + pauseMs)
    },
  }
}

function toText(row: ConnectedNumberRow): string {
  const { id, phone_number, connected_at, sends_per_second, channel_revision } = row
  const { budget_mark, business_verified, marketing_messages } = row
  return `${id} ${phone_number} ${connected_at} ${sends_per_second} ${budget_mark} ${channel_revision} ${business_verified} ${marketing_messages}`
}

/**
 * Customers whom this process has written to within an hour, so that a send need not ensure again that its recipient has an id,
 * with the first address of each, which names the rate limit of all. It is a hint: the message takes its customer from the
 * database.
 */
export type KnownRecipients = {
  find(accountId: string, address: string): string | null
  note(accountId: string, address: string, firstAddress: string): void
  forget(accountId: string, address: string): void
}

const recipientsMax = 20_000

export function createKnownRecipients(clock: Clock): KnownRecipients {
  const known = new Map<string, { firstAddress: string; until: number }>()
  const keyOf = (accountId: string, address: string) => `${accountId} ${address}`
  return {
    find(accountId, address) {
      const found = known.get(keyOf(accountId, address))
      return found && found.until > clock.now() ? found.firstAddress : null
    },
    note(accountId, address, firstAddress) {
      const key = keyOf(accountId, address)
      const found = known.get(key)
      if (found && found.until > clock.now()) {
        found.firstAddress = firstAddress
        return
      }
      if (known.size >= recipientsMax) known.clear()
      known.set(key, { firstAddress, until: clock.now() + hourMs })
    },
    forget(accountId, address) {
      known.delete(keyOf(accountId, address))
    },
  }
}

export type ChannelKind = 'sandbox' | 'cloud'

/** A connected channel with its secrets opened. Never logged, never part of a response. */
export type OpenChannel = {
  readonly id: string
  readonly accountId: string
  readonly callbackId: string
  readonly kind: ChannelKind
  readonly wabaId: string
  readonly appId: string | null
  readonly baseUrl: string
  readonly graphVersion: string
  readonly revision: number
  readonly accessToken: string
  readonly appSecret: string
  readonly verifyToken: string
}

/** Channels opened by this process, so that a send costs no decryption and no second read. */
export type OpenChannels = {
  get(id: string, revision: number): OpenChannel | undefined
  /** As it was opened last, which may be out of date: only what is stored under its revision may rely on it. */
  ofCallback(callbackId: string): OpenChannel | undefined
  set(channel: OpenChannel): void
  forget(channel: OpenChannel): void
}

const openMax = 10_000

export function createOpenChannels(): OpenChannels {
  const channels = new Map<string, OpenChannel>()
  const byCallback = new Map<string, OpenChannel>()
  const forget = ({ id, callbackId }: OpenChannel) => {
    channels.delete(id)
    byCallback.delete(callbackId)
  }
  return {
    get(id, revision) {
      const known = channels.get(id)
      return known?.revision === revision ? known : undefined
    },
    ofCallback: (callbackId) => byCallback.get(callbackId),
    set(channel) {
      const [oldest] = channels.values()
      if (oldest && channels.size >= openMax) forget(oldest)
      channels.set(channel.id, channel)
      byCallback.set(channel.callbackId, channel)
    },
    forget,
  }
}

/** A relay of an account: the address of a connection, and its fields. */
export type Relay = {
  readonly webhookId: string
  readonly keyId: string
  readonly seesPeople: boolean
  /** Null: all. */
  readonly numberIds: readonly string[] | null
  readonly expiresAt: number | null
  readonly options: ConnectionOptions
}

/** Kept per process, so that accounts without relays cost nothing. A change elsewhere is seen after two seconds. */
export type RelayMemory = {
  get(accountId: string): readonly Relay[] | undefined
  set(accountId: string, relays: readonly Relay[]): void
  forget(accountId: string): void
}

const relayAccountsMax = 10_000
const relaysValidMs = 2_000

export function createRelayMemory({ clock }: { clock: Clock }): RelayMemory {
  const accounts = new Map<string, { relays: readonly Relay[]; until: number }>()
  return {
    get(accountId) {
      const known = accounts.get(accountId)
      return known && known.until > clock.now() ? known.relays : undefined
    },
    set(accountId, relays) {
      accounts.delete(accountId)
      if (accounts.size >= relayAccountsMax) accounts.delete(accounts.keys().next().value ?? '')
      accounts.set(accountId, { relays, until: clock.now() + relaysValidMs })
    },
    forget: (accountId) => void accounts.delete(accountId),
  }
}
