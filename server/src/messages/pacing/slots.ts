/** A place in the queue of a rate: `burst` at once, then one per `everyMs`. */
export type SlotRequest = { key: string; everyMs: number; burst: number }

/** The time until the last of the slots begins, or which of them would come too late; then none is kept. */
export type Reservation = { waitMs: number } | { refused: number }

export type Slots = {
  /** Reserves the next slot of every key asked for, all of them or none. */
  reserve(requests: readonly SlotRequest[], waitMaxMs: number): Promise<Reservation>
  /** How long a reservation would have to wait; reserves nothing. */
  look(request: SlotRequest): Promise<number>
}
