import type { Topic } from './operation.ts'
import type { Committed, InputRow } from './unit.ts'

/** Whose data changed: that of these accounts, or nobody can say. */
export type Touched = ReadonlySet<string> | 'anybody'
/** Changed topics; grows until they are published. */
export type TouchedTopics = Map<Topic, Set<string> | 'anybody'>

export type Topics = {
  listen(topic: Topic, listener: (touched: Touched) => void): () => void
  /** Wakes the listeners of what these units changed; returns what was touched. */
  announce(units: readonly Committed[]): TouchedTopics
  wake(topic: Topic, touched: Touched): void
  /** Everybody looks: something may have gone unheard. */
  wakeAll(): void
  hear(note: string): void
  onNote(listener: (note: string) => void): () => void
}

/** In-process wake-ups: a worker that waits for jobs looks within milliseconds of their commit. */
export function createTopics(): Topics {
  const listeners = new Map<Topic, Set<(touched: Touched) => void>>()
  const noteListeners = new Set<(note: string) => void>()

  function wake(topic: Topic, touched: Touched): void {
    for (const listener of listeners.get(topic) ?? []) listener(touched)
  }

  return {
    listen(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => known.delete(listener)
    },
    announce(units) {
      const topics = touchedBy(units)
      for (const [topic, touched] of topics) wake(topic, touched)
      return topics
    },
    wake,
    wakeAll() {
      for (const topic of listeners.keys()) wake(topic, 'anybody')
    },
    hear(note) {
      for (const listener of noteListeners) listener(note)
    },
    onNote(listener) {
      noteListeners.add(listener)
      return () => noteListeners.delete(listener)
    },
  }
}

/** Puts more under a topic. */
export function addTouched(topics: TouchedTopics, topic: Topic, more: Touched): void {
  const known = topics.get(topic)
  if (known === 'anybody') return
  if (more === 'anybody') topics.set(topic, 'anybody')
  else topics.set(topic, new Set([...(known ?? []), ...more]))
}

function touchedBy(units: readonly Committed[]): TouchedTopics {
  const topics: TouchedTopics = new Map()
  for (const { calls, rowsByCall, idle } of units) {
    for (const [index, { operation, rows }] of calls.entries()) {
      if (operation.wakes === null || idle?.has(operation)) continue
      if ('account_id' in operation.input) addRows(topics, operation.wakes, rows)
      else if ('account_id' in operation.returns) addRows(topics, operation.wakes, rowsByCall[index] ?? [])
      else topics.set(operation.wakes, 'anybody')
    }
  }
  return topics
}

/** A busy gateway passes here thousands of times a second, so sets are grown in place. */
function addRows(topics: TouchedTopics, topic: Topic, rows: readonly InputRow[]): void {
  for (const { account_id: accountId } of rows) {
    const known = topics.get(topic)
    if (known === 'anybody') return
    if (typeof accountId !== 'string') topics.set(topic, 'anybody')
    else if (known) known.add(accountId)
    else topics.set(topic, new Set([accountId]))
  }
}
