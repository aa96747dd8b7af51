/** `burst` at once, then one per `everyMs`. */
export type RateLimit = { key: string; everyMs: number; burst: number }

/** The time until the latest of the reservations, or the index of the limit that would take too long; then none is made. */
export type Reservation = { waitMs: number } | { refused: number }

export type RateLimiter = {
  /** Reserves the next moment of every limit, all of them or none. */
  reserve(limits: readonly RateLimit[], waitMaxMs: number): Promise<Reservation>
  /**
   * Reserves what is free at this moment; the function returned takes it back. Null where something would have to wait, then
   * nothing is reserved. Missing where reservations are in a database, which no moment is long enough to ask.
   */
  reserveNow?(limits: readonly RateLimit[]): (() => void) | null
  /** How long a reservation would have to wait; reserves nothing. */
  look(limit: RateLimit): Promise<number>
}
