import type { Topic } from './operation.ts'
import type { Call } from './unit.ts'

export type Topics = {
  listen(topic: Topic, listener: () => void): () => void
  /** Wakes the listeners of what these units changed; returns the topics that were touched. */
  announce(units: readonly (readonly Call[])[]): Set<Topic>
  wake(topic: Topic): void
}

/** In-process wake-ups: a worker that waits for jobs looks within milliseconds of their commit. */
export function createTopics(): Topics {
  const listeners = new Map<Topic, Set<() => void>>()

  function wake(topic: Topic): void {
    for (const listener of listeners.get(topic) ?? []) listener()
  }

  return {
    listen(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => known.delete(listener)
    },
    announce(units) {
      const touched = new Set<Topic>()
      for (const calls of units) {
        for (const { operation } of calls) if (operation.wakes) touched.add(operation.wakes)
      }
      for (const topic of touched) wake(topic)
      return touched
    },
    wake,
  }
}
