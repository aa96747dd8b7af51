import { formatInstant } from './instant.ts'

/** Time as everyone here sees it: epoch milliseconds. Injected, so that tests wind it and replicas agree on it. */
export type Clock = { now(): number }

// Wall time is read once; from then on only the monotonic clock counts.
const anchor = Date.now() - performance.now()

/** Epoch milliseconds by this process's monotonic clock, with fractions. */
export function processNow(): number {
  return anchor + performance.now()
}

/**
 * The process's monotonic clock anchored once to wall time, plus an offset that may be re-read at any moment. With
 * PostgreSQL the offset follows the database, so that due times and windows mean the same on every node; a jump of the
 * machine's wall clock does not move it.
 */
export function steadyClock(offsetMs: () => number = () => 0): Clock {
  return { now: () => Math.round(processNow() + offsetMs()) }
}

/** The wall clock for lines of a log, which people compare with those of other programs. */
export function wallTimeText(): string {
  return formatInstant(Date.now())
}

export type WallClock = { offsetMs(): number; stop(): void }

const wallSampleMs = 10_000
const wallStepMs = 1_000

/**
 * Drift of the wall clock from ours. The monotonic clock stands still while a machine sleeps, and a machine
 * may learn the time only after we started; steps below a second are left to it.
 */
export function followWallClock(wall: () => number = Date.now, everyMs = wallSampleMs): WallClock {
  let offset = 0
  const timer = setInterval(() => {
    const now = wall() - processNow()
    if (Math.abs(now - offset) > wallStepMs) offset = now
  }, everyMs)
  timer.unref()
  return { offsetMs: () => offset, stop: () => clearInterval(timer) }
}

export type ManualClock = Clock & { advance(ms: number): void; set(at: number): void }

/** For tests: stands still until told to move. */
export function manualClock(startAt = Date.UTC(2026, 10, 15, 10, 0, 0)): ManualClock {
  let at = startAt
  return {
    now: () => at,
    advance(ms) {
      at += ms
    },
    set(next) {
      at = next
    },
  }
}
