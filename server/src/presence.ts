import type { Clock } from './lib/clock.ts'
import type { Store } from './store/engine/store.ts'

export type Signal = { accountId: string; customerId: string; userId: string; typing: boolean }
export type Present = { readonly userId: string; readonly typing: boolean }

/** People who have a conversation open, on any node. It isn't stored and expires automatically. */
export type Presence = {
  /** A signal that comes too soon after the last one of the same person is dropped. */
  signal(signal: Signal): void
  /** Everybody but this person. */
  others(of: Omit<Signal, 'typing'>): Present[]
  /** Calls back with the account when a person comes, starts typing or stops. */
  onChange(listener: (accountId: string) => void): () => void
}

const signalEveryMs = 5_000
const endsAfterMs = 15_000
const mark = 'presence'
/** A conversation that nobody has open any more is forgotten when this many are known. */
const conversationsMax = 5_000

export function createPresence({ store, clock }: { store: Store; clock: Clock }): Presence {
  const conversations = new Map<string, Map<string, { at: number; typing: boolean }>>()
  const listeners = new Set<(accountId: string) => void>()
  const isOver = ({ at }: { at: number }) => clock.now() - at >= endsAfterMs
  store.onNote(hear)

  return {
    signal({ accountId, customerId, userId, typing }) {
      const last = conversations.get(keyOf(accountId, customerId))?.get(userId)
      if (last && clock.now() - last.at < signalEveryMs) return
      store.tell([mark, accountId, customerId, userId, typing ? 't' : 'h'].join('.'))
    },
    others({ accountId, customerId, userId }) {
      const people = [...(conversations.get(keyOf(accountId, customerId)) ?? [])]
      return people
        .filter(([id, seen]) => id !== userId && !isOver(seen))
        .map(([id, { typing }]) => ({ userId: id, typing }))
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  function hear(note: string): void {
    const [kind, accountId = '', customerId = '', userId = '', act] = note.split('.')
    if (kind !== mark) return
    const key = keyOf(accountId, customerId)
    if (conversations.size >= conversationsMax && !conversations.has(key)) forgetEnded()
    const people = conversations.get(key) ?? new Map<string, { at: number; typing: boolean }>()
    const last = people.get(userId)
    const typing = act === 't'
    conversations.set(key, people.set(userId, { at: clock.now(), typing }))
    if (last && !isOver(last) && last.typing === typing) return
    for (const listener of listeners) listener(accountId)
  }

  function forgetEnded(): void {
    for (const [key, people] of conversations) if ([...people.values()].every(isOver)) conversations.delete(key)
  }
}

function keyOf(accountId: string, customerId: string): string {
  return `${accountId}.${customerId}`
}
