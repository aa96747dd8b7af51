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
  forget(accountId: string): void
}

const accountsMax = 10_000

export function createNumberMemory(): NumberMemory {
  const accounts = new Map<string, RememberedNumbers>()
  return {
    get: (accountId) => accounts.get(accountId),
    set(accountId, rows) {
      if (accounts.size >= accountsMax) accounts.delete(accounts.keys().next().value ?? '')
      accounts.set(accountId, { rows, text: rows.map(toText).join(',') })
    },
    forget: (accountId) => void accounts.delete(accountId),
  }
}

function toText(row: ConnectedNumberRow): string {
  const { id, phone_number, connected_at, sends_per_second, channel_revision, business_verified } = row
  return `${id} ${phone_number} ${connected_at} ${sends_per_second} ${channel_revision} ${business_verified}`
}
