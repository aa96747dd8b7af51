import type { EventType } from '../contract/events.ts'
import { publishEvent } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { findToldStates, tellState } from '../store/channels/told-states.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'

export type ToldState = {
  /** Of a channel or a number. */
  subject: string
  topic: 'quality' | 'limit' | 'name' | 'throughput' | 'standing' | 'token' | 'connection'
  value: string
  /** Null where the new state is noted and nobody has to be told. */
  event: (previous: string | null) => { type: EventType; data: Record<string, unknown> } | null
}

/**
 * Publishes an event when a state is another one than was last told, in the unit that notes it: Meta repeats itself, and
 * so does every refresh, on every node.
 */
export async function tellStates(rt: Runtime, accountId: string, states: readonly ToldState[]): Promise<void> {
  const known = new Map<string, ReadonlyMap<string, string>>()
  for (const { subject, topic, value, event } of states) {
    const told = known.get(subject) ?? (await readTold(rt, subject))
    known.set(subject, told)
    const previous = told.get(topic) ?? null
    if (previous === value) continue
    const now = rt.clock.now()
    const unit = new Unit()
    unit.add(tellState, { subject, topic, account_id: accountId, value, at: now, previous })
    const news = event(previous)
    if (news) {
      const data = { ...news.data, timestamp: formatInstant(now) }
      publishEvent(rt, unit, { accountId, type: news.type, subject, sequence: 1, data })
    }
    try {
      await rt.store.write(unit)
    } catch (error) {
      // Another node told it since it was read.
      if (!(error instanceof ConditionFailed && error.operation === tellState.name)) throw error
    }
  }
}

async function readTold(rt: Runtime, subject: string): Promise<ReadonlyMap<string, string>> {
  const rows = await rt.store.read(findToldStates, { subject })
  return new Map(rows.map(({ topic, value }) => [topic, value]))
}
