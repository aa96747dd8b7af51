import type { Clock } from './lib/clock.ts'
import type { ConnectedNumberRow } from './store/channels/numbers.ts'

/** The connected numbers of an account as they were read last, the default first. */
export type RememberedNumbers = {
  readonly rows: readonly ConnectedNumberRow[]
  /** What the first write of a send compares with the database, see store/messages/admission.ts. */
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
  const { business_verified, marketing_messages } = row
  return `${id} ${phone_number} ${connected_at} ${sends_per_second} ${channel_revision} ${business_verified} ${marketing_messages}`
}
