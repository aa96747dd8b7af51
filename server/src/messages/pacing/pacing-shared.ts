import { createTicker } from '../../lib/ticker.ts'
import type { Runtime } from '../../runtime.ts'
import { ensureSlotKey, findSlot, giveBackSlots, reserveSlots } from '../../store/channels/pacing.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { Reservation, SlotRequest, Slots } from './slots.ts'

type Question = { requests: readonly SlotRequest[]; waitMaxMs: number }
/** What one key was granted, and how much of it is handed out. */
type Grant = { granted: number; startedAt: number; used: number }

/**
 * For many processes on PostgreSQL: the sends of the same moment share one statement for all their keys, and the rows of
 * the table make all nodes one queue.
 */
export function createSharedSlots(rt: Runtime): Slots {
  const ticker = createTicker<Question, Reservation>(async (questions) => {
    const now = rt.clock.now()
    const grants = await reserveAll(rt, questions, now)
    const answers = questions.map((question) => answerOf(question, grants, now))
    await giveBack(rt, questions, grants)
    return answers
  })
  return {
    reserve: (requests, waitMaxMs) => ticker.ask({ requests, waitMaxMs }),
    async look({ key, everyMs, burst }) {
      const [slot] = await rt.store.read(findSlot, { slot_key: key })
      return Math.max(0, (slot?.empty_at ?? 0) - everyMs * (burst - 1) - rt.clock.now())
    },
  }
}

async function reserveAll(rt: Runtime, questions: readonly Question[], now: number): Promise<Map<string, Grant>> {
  const wanted = new Map<string, { request: SlotRequest; waitMaxMs: number; count: number }>()
  for (const { requests, waitMaxMs } of questions) {
    for (const request of requests) {
      const known = wanted.get(request.key)
      if (known) {
        known.count++
        known.waitMaxMs = Math.max(known.waitMaxMs, waitMaxMs)
      } else wanted.set(request.key, { request, waitMaxMs, count: 1 })
    }
  }
  const unit = new Unit()
  unit.add(ensureSlotKey, ...[...wanted.keys()].map((slot_key) => ({ slot_key })))
  const reservations = [...wanted.values()].map(({ request: { key, everyMs, burst }, waitMaxMs, count }) => ({
    slot_key: key,
    wanted: count,
    every_ms: everyMs,
    latest_at: now + waitMaxMs + everyMs * (burst - 1),
    now,
  }))
  const slot = unit.add(reserveSlots, ...reservations)
  const rows = (await rt.store.tally(unit)).rows(slot)
  return new Map(rows.map((row) => [row.slot_key, { granted: row.granted, startedAt: row.started_at, used: 0 }]))
}

/** Takes the next of the granted places of every key, or none where one of them is missing or comes too late. */
function answerOf({ requests, waitMaxMs }: Question, grants: Map<string, Grant>, now: number): Reservation {
  const places = requests.map(({ key, everyMs, burst }) => {
    const grant = grants.get(key)
    if (!grant || grant.used >= grant.granted) return null
    const waitMs = Math.max(0, grant.startedAt + grant.used * everyMs - everyMs * (burst - 1) - now)
    return waitMs > waitMaxMs ? null : { grant, waitMs }
  })
  const refused = places.indexOf(null)
  if (refused !== -1) return { refused }
  for (const place of places) if (place) place.grant.used++
  return { waitMs: Math.max(...places.map((place) => place?.waitMs ?? 0)) }
}

/** What was granted and not taken; otherwise a busy number would use up the pace of its customers. */
async function giveBack(rt: Runtime, questions: readonly Question[], grants: Map<string, Grant>): Promise<void> {
  const requests = new Map(questions.flatMap(({ requests }) => requests.map((request) => [request.key, request])))
  const rows = [...grants].flatMap(([slot_key, { granted, used }]) =>
    granted === used ? [] : [{ slot_key, by_ms: (granted - used) * (requests.get(slot_key)?.everyMs ?? 0) }],
  )
  if (rows.length === 0) return
  const unit = new Unit()
  unit.add(giveBackSlots, ...rows)
  await rt.store.tally(unit)
}
