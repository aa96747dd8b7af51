import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { LearnedRate } from './learned-rate.ts'
import { createMemorySlots } from './pacing-memory.ts'
import { createSharedSlots } from './pacing-shared.ts'
import type { SlotRequest } from './slots.ts'

export type Pace = { numberId: string; sendsPerSecond: number; customer: string }

// The platform takes one message per 6 s to one customer, and lets 45 go ahead of that.
const pairEveryMs = 6_000
const pairBurst = 45

// The platform lets a number have one second's worth at once. A tenth of that leaves it room for sends that were held up
// on their way and arrive together, and for what others send and receive with the same number.
const burstSeconds = 0.1

export type Pacer = {
  /** Waits for a place at the platform, or refuses when it would take longer than `waitMaxMs`. */
  wait(pace: Pace, waitMaxMs: number): Promise<void>
  /**
   * For a message that had its turn and met a full platform: its next turn in the line of the number, or false when that
   * would come too late. The pace of the customer has counted it already.
   */
  waitAgain(pace: Pace, waitMaxMs: number): Promise<boolean>
  /** The platform said that the number sends too fast: it goes at half its rate, and recovers. */
  slowDown(pace: Pace): void
  /** How long a send would wait now, in milliseconds, and what it would be told if it may not; takes no place. */
  look(pace: Pace, waitMaxMs: number): Promise<{ waitMs: number; refusal: AppError | null }>
}

const pacers = new WeakMap<Runtime['store'], Pacer>()

/** One per process and database, whoever sends. */
export function pacerOf(rt: Runtime): Pacer {
  const known = pacers.get(rt.store)
  if (known) return known
  const slots = rt.store.engine === 'sqlite' ? createMemorySlots(rt) : createSharedSlots(rt)
  const learned = new LearnedRate()
  const numberSlot = ({ numberId, sendsPerSecond }: Pace) =>
    slotOf(numberId, learned.of(numberId, sendsPerSecond, rt.clock.now()))
  const pacer: Pacer = {
    slowDown({ numberId, sendsPerSecond }) {
      learned.slowDown(numberId, sendsPerSecond, rt.clock.now())
    },
    async wait(pace, waitMaxMs) {
      const reserved = await slots.reserve([pairSlot(pace), numberSlot(pace)], waitMaxMs)
      if ('refused' in reserved) {
        rt.metrics.rateLimited.inc({ policy: 'channel', plan: 'none' })
        throw tooFast(reserved.refused, waitMaxMs)
      }
      await pause(reserved.waitMs)
    },
    async waitAgain(pace, waitMaxMs) {
      const reserved = await slots.reserve([numberSlot(pace)], waitMaxMs)
      if ('refused' in reserved) return false
      await pause(reserved.waitMs)
      return true
    },
    async look(pace, waitMaxMs) {
      const waits = await Promise.all([pairSlot(pace), numberSlot(pace)].map((slot) => slots.look(slot)))
      const refused = waits.findIndex((waitMs) => waitMs > waitMaxMs)
      return { waitMs: Math.max(...waits), refusal: refused === -1 ? null : tooFast(refused, waitMaxMs) }
    },
  }
  pacers.set(rt.store, pacer)
  return pacer
}

function pairSlot({ numberId, customer }: Pace): SlotRequest {
  return { key: `${numberId} ${customer}`, everyMs: pairEveryMs, burst: pairBurst }
}

function slotOf(numberId: string, sendsPerSecond: number): SlotRequest {
  const burst = Math.max(1, Math.floor(sendsPerSecond * burstSeconds))
  return { key: numberId, everyMs: 1_000 / sendsPerSecond, burst }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
}

/** `refused` is which of the two slots would come too late: that of the customer, or that of the number. */
function tooFast(refused: number, waitMaxMs: number): AppError {
  const [sentence, retryAfterMs] =
    refused === 0
      ? ['This customer was sent too many messages in a short time.', pairEveryMs]
      : ['This number sends as fast as the platform allows.', waitMaxMs]
  return new AppError('channel_rate_limited', `${sentence} Nothing was sent.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
  })
}
