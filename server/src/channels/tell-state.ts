import type { EventType } from '../contract/events.ts'
import { publishEvent } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { findToldStates, tellState } from '../store/channels/told-states.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'

export type ToldState = {
  /** Of a channel, a number or a payment. */
  subject: string
  topic:
    | 'quality'
    | 'limit'
    | 'name'
    | 'username'
    | 'throughput'
    | 'standing'
    | 'token'
    | 'connection'
    | 'renewal'
    | 'payment'
  value: string
  /** Null where the new state is noted and nobody has to be told; `late` where a newer one is known. */
  event: (previous: string | null) => News | null | 'late'
}

type News = {
  type: EventType
  data: Record<string, unknown>
  /** The subject of the event, if it differs from that of the state. */
  about?: string
}

const triesMax = 8

/**
 * Publishes an event when a state is another one than was last told, in the unit that notes it: Meta repeats itself, and
 * so does every refresh, on every node.
 */
export async function tellStates(rt: Runtime, accountId: string, states: readonly ToldState[]): Promise<void> {
  const known = new Map<string, ReadonlyMap<string, string>>()
  for (const state of states) {
    const told = known.get(state.subject) ?? (await readTold(rt, state.subject))
    known.set(state.subject, told)
    await tell(rt, accountId, state, told)
  }
}

async function tell(
  rt: Runtime,
  accountId: string,
  { subject, topic, value, event }: ToldState,
  told: ReadonlyMap<string, string>,
): Promise<void> {
  for (let tries = 1, now = told; ; tries++, now = await readTold(rt, subject)) {
    const previous = now.get(topic) ?? null
    const news = previous === value ? 'late' : event(previous)
    if (news === 'late') return
    const at = rt.clock.now()
    const unit = new Unit()
    unit.add(tellState, { subject, topic, account_id: accountId, value, at, previous })
    if (news) {
      const { type, about = subject } = news
      const data = { ...news.data, timestamp: news.data.timestamp ?? formatInstant(at) }
      publishEvent(rt, unit, { accountId, type, subject: about, sequence: 1, data })
    }
    try {
      await rt.store.write(unit)
      return
    } catch (error) {
      // Another node told something since it was read: the same, or what this is compared with from now on.
      if (!(error instanceof ConditionFailed && error.operation === tellState.name) || tries >= triesMax) throw error
    }
  }
}

async function readTold(rt: Runtime, subject: string): Promise<ReadonlyMap<string, string>> {
  const rows = await rt.store.read(findToldStates, { subject })
  return new Map(rows.map(({ topic, value }) => [topic, value]))
}
