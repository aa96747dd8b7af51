import { createTicker } from '../lib/ticker.ts'
import type { Runtime } from '../runtime.ts'
import { ensureSlotKey, reserveSlots } from '../store/pacing.ts'
import { Unit } from '../store/unit.ts'
import type { SlotRequest, Slots } from './slots.ts'

type Question = { request: SlotRequest; waitMaxMs: number }

/** For many processes on PostgreSQL: sends of the same moment share one statement per key; the row makes them one queue. */
export function createSharedSlots(rt: Runtime): Slots {
  const ticker = createTicker<Question, number | null>(async (questions) => {
    const groups = Map.groupBy(questions, ({ request }) => request.key)
    const answers = new Map<Question, number | null>()
    const now = rt.clock.now()
    const unit = new Unit()
    const slots = [...groups.values()].map((group) => ({ group, slot: addReservation(unit, group, now) }))
    const result = await rt.store.tally(unit)
    for (const { group, slot } of slots) {
      const row = result.first(slot)
      for (const [index, question] of group.entries()) {
        const { everyMs, burst } = question.request
        const granted = row !== undefined && index < row.granted
        const startsAt = granted ? row.started_at + index * everyMs : 0
        answers.set(question, granted ? Math.max(0, startsAt - everyMs * (burst - 1) - now) : null)
      }
    }
    return questions.map((question) => answers.get(question) ?? null)
  })
  return { reserve: (request, waitMaxMs) => ticker.ask({ request, waitMaxMs }) }
}

function addReservation(unit: Unit, group: Question[], now: number) {
  const [first] = group
  if (!first) throw new Error('An empty group.')
  const { key, everyMs, burst } = first.request
  unit.add(ensureSlotKey, { slot_key: key })
  return unit.add(reserveSlots, {
    slot_key: key,
    wanted: group.length,
    every_ms: everyMs,
    latest_at: now + first.waitMaxMs + everyMs * (burst - 1),
    now,
  })
}
