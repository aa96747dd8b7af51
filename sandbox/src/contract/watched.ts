import { channel } from 'node:diagnostics_channel'

/** One call as it came and as it was answered. A file is a Blob, and never its bytes. */
export type WatchedCall = { call: string; status: number; request: unknown; answer: unknown }
/** One body that goes to a callback address. */
export type WatchedCallback = { body: Buffer }

/** For who holds what passes against the recorded contract; without a subscriber nothing is published or made. */
export const watchedCalls = channel('postern.sandbox.call')
export const watchedCallbacks = channel('postern.sandbox.callback')
