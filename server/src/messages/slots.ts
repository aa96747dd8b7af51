/** A place in the queue of a rate: `burst` at once, then one per `everyMs`. */
export type SlotRequest = { key: string; everyMs: number; burst: number }

/** Reserves the next slot of a key if it comes soon enough; null when it does not, and then nothing is reserved. */
export type Slots = { reserve(request: SlotRequest, waitMaxMs: number): Promise<number | null> }
